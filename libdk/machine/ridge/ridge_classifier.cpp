// SPDX-License-Identifier: Apache-2.0
#include "machine/ridge/ridge_fit.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace {

std::vector<double> column_of(const RidgeSolution& solution, Index column) {
    const auto values = solution.coefficients.col(column);
    return {values.begin(), values.end()};
}

}  // namespace

TrainedMachine train_ridge_classifier(const TrainingProblem& problem) {
    const Labels& labels = *problem.data.labels;
    const Index columns = labels.classes() == 2 ? 1 : labels.classes();
    const auto targets = class_targets(labels, columns);
    RidgeFit fitted;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        fitted = fit_ridge(problem, targets, columns, true);
    }
    std::vector<ExpansionFunction> functions;
    std::vector<Report> reports;
    for (Index c = 0; c < columns; ++c) {
        const double offset = fitted.solution.offsets[c];
        functions.push_back({.rows = fitted.rows,
                             .gamma = column_of(fitted.solution, c),
                             .offset = offset,
                             .positive_class = columns == 1 ? 1 : c,
                             .negative_class = columns == 1 ? 0 : -1});
        Report report;
        report.add("positive", labels.class_name(functions.back().positive_class));
        report.add("negative", columns == 1 ? labels.class_name(0) : std::string("rest"));
        report.add("offset", offset);
        reports.push_back(std::move(report));
    }
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor = make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                                              problem.parameters[parameter::neighbours], problem.control);
    trained.rule = columns == 1 ? DecisionRule::binary : DecisionRule::largest;
    report_ridge_fit(trained.report, fitted, problem.data, columns, true);
    trained.report.add("functions", std::move(reports));
    return trained;
}

}  // namespace dk

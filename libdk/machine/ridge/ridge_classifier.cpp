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
    const Dataset& data = problem.data;
    const double columns_asked = static_cast<double>(data.label_count());
    problem.budget.require(8 * columns_asked * static_cast<double>(data.rows()),
                           text("targets of ", data.rows(), " rows in ", data.label_count(), " columns"));
    const auto [targets, columns] = sign_targets(data);
    const bool of_two_classes = columns == 1 && !data.label_sets;
    RidgeFit fitted;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        fitted = fit_ridge(problem, targets, columns, !data.label_sets);
    }
    std::vector<ExpansionFunction> functions;
    std::vector<Report> reports;
    for (Index c = 0; c < columns; ++c) {
        const auto constant = constant_decision(data, c);
        const double offset = constant.value_or(fitted.solution.offsets[c]);
        functions.push_back(
            {.rows = fitted.rows,
             .gamma = constant ? std::vector<double>(fitted.rows.size(), 0.0) : column_of(fitted.solution, c),
             .offset = offset,
             .positive_class = of_two_classes ? 1 : c,
             .negative_class = of_two_classes ? 0 : -1,
             .may_be_constant = data.label_sets.has_value()});
        Report report;
        report.add("positive", data.label_name(functions.back().positive_class));
        report.add("negative", of_two_classes ? data.label_name(0) : std::string("rest"));
        report.add("offset", offset);
        reports.push_back(std::move(report));
    }
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor = make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                                              problem.parameters[parameter::neighbours], problem.control);
    trained.rule = data.label_sets  ? DecisionRule::labels
                   : of_two_classes ? DecisionRule::binary
                                    : DecisionRule::largest;
    report_ridge_fit(trained.report, fitted, data, columns, !data.label_sets);
    trained.report.add("functions", std::move(reports));
    return trained;
}

}  // namespace dk

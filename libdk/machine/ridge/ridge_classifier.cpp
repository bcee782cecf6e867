// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "machine/ridge/ridge_fit.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace {

std::vector<double> column_of(const RidgeSolution& solution, Index column) {
    const auto values = solution.coefficients.col(column);
    return {values.begin(), values.end()};
}

/// The number of each row's class, 1, 2, ... in ascending order, as one column of targets.
Targets number_targets(const Dataset& data) {
    Targets numbers;
    numbers.values.reserve(data.rows());
    for (const Index c : data.labels->of_rows) numbers.values.push_back(static_cast<double>(c + 1));
    return numbers;
}

/// Lets the class win whose number is nearest to f: of (f - c)^2 the least, of c f - c^2 / 2 the largest,
/// which is a function of each class as all others are. Of two classes it is the sign of f - 3/2.
std::vector<ExpansionFunction> functions_of_numbers(const ExpansionFunction& f, Index classes) {
    if (classes == 2) {
        ExpansionFunction of_two = f;
        of_two.offset -= 1.5;
        return {std::move(of_two)};
    }
    std::vector<ExpansionFunction> functions;
    for (Index c = 0; c < classes; ++c) {
        const double number = static_cast<double>(c + 1);
        ExpansionFunction of_class = f;
        for (double& gamma : of_class.gamma) gamma *= number;
        of_class.offset = number * f.offset - 0.5 * number * number;
        of_class.positive_class = c;
        of_class.negative_class = -1;
        functions.push_back(std::move(of_class));
    }
    return functions;
}

}  // namespace

TrainedMachine train_ridge_classifier(const TrainingProblem& problem) {
    const Dataset& data = problem.data;
    const double columns_asked = static_cast<double>(data.label_count());
    problem.budget.require(8 * columns_asked * static_cast<double>(data.rows()),
                           text("targets of ", data.rows(), " rows in ", data.label_count(), " columns"));
    const bool scalar = problem.parameters[parameter::class_targets] == ClassTargets::scalar;
    if (scalar && data.label_sets)
        fail(Status::unsupported,
             "targets=scalar is for rows of one class; rows of several labels have no number");
    const auto [targets, columns] = scalar ? number_targets(data) : sign_targets(data);
    const bool of_two_classes = data.label_count() == 2 && !data.label_sets;
    const RidgeTargets kind{.classes = !data.label_sets, .numbers = scalar ? data.label_count() : 0};
    RidgeFit fitted;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        fitted = fit_ridge(problem, targets, columns, kind);
    }
    std::vector<ExpansionFunction> functions;
    std::vector<Report> reports;
    for (Index c = 0; c < columns; ++c) {
        const auto constant = constant_decision(data, c);
        functions.push_back(
            {.rows = fitted.rows,
             .gamma = constant ? std::vector<double>(fitted.rows.size(), 0.0) : column_of(fitted.solution, c),
             .offset = constant.value_or(fitted.solution.offsets[c]),
             .positive_class = of_two_classes ? 1 : c,
             .negative_class = of_two_classes ? 0 : -1,
             .may_be_constant = data.label_sets.has_value()});
    }
    if (scalar) functions = functions_of_numbers(functions.front(), data.label_count());
    for (const ExpansionFunction& function : functions) {
        Report report;
        report.add("positive", data.label_name(function.positive_class));
        report.add("negative", of_two_classes ? data.label_name(0) : std::string("rest"));
        report.add("offset", function.offset);
        reports.push_back(std::move(report));
    }
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor = make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                                              problem.parameters[parameter::neighbours], problem.control);
    trained.rule = data.label_sets  ? DecisionRule::labels
                   : of_two_classes ? DecisionRule::binary
                                    : DecisionRule::largest;
    report_ridge_fit(trained.report, fitted, data, columns, kind);
    trained.report.add("functions", std::move(reports));
    return trained;
}

}  // namespace dk

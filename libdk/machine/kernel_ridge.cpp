// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "machine/single_function.hpp"
#include "solve/ridge.hpp"

namespace dk {

namespace {

/// 2^-10, 2^-8, ..., 2^20, as in Huang, Zhou, Ding, Zhang (2012).
std::vector<double> costs_to_choose_from() {
    std::vector<double> costs;
    for (int power = -10; power <= 20; power += 2) costs.push_back(std::ldexp(1.0, power));
    return costs;
}

/// How many rows are told wrongly by the others, and by how much, of which the first counts for classes.
struct LeftOutError {
    double wrong = 0;
    double squares = 0;

    bool operator<(const LeftOutError& other) const {
        return wrong != other.wrong ? wrong < other.wrong : squares < other.squares;
    }
};

/// Targets of one column are signs or numbers; of more, one column a class with 1 for the row's own.
LeftOutError left_out_error(const RidgeProgram& program, const RidgeSolution& solution, bool classes) {
    LeftOutError error;
    const auto columns = unsigned_of(program.columns);
    for (std::size_t i = 0; i < solution.left_out.size(); i += columns) {
        const auto found = std::span(solution.left_out).subspan(i, columns);
        const auto target = program.targets.subspan(i, columns);
        for (std::size_t c = 0; c < columns; ++c)
            error.squares += (found[c] - target[c]) * (found[c] - target[c]);
        if (!classes) continue;
        const bool right =
            columns == 1 ? (found[0] > 0) == (target[0] > 0) : first_largest(found) == first_largest(target);
        error.wrong += right ? 0 : 1;
    }
    return error;
}

struct Fit {
    RidgeSolution solution;
    double cost = 0;
};

/// The cost with the least leave-one-out error, the smallest of equal ones: all from one eigendecomposition.
Fit best_fit(const RidgeProgram& program, const double* gram, bool classes, Control& control) {
    const std::vector<double> costs = costs_to_choose_from();
    std::vector<double> ridges(costs.size());
    std::ranges::transform(costs, ridges.begin(), [](double cost) { return 1 / cost; });
    Fit best;
    LeftOutError least;
    std::size_t next = 0;
    ridges_by_eigenvalues(gram, program, ridges, control, [&](RidgeSolution solution) {
        const LeftOutError error = left_out_error(program, solution, classes);
        if (next == 0 || error < least) {
            least = error;
            best = {std::move(solution), costs[next]};
        }
        ++next;
    });
    return best;
}

Fit fit(const TrainingProblem& problem, const std::vector<double>& targets, Index columns, bool classes) {
    const Parameters& parameters = problem.parameters;
    const bool select = parameters.flag("select_C");
    const double cost = parameters.real("C");
    const RidgeProgram program{.targets = targets,
                               .columns = columns,
                               .ridge = 1 / cost,
                               .offset = parameters.flag("offset"),
                               .leave_one_out = select || parameters.flag("leave_one_out")};
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    const FeatureRows features = gram->features();
    // with as many features as rows the matrix itself is less work
    if (!select && features.dimension > 0 && features.dimension < features.rows)
        return {ridge_by_features(features, program, problem.control), cost};
    const double* matrix = gram->whole(2, problem.control);
    if (select) return best_fit(program, matrix, classes, problem.control);
    return {ridge_by_cholesky(matrix, program, problem.control), cost};
}

void refuse_sample_weights(const TrainingProblem& problem, const char* machine) {
    if (!problem.data.sample_weights.empty())
        fail(Status::unsupported, "machine ", machine, " does not use sample weights; remove them");
}

void report_fit(Report& report, const Fit& fitted, const std::vector<double>& targets, Index columns,
                bool classes) {
    report.add("C", fitted.cost).add("ridge", fitted.solution.ridge);
    if (fitted.solution.left_out.empty()) return;
    const RidgeProgram program{.targets = targets, .columns = columns};
    const LeftOutError error = left_out_error(program, fitted.solution, classes);
    const auto rows = static_cast<double>(program.rows());
    if (classes) report.add("leave_one_out_accuracy", 1 - error.wrong / rows);
    report.add("leave_one_out_rmse", std::sqrt(error.squares / static_cast<double>(targets.size())));
}

std::vector<double> column_of(const RidgeSolution& solution, Index columns, Index column) {
    std::vector<double> values;
    for (auto i = unsigned_of(column); i < solution.coefficients.size(); i += unsigned_of(columns))
        values.push_back(solution.coefficients[i]);
    return values;
}

/// One function for two classes (1 for the second), else one a class: 1 for its rows and -1 for all others.
std::vector<double> class_targets(const Labels& labels, Index columns) {
    std::vector<double> targets;
    for (const Index own : labels.of_rows) {
        for (Index c = 0; c < columns; ++c) targets.push_back((columns == 1 ? own == 1 : own == c) ? 1 : -1);
    }
    return targets;
}

/// A = (K + I / C)^-1 Y (Huang, Zhou, Ding, Zhang 2012, equation 32; Afzal 2018, equation 5.10).
TrainedMachine train_kelm(const TrainingProblem& problem) {
    refuse_sample_weights(problem, "kelm");
    const Labels& labels = *problem.data.labels;
    const Index columns = labels.classes() == 2 ? 1 : labels.classes();
    const auto targets = class_targets(labels, columns);
    Fit fitted;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        fitted = fit(problem, targets, columns, true);
    }
    std::vector<Index> all_rows(unsigned_of(problem.data.rows()));
    std::iota(all_rows.begin(), all_rows.end(), Index{0});
    std::vector<ExpansionFunction> functions;
    std::vector<Report> reports;
    for (Index c = 0; c < columns; ++c) {
        const double offset = fitted.solution.offsets[unsigned_of(c)];
        functions.push_back({.rows = all_rows,
                             .gamma = column_of(fitted.solution, columns, c),
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
    trained.predictor =
        make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                              static_cast<Index>(problem.parameters.integer("neighbours")), problem.control);
    trained.rule = columns == 1 ? DecisionRule::binary : DecisionRule::largest;
    report_fit(trained.report, fitted, targets, columns, true);
    trained.report.add("functions", std::move(reports));
    return trained;
}

TrainedMachine train_kernel_ridge(const TrainingProblem& problem) {
    refuse_sample_weights(problem, "kernel_ridge");
    const std::vector<double>& targets = problem.data.targets;
    Fit fitted;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        fitted = fit(problem, targets, 1, false);
    }
    Report report;
    report_fit(report, fitted, targets, 1, false);
    return single_function(problem, std::move(fitted.solution.coefficients), fitted.solution.offsets.front(),
                           std::move(report), DecisionRule::regression);
}

std::vector<ParameterSpec> ridge_parameters() {
    return {positive_parameter("C", 1,
                               "cost of squared errors: 1 / C is added to the diagonal of the kernel matrix"),
            flag_parameter(
                "select_C", false,
                "whether to take of 2^-10, 2^-8, ..., 2^20 the C with the least leave-one-out error instead"),
            flag_parameter("offset", false,
                           "whether functions have an offset: a least squares support vector machine"),
            flag_parameter("leave_one_out", false, "whether to report the exact leave-one-out error")};
}

}  // namespace

Machine kelm_machine() {
    return {
        .name = "kelm",
        .doc = "kernel extreme learning machine: ridge regression to the classes; deep with kernel arccos",
        .reference =
            "Huang, Zhou, Ding, Zhang, Extreme learning machine for regression and multiclass "
            "classification, "
            "IEEE Transactions SMC B 42, 2012; Afzal, Deep learning in kernel machines, 2018",
        .task = Task::classification,
        .parameters = ridge_parameters(),
        .train = train_kelm};
}

Machine kernel_ridge_machine() {
    return {.name = "kernel_ridge",
            .doc = "kernel ridge regression: squared errors",
            .reference =
                "Saunders, Gammerman, Vovk, Ridge regression learning algorithm in dual variables, ICML 1998",
            .task = Task::regression,
            .parameters = ridge_parameters(),
            .train = train_kernel_ridge};
}

}  // namespace dk

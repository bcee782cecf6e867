// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "kernel/landmarks.hpp"
#include "kernel/low_rank.hpp"
#include "machine/single_function.hpp"
#include "solve/falkon.hpp"
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
    RidgeSolution solution = {};
    double cost = 0;
    std::vector<Index> rows = {};  // that coefficients are of
    int iterations = 0;            // of conjugate gradients
    bool converged = true;
};

std::vector<Index> all_rows(Index count) {
    std::vector<Index> rows(unsigned_of(count));
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

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
            best.solution = std::move(solution);
            best.cost = costs[next];
        }
        ++next;
    });
    return best;
}

/// From so many rows on the kernel matrix is not even tried.
constexpr Index most_exact_rows = 30000;

/// Whether coefficients are found for landmarks only.
bool uses_landmarks(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    const std::string& solver = parameters.text("solver");
    const bool needs_all =
        parameters.flag("select_C") || parameters.flag("offset") || parameters.flag("leave_one_out");
    if (solver == "falkon" && needs_all)
        fail(Status::unsupported,
             "solver=falkon has no offset, no leave_one_out and no select_C; use solver=exact or "
             "kernel=lowrank(...)");
    if (solver == "falkon" && problem.kernel->knows_rows())
        fail(Status::unsupported, "solver=falkon needs similarities of landmarks to all rows, and kernel ",
             problem.kernel->text(), " tells rows from their copies; use solver=exact or another spectrum");
    if (solver == "falkon") return true;
    return solver == "auto" && problem.data.rows() >= most_exact_rows && !needs_all &&
           !problem.kernel->factored() && !problem.kernel->knows_rows();
}

/// A for landmarks alone, without any matrix of all rows (Rudi, Carratino, Rosasco, FALKON, NIPS 2017).
Fit fit_landmarks(const TrainingProblem& problem, const std::vector<double>& targets, Index columns) {
    const Parameters& parameters = problem.parameters;
    const Index n = problem.data.rows();
    const Index m = std::min(n, static_cast<Index>(parameters.integer("landmarks")));
    problem.budget.require(8.0 * (4.0 * static_cast<double>(m) * static_cast<double>(m) +
                                  2.0 * static_cast<double>(n) * static_cast<double>(columns)),
                           text(m, " landmarks of ", n, " rows"));
    Fit fitted{.cost = parameters.real("C"),
               .rows = uniform_landmarks(n, m, static_cast<std::uint64_t>(parameters.integer("seed")))};
    const Dataset landmarks = problem.data.select(fitted.rows);
    const GramEngine<double> forward(problem.kernel, problem.data, landmarks, &problem.control, fitted.rows);
    const GramEngine<double> backward(problem.kernel, landmarks, problem.data, &problem.control);
    LargeArray<double> gram(m * m);
    GramEngine<double>(problem.kernel, landmarks, landmarks, &problem.control)
        .matrices(gram.data(), problem.control);
    const LandmarkRidge program{
        .rows = n,
        .landmarks = m,
        .columns = columns,
        .targets = targets,
        .landmark_gram = gram.data(),
        .ridge = 1 / fitted.cost,
        .product = [&](const double* v, double* out) { forward.product(v, columns, out, problem.control); },
        .transposed_product = [&](const double* v,
                                  double* out) { backward.product(v, columns, out, problem.control); },
        .tolerance = parameters.real("tolerance"),
        .most_iterations = static_cast<int>(parameters.integer("max_iterations"))};
    LandmarkRidgeSolution solved = solve_landmark_ridge(program, problem.control);
    fitted.solution = {.coefficients = std::move(solved.coefficients),
                       .offsets = std::vector<double>(unsigned_of(columns)),
                       .left_out = {},
                       .ridge = program.ridge};
    fitted.iterations = solved.iterations;
    fitted.converged = solved.converged;
    return fitted;
}

Fit fit(const TrainingProblem& problem, const std::vector<double>& targets, Index columns, bool classes) {
    if (uses_landmarks(problem)) return fit_landmarks(problem, targets, columns);
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
    Fit fitted{.cost = cost, .rows = all_rows(problem.data.rows())};
    const FeatureRows features = gram->features();
    // with as many features as rows the matrix itself is less work
    const bool fewer = features.dimension > 0 && features.dimension < features.rows;
    if (!select && fewer && !features.sparse()) {
        fitted.solution = ridge_by_features(features, program, problem.control);
        return fitted;
    }
    const double* matrix = gram->whole(2, problem.control);
    if (!select) {
        fitted.solution = ridge_by_cholesky(matrix, program, problem.control);
        return fitted;
    }
    Fit best = best_fit(program, matrix, classes, problem.control);
    best.rows = std::move(fitted.rows);
    return best;
}

void refuse_sample_weights(const TrainingProblem& problem, const char* machine) {
    if (!problem.data.sample_weights.empty())
        fail(Status::unsupported, "machine ", machine, " does not use sample weights; remove them");
}

void report_fit(Report& report, const Fit& fitted, const std::vector<double>& targets, Index columns,
                bool classes) {
    report.add("C", fitted.cost).add("ridge", fitted.solution.ridge);
    if (fitted.iterations > 0) {
        report.add("landmarks", static_cast<std::int64_t>(fitted.rows.size()))
            .add("iterations", static_cast<std::int64_t>(fitted.iterations))
            .add("converged", fitted.converged);
    }
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
    std::vector<ExpansionFunction> functions;
    std::vector<Report> reports;
    for (Index c = 0; c < columns; ++c) {
        const double offset = fitted.solution.offsets[unsigned_of(c)];
        functions.push_back({.rows = fitted.rows,
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
    std::vector<double> gamma(unsigned_of(problem.data.rows()));
    for (std::size_t r = 0; r < fitted.rows.size(); ++r)
        gamma[unsigned_of(fitted.rows[r])] = fitted.solution.coefficients[r];
    return single_function(problem, std::move(gamma), fitted.solution.offsets.front(), std::move(report),
                           DecisionRule::regression);
}

std::vector<ParameterSpec> ridge_parameters() {
    return {positive_parameter("C", 1,
                               "cost of squared errors: 1 / C is added to the diagonal of the kernel matrix"),
            flag_parameter(
                "select_C", false,
                "whether to take of 2^-10, 2^-8, ..., 2^20 the C with the least leave-one-out error instead"),
            flag_parameter("offset", false,
                           "whether functions have an offset: a least squares support vector machine"),
            flag_parameter("leave_one_out", false, "whether to report the exact leave-one-out error"),
            choice_parameter("solver", {"auto", "exact", "falkon"},
                             "exact: Cholesky, or in closed form for kernels that have factors; falkon: "
                             "coefficients of landmarks only; auto is falkon from 30000 rows on"),
            integer_parameter("landmarks", 2000, 1, 100000, "rows that have coefficients with falkon"),
            positive_parameter("tolerance", 1e-7, "relative residual to stop at with falkon"),
            integer_parameter("max_iterations", 50, 1, 1000000, "limit of steps with falkon")};
}

/// The same on random features of the kernel.
TrainedMachine train_elm(const TrainingProblem& problem) {
    Parameters features("lowrank", low_rank_parameters());
    features.set("rank", problem.parameters.text("hidden"));
    features.set("method", "random");
    features.set("seed", problem.parameters.text("seed"));
    const KernelPointer kernel = low_rank(problem.kernel, features, problem.data, problem.control);
    std::vector<ParameterSpec> specs = ridge_parameters();
    for (const char* key : {"neighbours", "seed"}) specs.push_back(problem.parameters.spec(key));
    Parameters parameters("machine kelm", std::move(specs));
    for (const char* key : {"C", "leave_one_out", "neighbours", "seed"})
        parameters.set(key, problem.parameters.text(key));
    return train_kelm(
        {problem.data, kernel, problem.bank, parameters, problem.precision, problem.budget, problem.control});
}

}  // namespace

Machine elm_machine() {
    return {
        .name = "elm",
        .doc = "extreme learning machine: ridge regression to the classes on random features of the kernel",
        .reference =
            "Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006; Rahimi, Recht, "
            "Random features for large-scale kernel machines, NIPS 2007",
        .task = Task::classification,
        .parameters = {positive_parameter("C", 1, "cost of squared errors"),
                       integer_parameter("hidden", 1000, 1, 1000000, "random features"),
                       flag_parameter("leave_one_out", false,
                                      "whether to report the exact leave-one-out error")},
        .train = train_elm};
}

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

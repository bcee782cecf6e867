// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "data/split.hpp"
#include "machine/distillation.hpp"
#include "machine/single_function.hpp"
#include "model/free_expansion.hpp"

namespace dk {

namespace {

constexpr const char* reference =
    "Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016";

/// Vectors may be sparse; prototypes are not.
Dataset dense_rows(const Dataset& data, Control& control) {
    if (data.kind() != DataKind::sparse) return data;
    const SparseMatrix& matrix = data.sparse();
    control.memory().require(
        8.0 * static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols),
        text(matrix.rows, " sparse rows with all their zeros, which free prototypes need"));
    DenseMatrix out{matrix.rows, matrix.cols};
    out.values.resize(unsigned_of(matrix.rows * matrix.cols));
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index e = matrix.row_offsets[unsigned_of(i)]; e < matrix.row_offsets[unsigned_of(i + 1)]; ++e)
            out.values[unsigned_of(i * matrix.cols + matrix.columns[unsigned_of(e)])] =
                matrix.values[unsigned_of(e)];
    }
    return data.with_features(std::move(out));
}

Dataset as_sparse(const Dataset& points) {
    const DenseMatrix& matrix = points.dense();
    SparseMatrix out{matrix.rows, matrix.cols};
    out.values = matrix.values;
    for (Index i = 0; i <= matrix.rows; ++i) out.row_offsets.push_back(i * matrix.cols);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index j = 0; j < matrix.cols; ++j) out.columns.push_back(j);
    }
    return Dataset(std::move(out));
}

/// Rows as prototypes are learned from them. Kernels that learned from sparse rows compare sparse ones only,
/// so that prototypes then stay rows.
Dataset learning_rows(const KernelPointer& kernel, const Dataset& data, Control& control) {
    std::vector<const KernelState*> states;
    kernel->collect_states(states);
    return states.empty() ? dense_rows(data, control) : data;
}

SuperSparseTargets rows_of(const SuperSparseTargets& targets, const std::vector<Index>& rows) {
    SuperSparseTargets out{.values = {}, .functions = targets.functions, .row_weights = {}};
    double sum = 0;
    for (const Index i : rows) {
        const auto first = targets.values.begin() + i * targets.functions;
        out.values.insert(out.values.end(), first, first + targets.functions);
        out.row_weights.push_back(targets.row_weights[unsigned_of(i)]);
        sum += out.row_weights.back();
    }
    for (double& u : out.row_weights) u /= std::max(sum, 1e-300);
    return out;
}

/// The prototypes with the largest weights.
Dataset heaviest(const SuperSparseSolution& solution, Index count, Index functions) {
    std::vector<double> sizes;
    for (Index j = 0; j < solution.points.rows(); ++j) {
        double squares = 0;
        for (Index c = 0; c < functions; ++c) {
            const double w = solution.weights[unsigned_of(j * functions + c)];
            squares += w * w;
        }
        sizes.push_back(squares);
    }
    std::vector<Index> order(sizes.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return sizes[unsigned_of(j)]; });
    order.resize(unsigned_of(count));
    std::ranges::sort(order);
    return solution.points.select(order);
}

/// The number of prototypes whose error on held-out rows, with a price rho for each, is least: per fold the
/// largest number is learned, then the lightest prototypes are dropped and the others learn on.
struct Choice {
    Index prototypes = 0;
    std::vector<double> numbers = {};
    std::vector<double> errors = {};
};

Choice choose_prototypes(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                         const SuperSparseOptions& options, double rho, Control& control) {
    constexpr Index folds = 3;
    if (data.rows() < 2 * folds)
        fail(Status::invalid_data, "choose_prototypes needs ", 2 * folds, " rows; there are ", data.rows());
    Choice choice;
    std::vector<Index> numbers;
    for (Index m = options.prototypes; m >= 1; m = std::min(m - 1, m * 3 / 4)) numbers.push_back(m);
    choice.errors.assign(numbers.size(), 0.0);
    const auto fold_of = stratified_folds(data, std::min(folds, data.rows()), options.seed);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, static_cast<double>(fold) / folds,
                                  static_cast<double>(fold + 1) / folds, "number of prototypes");
        const auto training = rows_of_fold(fold_of, fold, false);
        const auto held_out = rows_of_fold(fold_of, fold, true);
        if (held_out.empty()) continue;
        const Dataset rows = data.select(training);
        const Dataset others = data.select(held_out);
        const SuperSparseTargets known = rows_of(targets, training);
        const SuperSparseTargets judged = rows_of(targets, held_out);
        SuperSparseSolution solution = fit_super_sparse(kernel, rows, known, options, control);
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (numbers[k] < solution.points.rows()) {
                const Dataset start = heaviest(solution, numbers[k], targets.functions);
                solution = fit_super_sparse(kernel, rows, known, options, control, &start);
            }
            choice.errors[k] += super_sparse_error(kernel, others, judged, solution, control) / folds;
        }
    }
    const double price = rho > 0 ? rho : 0.01 * choice.errors.front();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        choice.numbers.push_back(static_cast<double>(numbers[k]));
        const double cost = choice.errors[k] + price * choice.numbers[k];
        if (cost < least) {
            least = cost;
            choice.prototypes = numbers[k];
        }
    }
    return choice;
}

std::vector<double> shares(std::vector<double> weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= sum;
    return weights;
}

/// Sample weights, and each class as heavy as any other where they are to be balanced.
std::vector<double> classifier_weights(const Dataset& data, bool balanced) {
    std::vector<double> weights = row_weights(data);
    if (!balanced) return shares(std::move(weights));
    const Labels& labels = *data.labels;
    std::vector<double> sums(unsigned_of(labels.classes()));
    for (std::size_t i = 0; i < weights.size(); ++i) sums[unsigned_of(labels.of_rows[i])] += weights[i];
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] /= sums[unsigned_of(labels.of_rows[i])];
    return shares(std::move(weights));
}

/// The decisions of support vector machines, of each class against the rest.
std::vector<double> teacher_targets(const TrainingProblem& problem, const Dataset& rows) {
    const Machine teacher = svm_machine();
    std::vector<ParameterSpec> specs = teacher.parameters;
    specs.push_back(problem.parameters.spec("neighbours"));
    Parameters parameters("machine svm", std::move(specs));
    parameters.set("C", problem.parameters.text("C"));
    parameters.set("multiclass", "ovr");
    parameters.set("neighbours", "0");
    const ProgressScope scope(problem.control, 0, 0.3, "teacher");
    const TrainedMachine trained = teacher.train({problem.data, problem.kernel, problem.bank, parameters,
                                                  problem.precision, problem.budget, problem.control});
    std::vector<double> targets;
    trained.predictor->decide(
        rows, [&](std::span<const double> some) { targets.insert(targets.end(), some.begin(), some.end()); },
        problem.control);
    return targets;
}

SuperSparseOptions options_of(const TrainingProblem& problem) {
    SuperSparseOptions options = super_sparse_options(problem.parameters);
    options.seed = static_cast<std::uint64_t>(problem.parameters.integer("seed"));
    return options;
}

/// `data`: the rows that have these targets.
TrainedMachine learn(const TrainingProblem& problem, const Dataset& data, const SuperSparseTargets& targets,
                     DecisionRule rule) {
    const Parameters& parameters = problem.parameters;
    SuperSparseOptions options = options_of(problem);
    const Dataset rows = learning_rows(problem.kernel, data, problem.control);
    TrainedMachine trained;
    if (parameters.flag("choose_prototypes")) {
        const ProgressScope scope(problem.control, 0.3, 0.7);
        const Choice choice = choose_prototypes(problem.kernel, rows, targets, options,
                                                parameters.real("rho"), problem.control);
        options.prototypes = choice.prototypes;
        trained.report.add("numbers_tried", choice.numbers).add("errors_held_out", choice.errors);
    }
    SuperSparseSolution solution{.points = Dataset(DenseMatrix())};
    {
        const ProgressScope scope(problem.control, 0.7, 0.95, "prototypes");
        solution = fit_super_sparse(problem.kernel, rows, targets, options, problem.control);
    }
    report_super_sparse(trained.report, solution);
    const auto sides = rule == DecisionRule::regression
                           ? std::vector<FunctionSides>{}
                           : function_sides(rule, problem.data.labels->classes());
    trained.predictor =
        super_sparse_predictor(std::move(solution), problem.kernel, problem.data, sides, problem.precision,
                               static_cast<Index>(parameters.integer("neighbours")), problem.control);
    trained.rule = rule;
    return trained;
}

TrainedMachine train_classifier(const TrainingProblem& problem) {
    const bool taught = problem.parameters.text("target") == "svm";
    const SuperSparseOptions options = options_of(problem);
    const Index copies = taught ? perturbed_copy_count(problem.data, options) : 0;
    std::optional<Dataset> joined;
    if (copies > 0) joined = with_perturbed_copies(problem.data, copies, options.seed, problem.control);
    const Dataset& data = joined ? *joined : problem.data;
    const Labels& labels = *data.labels;
    const Index functions = labels.classes() == 2 ? 1 : labels.classes();
    SuperSparseTargets targets{
        .values = taught ? teacher_targets(problem, data) : class_targets(labels, functions),
        .functions = functions,
        .row_weights = classifier_weights(data, problem.parameters.flag("balanced"))};
    const DecisionRule rule = functions == 1 ? DecisionRule::binary : DecisionRule::largest;
    if (taught) focus_on_boundary(targets, rule, options.focus);
    return learn(problem, data, targets, rule);
}

TrainedMachine train_regression(const TrainingProblem& problem) {
    const SuperSparseTargets targets{
        .values = problem.data.targets, .functions = 1, .row_weights = shares(row_weights(problem.data))};
    return learn(problem, problem.data, targets, DecisionRule::regression);
}

}  // namespace

std::vector<ParameterSpec> super_sparse_parameters() {
    return {
        integer_parameter("prototypes", 10, 1, 100000, "number of prototypes, or the largest number tried"),
        flag_parameter(
            "choose_prototypes", false,
            "whether the number of prototypes is chosen by cross-validation, from the largest down"),
        real_parameter("rho", 0, 0, 1e300,
                       "price of a prototype in that choice; 0 is a hundredth of the error with most"),
        choice_parameter("penalty", {"ridge", "lasso"},
                         "of the prototypes' weights: squares or absolute values"),
        real_parameter("lambda", 1e-5, 0, 1e300, "weight of the penalty, beside the mean squared error"),
        flag_parameter("move", true, "whether prototypes leave the training rows they start at"),
        integer_parameter("copies", -1, -1, 1000,
                          "copies of every row, moved by noise, at which the model that is learned from is "
                          "asked too; -1 is as many as the prototypes' coordinates need, 0 to 20"),
        real_parameter(
            "focus", 1, 0, 1000,
            "how much more rows near that model's boundaries weigh: exp(-focus margin / mean margin)"),
        flag_parameter("repulsion", false, "whether the first steps keep prototypes apart, less each step"),
        positive_parameter("tolerance", 1e-5, "relative fall of the objective to stop at, twice in turn"),
        integer_parameter("max_iterations", 100, 0, 1e9, "limit of steps of the prototypes")};
}

SuperSparseOptions super_sparse_options(const Parameters& parameters) {
    return {.prototypes = static_cast<Index>(parameters.integer("prototypes")),
            .lambda = parameters.real("lambda"),
            .lasso = parameters.text("penalty") == "lasso",
            .repulsion = parameters.flag("repulsion"),
            .moves = parameters.flag("move"),
            .copies = static_cast<Index>(parameters.integer("copies")),
            .focus = parameters.real("focus"),
            .tolerance = parameters.real("tolerance"),
            .most_iterations = parameters.integer("max_iterations"),
            .seed = 1};
}

void report_super_sparse(Report& report, const SuperSparseSolution& solution) {
    report.add("prototypes", static_cast<std::int64_t>(solution.points.rows()))
        .add("objective", solution.objectives.back())
        .add("iterations", solution.iterations)
        .add("converged", solution.converged)
        .add("objectives", solution.objectives);
}

std::unique_ptr<Predictor> super_sparse_predictor(SuperSparseSolution solution, const KernelPointer& kernel,
                                                  const Dataset& data, std::span<const FunctionSides> sides,
                                                  Precision precision, Index neighbours, Control& control) {
    FreeExpansion::Parts parts{.kernel = kernel, .precision = precision, .points = Dataset(DenseMatrix())};
    const bool to_sparse = data.kind() == DataKind::sparse && solution.points.kind() == DataKind::dense;
    parts.points = to_sparse ? as_sparse(solution.points) : std::move(solution.points);
    parts.training_ids = std::move(solution.training_ids);
    parts.training_rows = data.rows();
    parts.weights = std::move(solution.weights);
    parts.offsets = std::move(solution.offsets);
    return make_free_expansion(std::move(parts), data, sides, neighbours, control);
}

SuperSparseSolution fit_super_sparse_rows(const KernelPointer& kernel, const Dataset& data,
                                          const SuperSparseTargets& targets,
                                          const SuperSparseOptions& options, Control& control) {
    return fit_super_sparse(kernel, learning_rows(kernel, data, control), targets, options, control);
}

Machine super_sparse_machine() {
    std::vector<ParameterSpec> parameters = super_sparse_parameters();
    parameters.push_back(choice_parameter("target", {"svm", "labels"},
                                          "what is learned: the decisions of support vector machines, or the "
                                          "classes themselves"));
    parameters.push_back(positive_parameter("C", 1, "cost of slack of these support vector machines"));
    parameters.push_back(flag_parameter("balanced", false, "whether every class weighs the same"));
    return {.name = "super_sparse",
            .doc = "super-sparse machine: a few prototypes that are free vectors, shared by all classes",
            .reference = reference,
            .task = Task::classification,
            .parameters = std::move(parameters),
            .train = train_classifier};
}

Machine super_sparse_regression_machine() {
    return {.name = "super_sparse_regression",
            .doc = "super-sparse ridge or lasso regression: a few prototypes that are free vectors",
            .reference = reference,
            .task = Task::regression,
            .parameters = super_sparse_parameters(),
            .train = train_regression};
}

}  // namespace dk

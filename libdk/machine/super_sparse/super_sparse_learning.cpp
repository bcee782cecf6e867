// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/super_sparse_learning.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "machine/super_sparse/prototype_choice.hpp"
#include "model/free_expansion.hpp"

namespace dk {

namespace {

enum class Penalty { ridge, lasso };

}  // namespace

namespace parameter {
constexpr IntegerKey prototypes{
    "prototypes", 10, {1, 100000}, "This is the number of prototypes, or the largest number that is tried."};
constexpr FlagKey choose_prototypes{
    "choose_prototypes", false,
    "With yes, cross-validation chooses the number of prototypes, from the largest down."};
constexpr RealKey rho{
    "rho",
    0,
    {0, 1e300},
    "Each prototype costs so much in that choice; 0 stands for a hundredth of the error with the largest "
    "number of prototypes."};
constexpr ChoiceKey<Penalty> penalty{"penalty",
                                     {"ridge", "lasso"},
                                     "The penalty sums the squares of the prototypes' weights (ridge) or "
                                     "their absolute values (lasso)."};
constexpr RealKey lambda{
    "lambda", 1e-5, {0, 1e300}, "The penalty counts so many times beside the mean squared error."};
constexpr FlagKey move{"move", true, "With yes, prototypes leave the training rows at which they start."};
constexpr IntegerKey copies{"copies",
                            -1,
                            {-1, 1000},
                            "The model that is learned from is asked about so many copies of every row too, "
                            "which noise has moved; -1 stands for as many as the prototypes' coordinates "
                            "need, from 0 to 20."};
constexpr RealKey focus{
    "focus",
    1,
    {0, 1000},
    "A larger focus makes rows near that model's boundaries weigh more: the weight of each is multiplied by "
    "exp(-focus margin / root mean square of the margins)."};
constexpr FlagKey repulsion{
    "repulsion", false,
    "With yes, the first steps push prototypes apart, each step less than the one before."};
constexpr RealKey tolerance{"tolerance", 1e-5, Range::positive(),
                            "Learning stops when the objective falls by less than this share twice in turn."};
constexpr IntegerKey max_iterations{
    "max_iterations", 100, {0, 1e9}, "Prototypes take at most so many steps."};
}  // namespace parameter

namespace {

/// Makes sparse rows dense, because prototypes that move are dense.
Dataset dense_rows(const Dataset& data, Control& control) {
    if (data.kind() != DataKind::sparse) return data;
    const SparseMatrix& matrix = data.sparse();
    constexpr double copies =
        7;  // Rows and prototypes are shifted and packed for products, and have gradients.
    control.memory().require(
        8.0 * copies * matrix.rows * matrix.cols,
        text(matrix.rows, " sparse rows with all their zeros, which free prototypes need"));
    DenseMatrix out{matrix.rows, matrix.cols};
    out.values.resize(matrix.rows * matrix.cols);
    MatrixView values = view(out.values.data(), matrix.rows, matrix.cols);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e)
            values(i, matrix.columns[e]) = matrix.values[e];
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

}  // namespace

Dataset learning_rows(const KernelPointer& kernel, const Dataset& data, Control& control) {
    std::vector<const KernelState*> states;
    kernel->collect_states(states);
    return states.empty() ? dense_rows(data, control) : data;
}

std::vector<double> shares(std::vector<double> weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= sum;
    return weights;
}

SuperSparseOptions super_sparse_options(const TrainingProblem& problem) {
    SuperSparseOptions options = super_sparse_options(problem.parameters);
    options.seed = problem.parameters[parameter::seed];
    return options;
}

TrainedMachine learn_super_sparse(const TrainingProblem& problem, const Dataset& data,
                                  const SuperSparseTargets& targets, DecisionRule rule) {
    const Parameters& parameters = problem.parameters;
    SuperSparseOptions options = super_sparse_options(problem);
    const Dataset rows = learning_rows(problem.kernel, data, problem.control);
    TrainedMachine trained;
    if (parameters[parameter::choose_prototypes]) {
        const ProgressScope scope(problem.control, 0.3, 0.7);
        const PrototypeChoice choice = choose_prototypes(problem.kernel, rows, targets, options,
                                                         parameters[parameter::rho], problem.control);
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
                               parameters[parameter::neighbours], problem.control);
    trained.rule = rule;
    return trained;
}

std::vector<ParameterSpec> super_sparse_parameters() {
    return {parameter::prototypes,    parameter::choose_prototypes,
            parameter::rho,           parameter::penalty,
            parameter::lambda,        parameter::move,
            parameter::copies,        parameter::focus,
            parameter::repulsion,     parameter::tolerance,
            parameter::max_iterations};
}

SuperSparseOptions super_sparse_options(const Parameters& parameters) {
    return {.prototypes = parameters[parameter::prototypes],
            .lambda = parameters[parameter::lambda],
            .lasso = parameters[parameter::penalty] == Penalty::lasso,
            .repulsion = parameters[parameter::repulsion],
            .moves = parameters[parameter::move],
            .copies = parameters[parameter::copies],
            .focus = parameters[parameter::focus],
            .tolerance = parameters[parameter::tolerance],
            .most_iterations = parameters[parameter::max_iterations],
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
    FreeExpansion::PrototypeFunctions learned{
        .kernel = kernel, .precision = precision, .points = Dataset(DenseMatrix())};
    const bool to_sparse = data.kind() == DataKind::sparse && solution.points.kind() == DataKind::dense;
    learned.points = to_sparse ? as_sparse(solution.points) : std::move(solution.points);
    learned.training_ids = std::move(solution.training_ids);
    learned.training_rows = data.rows();
    learned.weights = std::move(solution.weights);
    learned.offsets = std::move(solution.offsets);
    return make_free_expansion(std::move(learned), data, sides, neighbours, control);
}

SuperSparseSolution fit_super_sparse_rows(const KernelPointer& kernel, const Dataset& data,
                                          const SuperSparseTargets& targets,
                                          const SuperSparseOptions& options, Control& control) {
    return fit_super_sparse(kernel, learning_rows(kernel, data, control), targets, options, control);
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/super_sparse_learning.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "machine/super_sparse/prototype_choice.hpp"
#include "model/free_expansion.hpp"

namespace dk {

namespace {

enum class Penalty { l2, l1 };
enum class Preset { fast, paper };
enum class Start { automatic, pursuit, random };
enum class Steps { automatic, joint, single };
enum class Repulsion { automatic, yes, no };

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
                                     {"l2", "l1"},
                                     "The penalty sums the squares of the prototypes' weights (l2), as the "
                                     "paper does in each of its machines, or their absolute values (l1)."};
constexpr ChoiceKey<Preset> preset{
    "preset",
    {"fast", "paper"},
    "What is auto, or -1, among start, steps, repulsion, copies and focus is as libdk learns best (fast: "
    "pursuit, joint, no, as needed, 1) or as the paper says (paper: random, single, yes, 0, 0)."};
constexpr ChoiceKey<Start> start{"start",
                                 {"auto", "pursuit", "random"},
                                 "Prototypes start at rows that matching pursuit chooses (pursuit), or at "
                                 "random rows, as many of each class (random)."};
constexpr ChoiceKey<Steps> steps{
    "steps",
    {"auto", "joint", "single"},
    "All prototypes move at once by L-BFGS (joint), or one after the other along its gradient (single)."};
constexpr RealKey lambda{
    "lambda", 1e-5, {0, 1e300}, "The penalty counts so many times beside the mean squared error."};
constexpr FlagKey move{"move", true,
                       "With yes, prototypes leave the training rows at which they start: along gradients, "
                       "or by edits of strings and series; of graphs and similarities other rows take their "
                       "place."};
constexpr IntegerKey copies{"copies",
                            -1,
                            {-1, 1000},
                            "The model that is learned from is asked about so many copies of every row too, "
                            "which noise has moved; -1 stands for as many as the prototypes' coordinates "
                            "need, from 0 to 20."};
constexpr RealKey focus{
    "focus",
    -1,
    {-1, 1000},
    "A larger focus makes rows near that model's boundaries weigh more: the weight of each is multiplied by "
    "exp(-focus margin / root mean square of the margins). -1 stands for what the preset says."};
constexpr ChoiceKey<Repulsion> repulsion{
    "repulsion",
    {"auto", "yes", "no"},
    "With yes, steps push prototypes apart, each less than the one before; that needs a kernel with a "
    "gradient. With auto and preset=paper, it is done where it can be."};
constexpr ChoiceKey<PointGradient> gradient{
    "gradient",
    {"auto", "kernel", "directional", "scaled_difference", "central"},
    "Prototypes among dense rows move along the kernel's own gradient (kernel), along finite differences "
    "towards each row (directional) or in each column (central), or along s(x, z) (x - z), the paper's "
    "equation 7 (scaled_difference). auto is the kernel's where it has one, directional for kernel "
    "similarity and central for others."};
constexpr RealKey gradient_step{
    "gradient_step",
    0,
    {0, 0.5},
    "Finite differences are so long: of the way to the row (directional) or of the column's standard "
    "deviation (central). 0 stands for 1e-3 and 1e-5; similarities that change in steps need more."};
constexpr RealKey tolerance{"tolerance", 1e-5, Range::positive(),
                            "Learning stops when the objective falls by less than this share twice in turn."};
constexpr IntegerKey max_iterations{
    "max_iterations", 100, {0, 1e9}, "Prototypes take at most so many steps."};
}  // namespace parameter

namespace {

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
    constexpr double copies = 7;  // Rows and prototypes are shifted and packed, and have gradients.
    return states.empty() ? with_dense_rows(data, copies, control.memory()) : data;
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

TrainedMachine learn_super_sparse(const TrainingProblem& problem, const LessonMaker& lesson_of,
                                  DecisionRule rule) {
    const Parameters& parameters = problem.parameters;
    const SuperSparseOptions options = super_sparse_options(problem);
    std::vector<Index> numbers{options.prototypes};
    TrainedMachine trained;
    if (parameters[parameter::choose_prototypes]) {
        const ProgressScope scope(problem.control, 0, 0.6);
        const PrototypeChoice choice =
            choose_prototypes(problem, lesson_of, rule, options, parameters[parameter::rho]);
        numbers = choice.path();
        trained.report.add("numbers_tried", choice.numbers).add("errors_held_out", choice.errors);
    }
    SuperSparseSolution solution{.points = Dataset(DenseMatrix())};
    {
        const ProgressScope scope(problem.control, 0.6, 0.95, "prototypes");
        const SuperSparseLesson lesson = lesson_of(problem.data, problem.control);
        solution = fit_along(problem.kernel, learning_rows(problem.kernel, lesson.rows, problem.control),
                             lesson.targets, options, numbers, {}, problem.control);
    }
    report_super_sparse(trained.report, solution);
    trained.report.add("preset", parameters.text(parameter::preset.name));
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
    return {parameter::prototypes, parameter::choose_prototypes,
            parameter::rho,        parameter::penalty,
            parameter::lambda,     parameter::move,
            parameter::preset,     parameter::start,
            parameter::steps,      parameter::repulsion,
            parameter::gradient,   parameter::gradient_step,
            parameter::copies,     parameter::focus,
            parameter::tolerance,  parameter::max_iterations};
}

SuperSparseOptions super_sparse_options(const Parameters& parameters) {
    const bool paper = parameters[parameter::preset] == Preset::paper;
    const auto chosen = [&](auto value, auto automatic, auto fast, auto as_paper) {
        return value != automatic ? value : paper ? as_paper : fast;
    };
    const Start start = chosen(parameters[parameter::start], Start::automatic, Start::pursuit, Start::random);
    const Steps steps = chosen(parameters[parameter::steps], Steps::automatic, Steps::joint, Steps::single);
    const Repulsion asked = parameters[parameter::repulsion];
    const Repulsion repulsion = chosen(asked, Repulsion::automatic, Repulsion::no, Repulsion::yes);
    return {.prototypes = parameters[parameter::prototypes],
            .lambda = parameters[parameter::lambda],
            .lasso = parameters[parameter::penalty] == Penalty::l1,
            .repulsion = repulsion == Repulsion::yes,
            .repulsion_may_lack = asked == Repulsion::automatic,
            .random_start = start == Start::random,
            .joint = steps == Steps::joint,
            .moves = parameters[parameter::move],
            .gradient = parameters[parameter::gradient],
            .gradient_step = parameters[parameter::gradient_step],
            .copies = paper && parameters[parameter::copies] < 0 ? 0 : parameters[parameter::copies],
            .focus = chosen(parameters[parameter::focus], -1.0, 1.0, 0.0),
            .tolerance = parameters[parameter::tolerance],
            .most_iterations = parameters[parameter::max_iterations],
            .seed = 1};
}

void report_super_sparse(Report& report, const SuperSparseSolution& solution) {
    // Prototypes that are strings can't be had as coordinates.
    if (solution.points.kind() == DataKind::strings)
        report.add("prototype_texts", solution.points.strings().texts);
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

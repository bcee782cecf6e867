// SPDX-License-Identifier: Apache-2.0
#include "machine/class_dictionary/class_dictionary_machine.hpp"

#include <algorithm>

#include "kernel/algebra/algebra.hpp"
#include "machine/dictionary/dictionary_learning.hpp"
#include "model/dictionary/prototype_dictionary.hpp"

namespace dk {

namespace {

enum class Weighing { diverse, objective, uniform };

}  // namespace

namespace parameter {
constexpr ChoiceKey<Weighing> policy{
    "policy",
    {"diverse", "objective", "uniform"},
    "Kernels get the weights that the objective asks for with a penalty of alike kernels (diverse); without "
    "it (objective), which are often those of few kernels; or the same (uniform)."};
constexpr RealKey rho{"rho", 10, Range::positive(),
                      "With a larger rho the policy diverse keeps more kernels. It is a multiple of the "
                      "difference between the median and the least of the kernels' costs."};
constexpr RealKey kappa{
    "kappa", 1, {0, 1e6}, "With a larger kappa the policy diverse asks less how alike kernels are."};
constexpr RealKey tolerance{"tolerance", 1e-4, Range::positive(),
                            "Learning stops when the objective falls by less than this share twice in turn."};
}  // namespace parameter

namespace {

constexpr const char* iterations_name = "max_iterations";

IntegerKey iterations_key(std::int64_t iterations) {
    return {iterations_name, iterations, {1, 1e9}, "Learning stops after so many iterations."};
}

ClassDictionaryOptions learning_options(const Parameters& parameters, Index atoms) {
    const Weighing policy = parameters[parameter::policy];
    return {.atoms = atoms,
            .weighing = {.diverse = policy == Weighing::diverse,
                         .rho = parameters[parameter::rho],
                         .kappa = parameters[parameter::kappa]},
            .weighs = policy != Weighing::uniform,
            .iterations = parameters[iterations_key(1)],
            .tolerance = parameters[parameter::tolerance]};
}

/// Throws where there is no memory beside the matrices of kernels.
void require_learnable(const TrainingProblem& problem, Index atoms) {
    const double n = problem.data.rows();
    const double most = std::min(n, 1.0 * atoms * problem.data.labels->classes());
    problem.budget.require(8 * (6 * n * n + 8 * n * most), text("learning ", most, " atoms of ", n, " rows"));
}

/// Gives the columns of the dictionary, with rows in the data's own order: the atoms, and the analysis
/// vectors where there are some.
Matrix columns_of(const ClassDictionaryLearning& learning, const ClassOrder& ordered, bool analyses) {
    const Index atoms = learning.atom_count();
    Matrix columns = Matrix::Zero(ordered.rows(), analyses ? 2 * atoms : atoms);
    Index first = 0;
    for (const ClassAtoms& q : learning.classes()) {
        for (Index i = 0; i < q.own.size; ++i)
            columns.row(ordered.order[q.own.begin + i]).segment(first, q.count()) = q.atoms.row(i);
        if (analyses) {
            for (Index i = 0; i < ordered.rows(); ++i)
                columns.row(ordered.order[i]).segment(atoms + first, q.count()) = q.analysis.row(i);
        }
        first += q.count();
    }
    return columns;
}

std::vector<Index> classes_of_atoms(const ClassDictionaryLearning& learning, const ClassOrder& ordered) {
    std::vector<Index> classes;
    for (const ClassAtoms& q : learning.classes())
        classes.resize(classes.size() + q.count(), ordered.class_of[q.own.begin]);
    return classes;
}

}  // namespace

std::vector<ParameterSpec> with_class_dictionary_parameters(std::vector<ParameterSpec> own,
                                                            std::int64_t iterations) {
    own.insert(own.end(), {parameter::policy, parameter::rho, parameter::kappa, parameter::tolerance,
                           iterations_key(iterations)});
    return own;
}

TrainedMachine train_class_dictionary(const TrainingProblem& problem, Index atoms, const MakeLearning& make,
                                      std::shared_ptr<const DictionaryRule> rule) {
    Control& control = problem.control;
    const ClassOrder ordered(*problem.data.labels);
    require_learnable(problem, atoms);
    const ClassDictionaryOptions options = learning_options(problem.parameters, atoms);
    const Dataset rows = problem.data.select(ordered.order);
    BankMatrices stream(problem.bank, rows, problem.budget, control);
    const BankFacts facts(stream, options.weighing.sketch_size(), problem.budget, control);
    LargeMatrix gram;
    const auto learning = make(gram, class_ranges(ordered.class_begins));
    ClassDictionaryResult result;
    {
        const ProgressScope scope(control, 0, 0.9, "learning");
        result = learn_class_dictionary(*learning, gram, stream, facts, options, problem.budget, control);
    }
    const ProgressScope scope(control, 0.9, 1, "prototypes");
    const bool analyses = rule->analyses();
    const Matrix columns = columns_of(*learning, ordered, analyses);
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.predictor = make_prototype_dictionary(
        {.kernel = combine(problem.bank, {result.weights.begin(), result.weights.end()}),
         .coefficients = view(columns.data(), columns.rows(), columns.cols()),
         .rule = std::move(rule),
         .classes = classes_of_atoms(*learning, ordered)},
        problem.data, problem.precision, problem.parameters[parameter::neighbours], control);
    trained.report = std::move(result.report);
    trained.report.add("prototypes", learning->atom_count());
    trained.kernel_weights.assign(result.weights.begin(), result.weights.end());
    return trained;
}

}  // namespace dk

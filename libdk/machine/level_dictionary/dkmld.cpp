// SPDX-License-Identifier: Apache-2.0
// Discriminative kernel multilevel dictionary learning turns between a multilevel dictionary of the weighed
// kernel (hyperline_levels.cpp) and the kernels' weights, and a linear machine decides by the codes:
//
//     beta = argmax over the simplex of   (b'beta - rho/2 |beta|^2) / w'beta,
//
// where b_l and w_l are the sums of squared distances of kernel l between rows of other classes, and of the
// same class, whose codes are alike. The paper has a semidefinite program in place of this trace ratio.
//
// Rows of length 1 in a mean kernel of many columns have most of their energy in common: one level takes up
// to nine tenths of it and tells no class. What tells the classes is in the levels behind, so that learning
// does not stop at a share of the whole energy that one level leaves, and the functions of the small codes
// there are nearly free (C = 100). A small rho leaves so few kernels that the classes are lost. These
// defaults are ours.
//
//     letter    name
//     beta      weights
//     b, w      b, w of trace_ratio_weights()
//     rho       parameter::rho
//
// J. J. Thiagarajan, K. N. Ramamurthy, A. Spanias, Multiple kernel sparse representations for supervised and
// unsupervised learning, IEEE Transactions on Image Processing 23, 2014.
#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/language/bank.hpp"
#include "machine/dictionary/bank_facts.hpp"
#include "machine/level_dictionary/hyperline_levels.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/prototype_limits.hpp"
#include "matrix/product.hpp"
#include "model/dictionary/level_codes.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "solve/smooth/trace_ratio.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey prototypes{
    "prototypes",
    0,
    {0, 10000},
    "The dictionary has so many atoms for each class, which are shared by all classes; 0 stands for half of "
    "the smallest class, and at most 20."};
constexpr IntegerKey levels{"levels", 20, {1, 1000}, "The atoms are divided into at most so many levels."};
constexpr RealKey energy{"energy",
                         0.01,
                         {0, 1},
                         "There is no further level once less than this share of the rows' energy is left."};
constexpr RealKey rho{
    "rho", 100, {0, 1e6}, "A larger rho gives more kernels a weight; with 0 one kernel has all of it."};
constexpr IntegerKey rounds{"max_iterations",
                            5,
                            {1, 1e6},
                            "The dictionary and the kernels' weights are learned by turns so many times."};
constexpr RealKey cost{
    "C", 100, Range::positive(),
    "A larger C makes the linear machine that decides by the codes fit them more closely."};
}  // namespace parameter

namespace {

/// Gives the rows whose codes are most alike: for each row some of the same class and some of the others.
struct Affinities {
    Matrix same;   // W, rows x rows
    Matrix other;  // W'
};

Affinities affinities_of(const Matrix& codes, const std::vector<Index>& class_of, Control& control) {
    constexpr Index neighbours = 5;
    const Index n = codes.rows();
    Affinities found{.same = Matrix::Zero(n, n), .other = Matrix::Zero(n, n)};
    Matrix products(n, n);
    multiply_transposed(codes, codes, products, Into::assign, control);
    products = products.cwiseAbs();
    parallel_for(n, control, [&](Index i) {
        for (const bool same : {true, false}) {
            std::vector<Index> rows;
            for (Index j = 0; j < n; ++j) {
                if (j != i && (class_of[j] == class_of[i]) == same) rows.push_back(j);
            }
            const Index count = std::min(neighbours, std::ssize(rows));
            std::ranges::partial_sort(rows, rows.begin() + count, [&](Index a, Index b) {
                return products(i, a) != products(i, b) ? products(i, a) > products(i, b) : a < b;
            });
            for (Index k = 0; k < count; ++k)
                (same ? found.same : found.other)(i, rows[k]) = products(i, rows[k]);
        }
    });
    return found;
}

/// Finds the weights of kernels in which rows of other classes with alike codes are far, and those of the
/// same class near: the ratio of the weighted sums of squared distances 2 - 2 K_ij is largest.
Vector trace_ratio_weights(BankMatrices& stream, const BankFacts& facts, const Affinities& affinities,
                           double rho) {
    const auto& informative = facts.informative();
    Vector b(std::ssize(informative));
    Vector w(b.size());
    Index place = 0;
    stream.read(informative, [&](Index, const ConstMatrixView& kernel) {
        b[place] = 2 * (affinities.other.sum() - affinities.other.cwiseProduct(kernel).sum());
        w[place++] = 2 * (affinities.same.sum() - affinities.same.cwiseProduct(kernel).sum());
    });
    Vector weights = equal_weights(facts);
    const double mean = w.mean();
    if (!(mean > 0)) return weights;  // Rows with alike codes are the same for every kernel.
    w = (w / mean).cwiseMax(1e-12);
    weights(informative) = maximise_trace_ratio(b / mean, w, rho).x;
    return weights;
}

/// The linear functions of codes that tell each class from the rest, with their offsets.
struct CodeFunctions {
    Matrix weights;  // classes x atoms
    Vector offsets;
};

/// Trains linear support vector machines on the codes, and asks them about the unit vectors and zero, which
/// tells their weights.
CodeFunctions code_functions(const TrainingProblem& problem, const Matrix& codes, const Labels& labels) {
    const Index atoms = codes.cols();
    DenseMatrix rows{codes.rows(), atoms, {codes.data(), codes.data() + codes.size()}};
    Dataset data(std::move(rows));
    data.labels = labels;
    const Machine machine = svm_machine();
    Parameters parameters = inner_parameters(machine, problem.parameters);
    parameters.set(parameter::cost.name, problem.parameters.text(parameter::cost.name));
    parameters.set(parameter::multiclass.name, "ovr");
    const KernelPointer linear = make_kernel("linear", data);
    const Bank bank{linear};
    const TrainedMachine trained =
        machine.train({data, linear, bank, parameters, Precision::real64, problem.budget, problem.control});

    DenseMatrix asked{atoms + 1, atoms};
    asked.values.assign((atoms + 1) * atoms, 0.0);
    for (Index k = 0; k < atoms; ++k) asked.values[k * atoms + k] = 1;
    std::vector<double> values;
    trained.predictor->decide(
        Dataset(std::move(asked)),
        [&](std::span<const double> some) { values.insert(values.end(), some.begin(), some.end()); },
        problem.control);
    const Index functions = trained.predictor->decision_count();
    const ConstMatrixView f = view(std::as_const(values).data(), atoms + 1, functions);
    const Eigen::RowVectorXd at_zero = f.row(atoms);
    const Matrix weights = (f.topRows(atoms).rowwise() - at_zero).transpose();
    CodeFunctions found{.weights = Matrix(labels.classes(), atoms), .offsets = Vector(labels.classes())};
    if (functions == 1) {  // It is positive for the second of two classes.
        found.weights << -weights, weights;
        found.offsets << -at_zero[0], at_zero[0];
    } else {
        found.weights = weights;
        found.offsets = at_zero.transpose();
    }
    return found;
}

/// The class for which an atom speaks most.
std::vector<Index> classes_of_atoms(const Matrix& weights) {
    std::vector<Index> classes(weights.cols());
    for (Index k = 0; k < weights.cols(); ++k) weights.col(k).maxCoeff(&classes[k]);
    return classes;
}

void require_learnable(const TrainingProblem& problem, double atoms) {
    const double n = problem.data.rows();
    problem.budget.require(8 * (8 * n * n + 4 * n * atoms),
                           text("learning ", atoms, " atoms of ", n, " rows"));
}

TrainedMachine train_dkmld(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    Control& control = problem.control;
    const Dataset& data = problem.data;
    const Labels& labels = *data.labels;
    const Index atoms = labels.classes() * prototypes_of_class(parameters[parameter::prototypes],
                                                               rows_of_smallest_class(labels));
    const Index levels = std::min<Index>(parameters[parameter::levels], atoms);
    require_learnable(problem, atoms);
    BankMatrices stream(problem.bank, data, problem.budget, control);
    const BankFacts facts(stream, 0, problem.budget, control);
    Vector weights = equal_weights(facts);
    LevelDictionary dictionary;
    const Index rounds = parameters[parameter::rounds];
    bool converged = false;
    Index round = 0;
    while (true) {
        control.check(0.9 * static_cast<double>(round) / static_cast<double>(rounds));
        const LargeMatrix gram = stream.combined(weights);
        dictionary = learn_levels(gram.view(), levels, (atoms + levels - 1) / levels,
                                  parameters[parameter::energy], control);
        if (round++ == rounds || converged || facts.informative().size() == 1) break;
        const Affinities affinities = affinities_of(dictionary.codes, labels.of_rows, control);
        const Vector renewed = trace_ratio_weights(stream, facts, affinities, parameters[parameter::rho]);
        converged = (renewed - weights).cwiseAbs().sum() < 1e-3;
        weights = renewed;
    }

    const CodeFunctions functions = code_functions(problem, dictionary.codes, labels);
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.predictor = make_prototype_dictionary(
        {.kernel = combine(problem.bank, {weights.begin(), weights.end()}),
         .coefficients = view(std::as_const(dictionary.atoms).data(), data.rows(), dictionary.atoms.cols()),
         .rule = std::make_shared<const LevelCodes>(dictionary.begins, functions.weights, functions.offsets),
         .classes = classes_of_atoms(functions.weights)},
        data, problem.precision, parameters[parameter::neighbours], control);
    trained.report.add("prototypes", dictionary.atoms.cols())
        .add("levels", dictionary.levels())
        .add("energies", dictionary.energies)
        .add("iterations", round)
        .add("converged", converged)
        .add("kernels_used", Index((weights.array() > 0).count()));
    trained.kernel_weights.assign(weights.begin(), weights.end());
    return trained;
}

}  // namespace

Machine dkmld_machine() {
    return {
        .name = "dkmld",
        .doc =
            "Discriminative kernel multilevel dictionary learning finds levels of atoms that all classes "
            "share, and weights of the kernels; a linear machine decides by the codes. Each kernel is "
            "normalised: rows have length 1 in its feature space.",
        .reference =
            "Thiagarajan, Ramamurthy, Spanias, Multiple kernel sparse representations for supervised and "
            "unsupervised learning, IEEE Transactions on Image Processing 23, 2014",
        .prototypes =
            "Prototypes are the atoms of all levels, whose coefficients of training rows may be negative. An "
            "explanation is what an atom adds to the decision of its class; features are the codes of a row.",
        .task = Task::classification,
        .uses_sample_weights = false,
        .parameters = {parameter::prototypes, parameter::levels, parameter::energy, parameter::rho,
                       parameter::rounds, parameter::cost},
        .train = train_dkmld,
        .weighs_kernels = true};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "machine/binary_reduction.hpp"
#include "machine/centred_gram.hpp"
#include "machine/single_function.hpp"
#include "solve/sparse_bayes.hpp"

namespace dk {

namespace {

/// The columns of the kernel matrix, centred or not, as candidates of length 1.
struct Basis {
    LargeArray<double> values;
    std::vector<double> means;    // empty: not centred
    std::vector<double> lengths;  // before; 0 where a column is nothing
};

Basis make_basis(TrainingGram& gram, bool centred, Control& control) {
    const Index n = gram.size();
    const double* matrix = gram.whole(1, control);
    Basis basis;
    if (centred) {
        CentredGram all = centred_gram(matrix, n, control);
        basis.values = std::move(all.values);
        basis.means = std::move(all.means);
    } else {
        basis.values = LargeArray<double>(n * n);
        parallel_for(n, control,
                     [&](Index i) { std::copy_n(matrix + i * n, n, basis.values.data() + i * n); });
    }
    basis.lengths.resize(unsigned_of(n));
    parallel_for(n, control, [&](Index j) {
        double* column = basis.values.data() + j * n;
        double squares = 0;
        for (Index i = 0; i < n; ++i) squares += column[i] * column[i];
        const double length = std::sqrt(squares);
        basis.lengths[unsigned_of(j)] = length;
        for (Index i = 0; i < n; ++i) column[i] = length > 0 ? column[i] / length : 0;
    });
    return basis;
}

/// f = sum_i gamma_i k(x_i, .) + offset, which the weights of some columns are.
BinarySolution expansion(const SparseBayesSolution& solved, const Basis& basis) {
    BinarySolution solution;
    solution.gamma.resize(basis.lengths.size());
    for (std::size_t r = 0; r < solved.relevant.size(); ++r) {
        const auto row = unsigned_of(solved.relevant[r]);
        solution.gamma[row] = basis.lengths[row] > 0 ? solved.weights[r] / basis.lengths[row] : 0;
    }
    solution.offset = solved.bias;
    if (!basis.means.empty()) uncentre(solution.gamma, solution.offset, basis.means);
    std::vector<double> rows(solved.relevant.begin(), solved.relevant.end());
    solution.report.add("evidence", solved.evidence)
        .add("relevance_vectors", static_cast<std::int64_t>(solved.relevant.size()))
        .add("iterations", solved.iterations)
        .add("converged", solved.converged)
        .add("relevant_rows", std::move(rows))
        .add("precisions", solved.precisions)
        .add("evidences", solved.evidences);
    return solution;
}

BinarySolution learn(TrainingGram& gram, std::span<const double> targets,
                     SparseBayesProgram::Likelihood likelihood, const TrainingProblem& problem) {
    if (!problem.data.sample_weights.empty())
        fail(Status::unsupported, "relevance vector machines do not use sample weights; remove them");
    const Parameters& parameters = problem.parameters;
    const Basis basis = make_basis(gram, parameters.flag("centred"), problem.control);
    const SparseBayesProgram program{.candidates = basis.values.data(),
                                     .count = gram.size(),
                                     .targets = targets,
                                     .likelihood = likelihood,
                                     .tolerance = parameters.real("tolerance"),
                                     .most_iterations = parameters.integer("max_iterations")};
    const SparseBayesSolution solved = solve_sparse_bayes(program, problem.control);
    BinarySolution solution = expansion(solved, basis);
    if (likelihood == SparseBayesProgram::Likelihood::gaussian)
        solution.report.add("noise_variance", solved.noise_variance);
    return solution;
}

BinarySolution train_pair(const BinaryProblem& binary, TrainingGram& gram) {
    std::vector<double> targets;
    for (const double sign : binary.signs) targets.push_back(sign > 0 ? 1 : 0);
    return learn(gram, targets, SparseBayesProgram::Likelihood::bernoulli, binary.problem);
}

/// What targets are divided by, so that the prior of the bias, which is as good as none for numbers about 1,
/// is none: 1 where their deviation is in sight of that.
double unit_of(const std::vector<double>& targets) {
    const auto count = static_cast<double>(targets.size());
    double mean = 0;
    for (const double t : targets) mean += t / count;
    double squares = 0;
    for (const double t : targets) squares += (t - mean) * (t - mean) / count;
    const double deviation = std::sqrt(squares);
    const bool in_sight = deviation >= 1e-3 && std::max(deviation, std::abs(mean)) <= 1e3;
    return in_sight || !(deviation > 0) ? 1 : deviation;
}

TrainedMachine train_regression(const TrainingProblem& problem) {
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    const double unit = unit_of(problem.data.targets);
    std::vector<double> targets = problem.data.targets;
    for (double& t : targets) t /= unit;
    BinarySolution solution;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        solution = learn(*gram, targets, SparseBayesProgram::Likelihood::gaussian, problem);
    }
    for (double& g : solution.gamma) g *= unit;
    solution.offset *= unit;
    if (unit != 1) solution.report.add("target_unit", unit);  // of precisions, noise and evidence
    return single_function(problem, std::move(solution.gamma), solution.offset, std::move(solution.report),
                           DecisionRule::regression);
}

std::vector<ParameterSpec> relevance_parameters() {
    return {
        flag_parameter("centred", true,
                       "whether the columns of the centred kernel matrix are the basis, so that prototypes "
                       "are convex; without, predicting needs the relevance vectors only"),
        positive_parameter("tolerance", 1e-3, "change of a precision's logarithm to stop at"),
        integer_parameter("max_iterations", 500, 1, 1e9, "limit of additions, removals and changes")};
}

}  // namespace

Machine rvm_machine() {
    std::vector<ParameterSpec> parameters = relevance_parameters();
    parameters.push_back(multiclass_parameter());
    return {.name = "rvm",
            .doc = "relevance vector machine: few rows whose weights have the largest evidence",
            .reference =
                "Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; "
                "Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003",
            .task = Task::classification,
            .parameters = std::move(parameters),
            .train = [](const TrainingProblem& problem) {
                return train_by_binary_reduction(problem, train_pair);
            }};
}

Machine rvr_machine() {
    return {.name = "rvr",
            .doc = "relevance vector regression: few rows whose weights have the largest evidence",
            .reference =
                "Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; "
                "Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003",
            .task = Task::regression,
            .parameters = relevance_parameters(),
            .train = train_regression};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
//
// Relevance vector machines learn a linear model of the columns phi_j of the kernel matrix,
//
//     f(x_i) = sum_j w_j phi_j(i) + b,   p(t_i = 1) = 1 / (1 + exp(-f(x_i)))   or   t_i = f(x_i) + noise,
//
// where each weight has a prior N(0, 1 / alpha_j), by the program
//
//     max over alpha of   the evidence p(t | alpha), the integral of p(t | w) p(w | alpha) over w.
//
// Most alpha_j become infinite, and their weights 0; the rows of the others are the relevance vectors. The
// matrix may be centred first (Graf et al., section 4.3), and its columns are scaled to length 1, because the
// prior of a weight depends on its column's length.
//
//     letter     name
//     phi_j      Basis::values.row(j), since the matrix is symmetric
//     w, b       SparseBayesSolution::weights, SparseBayesSolution::bias
//     alpha      SparseBayesSolution::precisions
//     t          targets
//
// M. E. Tipping, Sparse Bayesian learning and the relevance vector machine, Journal of Machine Learning
// Research 1, 2001; the program is solved as in M. E. Tipping, A. C. Faul, Fast marginal likelihood
// maximisation for sparse Bayesian models, AISTATS 2003.
#include "machine/sparse/relevance_vectors.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "machine/mean/centred_gram.hpp"

namespace dk {

namespace {

/// The columns phi_j of the kernel matrix, which is centred where that is asked for, with length 1.
struct Basis {
    LargeMatrix values;
    Vector means;    // the mean of each row of K; empty where K is not centred
    Vector lengths;  // the length that each column had; 0 where a column is zero
};

Basis make_basis(TrainingGram& gram, bool centred, Control& control) {
    const Index n = gram.size();
    const ConstMatrixView matrix = view(gram.whole(1, control), n, n);
    Basis basis;
    if (centred) {
        CentredGram all = centred_gram(matrix, control);
        basis.values = std::move(all.values);
        basis.means = std::move(all.means);
    } else {
        basis.values = LargeMatrix(n, n);
        parallel_for_rows(n, n, control, [&](Index i) { basis.values.view().row(i) = matrix.row(i); });
    }
    basis.lengths.resize(n);
    parallel_for_rows(n, n, control, [&](Index j) {
        auto column = basis.values.view().row(j);
        const double length = column.norm();
        basis.lengths(j) = length;
        if (length > 0) {
            column /= length;
        } else {
            column.setZero();
        }
    });
    return basis;
}

/// Writes the function as an expansion f(x) = sum_i gamma_i k(x_i, x) + offset: gamma_j is w_j divided by the
/// length that column j had.
BinarySolution expansion(const SparseBayesSolution& solved, const Basis& basis) {
    BinarySolution solution;
    solution.gamma.resize(basis.lengths.size());
    for (std::size_t r = 0; r < solved.relevant.size(); ++r) {
        const auto row = solved.relevant[r];
        solution.gamma[row] = basis.lengths[row] > 0 ? solved.weights[r] / basis.lengths[row] : 0;
    }
    solution.offset = solved.bias;
    if (basis.means.size() > 0) uncentre(solution.gamma, solution.offset, basis.means);
    std::vector<double> rows(solved.relevant.begin(), solved.relevant.end());
    solution.report.add("evidence", solved.evidence)
        .add("relevance_vectors", std::ssize(solved.relevant))
        .add("iterations", solved.iterations)
        .add("converged", solved.converged)
        .add("relevant_rows", std::move(rows))
        .add("precisions", solved.precisions)
        .add("evidences", solved.evidences);
    return solution;
}

}  // namespace

std::vector<ParameterSpec> relevance_parameters() {
    return {parameter::centred, parameter::tolerance, parameter::max_iterations};
}

BinarySolution learn_relevance_vectors(TrainingGram& gram, std::span<const double> targets,
                                       SparseBayesProgram::Likelihood likelihood,
                                       const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    const Basis basis = make_basis(gram, parameters[parameter::centred], problem.control);
    const SparseBayesProgram program{.candidates = basis.values.view(),
                                     .targets = as_vector(targets),
                                     .likelihood = likelihood,
                                     .tolerance = parameters[parameter::tolerance],
                                     .most_iterations = parameters[parameter::max_iterations]};
    const SparseBayesSolution solved = solve_sparse_bayes(program, problem.control);
    BinarySolution solution = expansion(solved, basis);
    if (likelihood == SparseBayesProgram::Likelihood::gaussian)
        solution.report.add("noise_variance", solved.noise_variance);
    return solution;
}

}  // namespace dk

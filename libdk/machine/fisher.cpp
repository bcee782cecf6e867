// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "machine/binary_reduction.hpp"
#include "machine/centred_gram.hpp"
#include "solve/cholesky.hpp"

namespace dk {

namespace {

using Matrix = LargeArray<double>;  // n x n, row-major

/// For every row the mean over one class's columns: the projections of the class mean.
std::vector<double> class_mean(const Matrix& gram, Index n, std::span<const double> signs, double sign,
                               Control& control) {
    const auto count = static_cast<double>(std::ranges::count(signs, sign));
    std::vector<double> mean(unsigned_of(n));
    parallel_for(n, control, [&](Index i) {
        double sum = 0;
        for (Index j = 0; j < n; ++j) sum += signs[unsigned_of(j)] == sign ? gram[unsigned_of(i * n + j)] : 0;
        mean[unsigned_of(i)] = sum / count;
    });
    return mean;
}

/// Takes the class means off the columns, which leaves the within-class deviations.
void subtract_class_means(Matrix& gram, Index n, std::span<const double> signs,
                          std::span<const double> positive, std::span<const double> negative,
                          Control& control) {
    parallel_for(n, control, [&](Index i) {
        for (Index j = 0; j < n; ++j) {
            gram[unsigned_of(i * n + j)] -= (signs[unsigned_of(j)] > 0 ? positive : negative)[unsigned_of(i)];
        }
    });
}

/// Solves (N + regularisation tr(N)/n I) gamma = m+ - m-, N = sum over rows of deviations from the
/// class mean (Mika et al. 1999; the pencil has rank one, so no eigenproblem is needed). N is singular
/// after centring, so the regularisation is part of the method.
std::vector<double> fisher_direction(Matrix deviations, Index n, std::vector<double> difference,
                                     double regularisation, Control& control) {
    Matrix scatter(n * n);
    outer_product(deviations.data(), n, n, scatter.data(), control);
    deviations = Matrix();
    double trace = 0;
    for (Index i = 0; i < n; ++i) trace += scatter[unsigned_of(i * n + i)];
    // Rows that coincide within each class have no scatter; then the difference of means is the answer.
    const double ridge = trace > 0 ? regularisation * trace / static_cast<double>(n) : 1.0;
    for (Index i = 0; i < n; ++i) scatter[unsigned_of(i * n + i)] += ridge;
    if (!cholesky_factor(scatter.data(), n, control)) {
        fail(Status::numerical,
             "the within-class scatter is not positive definite; raise regularisation (it is ",
             regularisation, ")");
    }
    cholesky_solve(scatter.data(), n, difference.data(), control);
    return difference;
}

/// Kernel Fisher discriminant on the centred kernel; the offset is halfway between the projected
/// class means.
BinarySolution train_fisher(const BinaryProblem& binary, TrainingGram& gram) {
    if (binary.weighted) fail(Status::unsupported, "machine fisher does not use sample weights; remove them");
    const Index n = binary.rows();
    Control& control = binary.problem.control;
    CentredGram centred = centred_gram(gram.whole(2, control), n, control);
    Matrix& matrix = centred.values;
    const auto positive = class_mean(matrix, n, binary.signs, 1, control);
    const auto negative = class_mean(matrix, n, binary.signs, -1, control);
    std::vector<double> difference(unsigned_of(n));
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = positive[i] - negative[i];
    subtract_class_means(matrix, n, binary.signs, positive, negative, control);

    BinarySolution solution;
    solution.gamma = fisher_direction(std::move(matrix), n, difference,
                                      binary.problem.parameters.real("regularisation"), control);
    for (std::size_t i = 0; i < solution.gamma.size(); ++i)
        solution.offset -= solution.gamma[i] * 0.5 * (positive[i] + negative[i]);
    uncentre(solution.gamma, solution.offset, centred.means);
    return solution;
}

}  // namespace

Machine fisher_machine() {
    return {.name = "fisher",
            .doc = "kernel Fisher discriminant",
            .reference = "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008",
            .task = Task::classification,
            .parameters = {positive_parameter("regularisation", 1e-3,
                                              "share of the mean scatter added to its diagonal"),
                           multiclass_parameter()},
            .train = [](const TrainingProblem& problem) {
                return train_by_binary_reduction(problem, train_fisher);
            }};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// DiMKL6 weighs each kernel by the Bhattacharyya distance of the classes in its feature space, where each
// class has a Gaussian distribution. The covariance C_c of class c keeps its r_c largest eigenvalues above
// rho and has rho for all others (probabilistic PCA),
//
//     C_c = rho I + (Phi_c W_c)(Phi_c W_c)'
//     W_c = J_c V_c (I - rho Lambda_c^-1)^1/2,   J_c = n_c^-1/2 (I - s_c 1'),   s_c = 1 / n_c,
//
// with the eigenvectors V_c and eigenvalues Lambda_c of J_c' K_cc J_c. The dimension of the feature space
// cancels because both classes have the same rho, and the distance of classes 1 and 2 is
//
//     (d^2 - h' L^-1 h) / (8 rho)
//         + 1/2 (log|L| - (r_1 + r_2)/2 log rho - 1/2 log|Lambda_1| - 1/2 log|Lambda_2|)
//
//     d^2 = s_1' K_11 s_1 - 2 s_1' K_12 s_2 + s_2' K_22 s_2
//     h   = 2^-1/2 [W_1' (K_11 s_1 - K_12 s_2); W_2' (K_21 s_1 - K_22 s_2)]
//     L   = rho I + 1/2 [Lambda_1 - rho I, W_1' K_12 W_2; W_2' K_21 W_1, Lambda_2 - rho I]
//
//     letters                code
//     n_c, r_c               Gaussian::range.size, Gaussian::rank()
//     K_ab                   matrix.quadrant(a, b)
//     W_c'                   Gaussian::W_transposed
//     diagonal of Lambda_c   Gaussian::lambda
//     K_cc s_c               Gaussian::mean_similarities
//     s_c' K_cc s_c          Gaussian::mean_similarity
//     L, 2^1/2 h, d^2        L, sqrt2_h, squared_distance
//
// References: Zhou, Chellappa, From sample similarity to ensemble similarity: probabilistic distance measures
// in reproducing kernel Hilbert space, IEEE TPAMI 28, 2006, for the distance; S. R. Price, Anderson, Havens,
// S. R. Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022, section 4, for
// the weights. The first has the distance in terms of C_1 and C_2; the form above is derived from it.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/eigen/leading_eigen.hpp"
#include "weights/class_index.hpp"

namespace dk {

namespace parameter {
constexpr RealKey rho{"rho", 1e-3, Range::positive(),
                      "This is the variance that each class has in the directions that are not kept."};
constexpr IntegerKey rank{"rank",
                          20,
                          {0, 1000},
                          "This limits how many directions of largest variance each class keeps in the "
                          "feature space of a kernel."};
}  // namespace parameter

namespace {

/// The Gaussian distribution of one class.
struct Gaussian {
    ClassRange range;
    Vector lambda;
    Matrix W_transposed;
    Vector mean_similarities;
    double mean_similarity = 0;

    Index rank() const { return lambda.size(); }
};

/// Computes J_c' K_cc J_c, the covariance of a class in terms of its rows.
LargeMatrix centred_covariance(const ClassMatrix& matrix, const Gaussian& gaussian, Control& control) {
    const double n = gaussian.range.size;
    const auto K = matrix.quadrant(gaussian.range, gaussian.range);
    const Vector& means = gaussian.mean_similarities;
    LargeMatrix covariance(K.rows(), K.cols());
    parallel_for_rows(K.rows(), K.cols(), control, [&](Index i) {
        covariance.view().row(i).array() =
            (K.row(i).array() - means(i) - means.transpose().array() + gaussian.mean_similarity) / n;
    });
    return covariance;
}

Gaussian fitted_gaussian(const ClassMatrix& matrix, ClassRange range, double rho, Index most_rank,
                         Control& control) {
    const double n = range.size;
    const double all = matrix.K.rows();
    control.memory().require(8 * (all * all + n * n), text("weights=dimkl6 on ", matrix.K.rows(), " rows"));
    Gaussian gaussian;
    gaussian.range = range;
    gaussian.mean_similarities = matrix.quadrant(range, range).rowwise().mean();
    gaussian.mean_similarity = gaussian.mean_similarities.mean();
    const LargeMatrix covariance = centred_covariance(matrix, gaussian, control);
    const LeadingEigen leading =
        leading_eigen(covariance.view(), std::min(most_rank, range.size - 1), rho, control);
    gaussian.lambda = leading.values;
    gaussian.W_transposed.resize(gaussian.rank(), range.size);
    for (Index e = 0; e < gaussian.rank(); ++e) {
        const auto v = leading.vectors.row(e).array();
        gaussian.W_transposed.row(e) = std::sqrt((1 - rho / gaussian.lambda(e)) / n) * (v - v.mean());
    }
    return gaussian;
}

/// Computes L from the Gaussians and W_1' K_12 W_2.
Matrix mean_covariance(const ClassMatrix& matrix, const Gaussian& first, const Gaussian& second, double rho,
                       Control& control) {
    // lazyProduct() adds the terms of each element in their order.
    const auto K12 = matrix.quadrant(first.range, second.range);
    Matrix K12_W2(first.range.size, second.rank());
    parallel_for_rows(K12.rows(), K12.cols() * second.rank(), control, [&](Index i) {
        K12_W2.row(i) = second.W_transposed.lazyProduct(K12.row(i).transpose()).transpose();
    });
    Matrix W1_K12_W2 = Matrix::Zero(first.rank(), second.rank());
    for (Index i = 0; i < K12_W2.rows(); ++i)
        W1_K12_W2.noalias() += first.W_transposed.col(i) * K12_W2.row(i);
    const Index rank = first.rank() + second.rank();
    Matrix L(rank, rank);
    L.topLeftCorner(first.rank(), first.rank()).setZero();
    L.bottomRightCorner(second.rank(), second.rank()).setZero();
    L.topRightCorner(first.rank(), second.rank()) = 0.5 * W1_K12_W2;
    L.bottomLeftCorner(second.rank(), first.rank()) = 0.5 * W1_K12_W2.transpose();
    L.diagonal().head(first.rank()) = rho + 0.5 * (first.lambda.array() - rho);
    L.diagonal().tail(second.rank()) = rho + 0.5 * (second.lambda.array() - rho);
    return L;
}

double bhattacharyya_distance(const ClassMatrix& matrix, const Gaussian& first, const Gaussian& second,
                              double rho, Control& control) {
    const Vector K12_s2 = matrix.quadrant(first.range, second.range).rowwise().mean();
    const Vector K21_s1 = matrix.quadrant(second.range, first.range).rowwise().mean();
    const double squared_distance = first.mean_similarity - 2 * K12_s2.mean() + second.mean_similarity;

    const Index rank = first.rank() + second.rank();
    double explained = 0;  // This is h' L^-1 h.
    double log_determinant = 0;
    if (rank > 0) {
        Vector sqrt2_h(rank);
        sqrt2_h.head(first.rank()) = first.W_transposed.lazyProduct(first.mean_similarities - K12_s2);
        sqrt2_h.tail(second.rank()) = second.W_transposed.lazyProduct(K21_s1 - second.mean_similarities);
        Matrix L = mean_covariance(matrix, first, second, rho, control);
        if (!cholesky_factor(L, control))
            fail(Status::numerical, "weights=dimkl6: a mean covariance is not positive definite; raise rho");
        log_determinant = 2 * L.diagonal().array().log().sum();
        Vector solution = sqrt2_h;
        cholesky_solve(L, solution, control);
        explained = 0.5 * sqrt2_h.dot(solution);
    }
    const double distance =
        (squared_distance - explained) / (8 * rho) +
        0.5 * (log_determinant - 0.5 * rank * std::log(rho) - 0.5 * first.lambda.array().log().sum() -
               0.5 * second.lambda.array().log().sum());
    return std::max(distance, 0.0);  // Rounding makes the distance of equal classes negative.
}

KernelWeights weigh_by_gaussians(const WeightProblem& problem) {
    const double rho = problem.parameters[parameter::rho];
    const Index rank = problem.parameters[parameter::rank];
    return weigh_by_index(problem, "dimkl6", [&](const ClassMatrix& matrix, Control& control) {
        const ProgressHold hold(control);
        std::vector<Gaussian> gaussians;
        for (const ClassRange range : matrix.classes)
            gaussians.push_back(fitted_gaussian(matrix, range, rho, rank, control));
        return mean_over_pairs(matrix.classes, false, [&](Index a, Index b) {
            return bhattacharyya_distance(matrix, gaussians[a], gaussians[b], rho, control);
        });
    });
}

}  // namespace

WeightStrategy dimkl6_strategy() {
    return {
        .name = "dimkl6",
        .doc =
            "DiMKL6 favours kernels in whose feature space the classes lie apart: the weight of a kernel is "
            "proportional to the Bhattacharyya distance of the classes, each of which is taken for a "
            "Gaussian distribution.",
        .reference =
            "Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, "
            "Mathematics 10, 2022; Zhou, Chellappa, From sample similarity to ensemble similarity, IEEE "
            "TPAMI 28, 2006",
        .arguments = "",
        .parameters = {parameter::rho, parameter::rank},
        .normalises = true,
        .needs = Knowledge::classes,
        .check = nullptr,
        .weigh = weigh_by_gaussians};
}

}  // namespace dk

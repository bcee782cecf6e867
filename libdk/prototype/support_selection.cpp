// SPDX-License-Identifier: Apache-2.0
//
// Of the rows of w = sum_i alpha_i phi(x_i), those of least cost are deleted in turn. With P = K^-1, deleting
// row i and giving the others their best weights changes w by
//
//     |w - w'|^2 = alpha_i^2 / P_ii,   alpha_j <- alpha_j - alpha_i P_ji / P_ii,
//
// where the inverse of the smaller matrix is P - P_:i P_i: / P_ii without row and column i. Kernel principal
// components give an upper bound: along the eigenvector v of K with the eigenvalue l, alpha loses its element
// i at the cost l (alpha_i / v_i)^2, and the least over all eigenvectors bounds the cost. 1e-10 of the mean
// diagonal is added to K.
//
//     letter      name
//     K, P        K, inverse
//     alpha       alpha; weights of those that are left
//     v, l        rows of spectrum.vectors, spectrum.values
//
// B. Schoelkopf, S. Mika, C. J. C. Burges, P. Knirsch, K.-R. Mueller, G. Raetsch, A. J. Smola, Input space
// versus feature space in kernel-based methods, IEEE Transactions on Neural Networks 10, 1999 (the bound);
// the exact cost is the Schur complement's.
#include "prototype/support_selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

double jitter_of(const ConstMatrixRef& K) {
    return 1e-10 * K.trace() / std::max<Index>(1, K.rows());
}

LargeMatrix jittered(const ConstMatrixRef& K, const std::vector<Index>& rows) {
    LargeMatrix out(std::ssize(rows), std::ssize(rows));
    out.view() = K(rows, rows);
    out.view().diagonal().array() += jitter_of(K);
    return out;
}

/// Computes V' diag(1 / l) V, where the rows of V are eigenvectors.
LargeMatrix inverse_of(const SymmetricEigen& spectrum, double jitter, Control& control) {
    const Index n = spectrum.values.size();
    const Vector shrunk = (spectrum.values.cwiseMax(0.0).array() + jitter).inverse().sqrt();
    LargeMatrix roots(n, n);  // row k is v_k / sqrt(l_k)
    const ProgressHold hold(control);
    parallel_for_rows(n, n, control,
                      [&](Index k) { roots.view().row(k) = shrunk[k] * spectrum.vectors.view().row(k); });
    LargeMatrix inverse(n, n);
    const ConstMatrixView known = std::as_const(roots).view();
    transposed_multiply(known, known, inverse.view(), Into::assign, control);
    return inverse;
}

/// Gives the position of the least of some costs.
Index least_of(const Vector& costs, const std::vector<Index>& left) {
    Index best = 0;
    for (Index a = 1; a < std::ssize(left); ++a) {
        if (costs[a] < costs[best]) best = a;
    }
    return best;
}

/// Deletes by the exact costs. The inverse keeps its size; rows that are deleted are not looked at any more.
std::vector<Index> left_by_exact_cost(const ConstMatrixRef& K, Vector alpha, Index count,
                                      const SymmetricEigen& spectrum, Control& control) {
    const Index n = K.rows();
    LargeMatrix inverse = inverse_of(spectrum, jitter_of(K), control);
    MatrixView P = inverse.view();
    std::vector<Index> left(n);
    std::iota(left.begin(), left.end(), Index{0});
    while (std::ssize(left) > count) {
        control.check(1.0 * (n - std::ssize(left)) / n);
        Vector costs(std::ssize(left));
        for (Index a = 0; a < costs.size(); ++a) {
            const Index i = left[a];
            // Rounding may leave nothing of P_ii where rows depend on each other; such a row costs nothing.
            costs[a] = P(i, i) > 0 ? alpha[i] * alpha[i] / P(i, i) : 0;
        }
        const Index position = least_of(costs, left);
        const Index i = left[position];
        left.erase(left.begin() + position);
        if (!(P(i, i) > 0)) continue;
        const Vector column = P.col(i) / P(i, i);
        const Vector own = P.row(i);
        const ProgressHold hold(control);
        parallel_for_rows(std::ssize(left), std::ssize(left), control, [&](Index a) {
            const Index j = left[a];
            for (const Index k : left) P(j, k) -= column[j] * own[k];
        });
        for (const Index j : left) alpha[j] -= alpha[i] * column[j];
    }
    return left;
}

/// Deletes by the bounds, with a new decomposition for each row.
std::vector<Index> left_by_bound(const ConstMatrixRef& K, Vector alpha, Index count, SymmetricEigen spectrum,
                                 Control& control) {
    const double jitter = jitter_of(K);
    std::vector<Index> left(K.rows());
    std::iota(left.begin(), left.end(), Index{0});
    while (std::ssize(left) > count) {
        const ProgressHold hold(control);
        if (spectrum.values.size() == 0) spectrum = symmetric_eigen(jittered(K, left), control);
        const Index position = least_of(deletion_cost_bounds(spectrum, alpha), left);
        const ConstMatrixView V = std::as_const(spectrum.vectors).view();
        const Vector scaled =
            (spectrum.values.cwiseMax(jitter).array().inverse() * V.col(position).array()).matrix();
        Vector column = Vector::Zero(alpha.size());  // P_:i
        add_transposed_product(V, scaled, column);
        Vector rest(alpha.size() - 1);
        for (Index a = 0; a < alpha.size(); ++a) {
            if (a == position) continue;
            rest[a < position ? a : a - 1] = alpha[a] - alpha[position] * column[a] / column[position];
        }
        alpha = std::move(rest);
        left.erase(left.begin() + position);
        spectrum = {};
    }
    return left;
}

}  // namespace

SymmetricEigen semidefinite_spectrum(const ConstMatrixRef& K, Control& control) {
    LargeMatrix copy(K.rows(), K.cols());
    copy.view() = K;
    SymmetricEigen spectrum = symmetric_eigen(std::move(copy), control);
    const double lowest = spectrum.values.size() > 0 ? spectrum.values[0] : 0;
    const double largest = spectrum.values.size() > 0 ? spectrum.values.cwiseAbs().maxCoeff() : 0;
    if (lowest < -1e-10 * largest)
        fail(Status::numerical,
             "the kernel is not positive semidefinite on the support vectors: their matrix has the "
             "eigenvalue ",
             lowest, ", where the largest is ", largest, "; use spectrum=clip");
    return spectrum;
}

Vector exact_deletion_costs(const ConstMatrixRef& inverse, const ConstVectorRef& alpha) {
    return alpha.cwiseAbs2().cwiseQuotient(inverse.diagonal());
}

Vector deletion_cost_bounds(const SymmetricEigen& spectrum, const ConstVectorRef& alpha) {
    Vector bounds = Vector::Constant(alpha.size(), infinity);
    for (Index k = 0; k < alpha.size(); ++k) {
        const double l = std::max(spectrum.values[k], 0.0);
        const double* v = spectrum.vectors.row(k);
        for (Index i = 0; i < alpha.size(); ++i) {
            if (v[i] == 0) continue;
            const double along = alpha[i] / v[i];
            bounds[i] = std::min(bounds[i], l * along * along);
        }
    }
    return bounds;
}

SupportSelection select_support(const ConstMatrixRef& K, const ConstVectorRef& alpha, Index count,
                                DeletionCost cost, Control& control) {
    SymmetricEigen spectrum;
    {
        const ProgressScope scope(control, 0, 0.3);
        spectrum = semidefinite_spectrum(K, control);
    }
    const ProgressScope scope(control, 0.3, 1);
    Vector image(alpha.size());  // K alpha
    multiply_vector(K, alpha, image);
    SupportSelection found{.rows = {}, .weights = {}, .squared_norm = alpha.dot(image)};
    found.rows = cost == DeletionCost::exact ? left_by_exact_cost(K, alpha, count, spectrum, control)
                                             : left_by_bound(K, alpha, count, std::move(spectrum), control);
    if (std::ssize(found.rows) == alpha.size()) {
        found.weights = alpha;
        return found;
    }
    // The weights have followed each deletion, with its rounding. They are solved for once more from w
    // itself.
    LargeMatrix factor = jittered(K, found.rows);
    const ProgressHold hold(control);
    if (!cholesky_factor(factor.view(), control))
        fail(Status::numerical, "the kernel matrix of ", std::ssize(found.rows),
             " support vectors is not positive definite, with 1e-10 of its diagonal added to it");
    const Vector wanted = image(found.rows);
    found.weights = wanted;
    cholesky_solve(factor.view(), found.weights, control);
    found.lost = std::max(0.0, found.squared_norm - found.weights.dot(wanted));
    return found;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// This file solves ridge regression in the weights of columns,
//
//     min over beta, b of   sum_i u_i (y_i - S_i beta - b)^2 + lambda |beta|^2.
//
// Without the means of the columns and of y, and with elements multiplied by sqrt(u_i), the singular value
// decomposition S = U Sigma V' gives for every lambda
//
//     beta = V diag(sigma / (sigma^2 + lambda)) U'y,
//     h_ii = u_i / sum u + sum_k U_ik^2 sigma_k^2 / (sigma_k^2 + lambda),
//
// where h_ii is how far the fit at row i follows y_i. The residual of row i in the fit to all other rows,
// whose columns stay, is (y_i - fit_i) / (1 - h_ii). V and sigma^2 are the eigenvectors and eigenvalues of
// S'S, and Sigma U' = V'S' is all that is needed of U.
//
//     symbol       code
//     S, y         rows of centred_.columns and of centred_.targets
//     sigma^2      squares_
//     V', V'S'     vectors_, scores_
//
// References: A. E. Hoerl, R. W. Kennard, Ridge regression: biased estimation for nonorthogonal problems,
// Technometrics 12, 1970; G. H. Golub, M. Heath, G. Wahba, Generalized cross-validation as a method for
// choosing a good ridge parameter, Technometrics 21, 1979 (leave-one-out).
#include "solve/squares/column_ridge.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

ColumnRidge::ColumnRidge(const CentredColumns& centred, Control& control)
    : centred_(centred), scores_(centred.count(), centred.rows()) {
    const Index m = centred.count();
    const ConstMatrixView S = centred.columns.view();
    LargeMatrix square(m, m);
    {
        const ProgressScope scope(control, 0, 0.1);
        outer_product(S, square.view(), control);
    }
    {
        const ProgressScope scope(control, 0.1, 0.8);
        SymmetricEigen eigen = symmetric_eigen(std::move(square), control);
        squares_ = eigen.values.cwiseMax(0.0);
        vectors_ = std::move(eigen.vectors);
    }
    const ProgressScope scope(control, 0.8, 1);
    multiply(std::as_const(vectors_).view(), S, scores_.view(), Into::assign, control);
    products_.resize(m, centred.functions());
    multiply_transposed(std::as_const(scores_).view(), centred.targets, products_, Into::assign, control);
}

ColumnRidge::Solution ColumnRidge::solve(double lambda, Control& control) const {
    const Vector shrunk = (squares_.array() + lambda).inverse();
    const Matrix weights = shrunk.asDiagonal() * products_;  // V' beta
    Solution solution{.beta = Matrix(centred_.count(), centred_.functions()),
                      .offsets = Vector(centred_.functions()),
                      .left_out = Matrix(centred_.rows(), centred_.functions())};
    const ProgressHold hold(control);
    transposed_multiply(vectors_.view(), weights, solution.beta, Into::assign, control);
    for (Index c = 0; c < solution.offsets.size(); ++c)
        solution.offsets[c] = centred_.offset(c, solution.beta.col(c));
    const ConstMatrixView P = scores_.view();
    const double sum = centred_.roots.squaredNorm();
    constexpr Index tile_rows = 256;
    const double values = values_of_product(P.cols(), P.rows(), weights.cols());
    parallel_for((P.cols() + tile_rows - 1) / tile_rows, values, control, [&](Index tile) {
        const Index first = tile * tile_rows;
        const Index count = std::min(tile_rows, P.cols() - first);
        const Vector roots = centred_.roots.segment(first, count);
        Vector h = roots.cwiseAbs2() / sum;
        for (Index k = 0; k < P.rows(); ++k)
            h += shrunk[k] * P.row(k).segment(first, count).transpose().cwiseAbs2();
        Matrix residuals = centred_.targets.middleCols(first, count).transpose();
        Matrix fitted(count, residuals.cols());
        transposed_multiply(P.middleCols(first, count), weights, fitted);
        residuals -= fitted;
        const Vector factors = (roots.array() > 0).select((roots.array() * (1 - h.array())).inverse(), 0.0);
        solution.left_out.middleRows(first, count) = factors.asDiagonal() * residuals;
    });
    return solution;
}

}  // namespace dk

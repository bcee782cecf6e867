// SPDX-License-Identifier: Apache-2.0
// This file solves ridge regression in the dual,
//
//     min over A, b of |K A + u b' - Y|^2 + ridge tr(A'KA),
//
// whose solution is A = (K + ridge I)^-1 (Y - u b'). Here b = 0 or, for least squares support vector
// machines, b is such that u'A = 0, where u is 1 for every row unless rows have weights. With
// G = (K + ridge I)^-1, the solution and the leave-one-out predictions are
//
//     nu = G Y,  o = G u,  b = nu'u / u'o,  A = nu - o b',
//     Y_i - A_i / (G_ii - o_i^2 / u'o), which all the other rows predict of row i.
//
//     symbol   code
//     K, Y, u  gram, program.targets, program.offset_column
//     nu, o    the first columns and the last one of `solved`
//     G_ii     inverse_diagonal
//
// Reference: Cawley, Talbot, Fast exact leave-one-out cross-validation of sparse least-squares support vector
// machines, Neural Networks 17, 2004.
#include "solve/squares/ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index tile_rows = 256;

struct Tile {
    Index begin;
    Index count;
};

Index tile_count(Index rows) {
    return (rows + tile_rows - 1) / tile_rows;
}
Tile tile_of(Index t, Index rows) {
    return {t * tile_rows, std::min(tile_rows, rows - t * tile_rows)};
}

/// Gives [Y u], or Y alone where no offset is wanted.
Matrix right_hand_side(const RidgeProgram& program) {
    Matrix right = Matrix::Ones(program.rows(), program.columns() + (program.offset ? 1 : 0));
    right.leftCols(program.columns()) = program.targets;
    if (program.offset && program.offset_column.size() > 0) right.rightCols(1) = program.offset_column;
    return right;
}

/// Makes the solution of G [Y u] and the diagonal of G, which is empty where leave-one-out is not asked for.
RidgeSolution finished(const RidgeProgram& program, const Matrix& solved, Vector inverse_diagonal) {
    const Index columns = program.columns();
    RidgeSolution solution{.coefficients = solved.leftCols(columns),
                           .offsets = Vector::Zero(columns),
                           .left_out = {},
                           .ridge = program.ridge};
    if (program.offset) {
        const Vector o = solved.col(columns);
        const bool ones = program.offset_column.size() == 0;
        const Vector u = ones ? Vector::Ones(program.rows()) : program.offset_column;
        const double length = o.cwiseProduct(u).sum();
        solution.offsets = (u.asDiagonal() * solution.coefficients).colwise().sum().transpose() / length;
        solution.coefficients -= o * solution.offsets.transpose();
        if (inverse_diagonal.size() > 0) inverse_diagonal -= o.cwiseAbs2() / length;
    }
    if (inverse_diagonal.size() > 0)
        solution.left_out =
            program.targets - inverse_diagonal.cwiseInverse().asDiagonal() * solution.coefficients;
    return solution;
}

/// Gives F'B. Tiles of rows go to a few sums in turn, which are added in their order, so that the bits do not
/// depend on the number of threads.
Matrix features_times(const ConstMatrixView& features, const ConstMatrixRef& b, Control& control) {
    const Index rows = features.rows();
    const Index tiles = tile_count(rows);
    const Index sums = std::min<Index>(tiles, 16);
    std::vector<Matrix> parts(sums);
    parallel_for(sums, values_of_product(rows, features.cols(), b.cols()), control, [&](Index s) {
        parts[s] = Matrix::Zero(features.cols(), b.cols());
        for (Index t = s; t < tiles && !control.stopping(); t += sums) {
            const auto [begin, count] = tile_of(t, rows);
            transposed_multiply(features.middleRows(begin, count), b.middleRows(begin, count), parts[s],
                                Into::add);
        }
    });
    for (Index s = 1; s < sums; ++s) parts[0] += parts[s];
    return std::move(parts[0]);
}

/// Tells whether rounding of A = (Y - F W) / ridge moves the functions W = F'A by more than a millionth.
/// Where F'Y is nothing but rounding, so are the functions, and A stays what the program says.
bool rounds_away(const ConstMatrixView& features, const Matrix& right, const RidgeProgram& program,
                 double ridge, const Matrix& functions) {
    constexpr double most = 1e-6;
    constexpr double rounding = std::numeric_limits<double>::epsilon();
    const double length = features.norm();
    const double of_targets = program.targets.norm();
    if (!(right.norm() > 10 * rounding * length * of_targets)) return false;
    const double moved = rounding * (of_targets + length * functions.norm()) / ridge * length;
    return moved > most * functions.norm();
}

/// Finds the least A with F'A = W: A = F Z for F'F Z = W. `lower` is the factor of F'F + ridge I, and steps
/// of refinement take the ridge away as far as W has parts in directions that matter.
Matrix least_coefficients(const ConstMatrixView& features, const ConstMatrixRef& lower,
                          const Matrix& functions, Control& control) {
    constexpr int steps = 3;
    Matrix Z = Matrix::Zero(functions.rows(), functions.cols());
    Matrix A = Matrix::Zero(features.rows(), functions.cols());
    for (int step = 0; step < steps; ++step) {
        Matrix rest = functions - features_times(features, A, control);
        cholesky_solve_all(lower, rest, control);
        Z += rest;
        parallel_for(tile_count(A.rows()), values_of_product(A.rows(), Z.rows(), Z.cols()), control,
                     [&](Index t) {
                         const auto [begin, count] = tile_of(t, A.rows());
                         multiply(features.middleRows(begin, count), Z, A.middleRows(begin, count));
                     });
    }
    return A;
}

/// Runs body(1 / (lambda + ridge)) for every ridge, which is the program's meanwhile.
template <typename Body>
void for_ridges(RidgeProgram& program, std::span<const double> ridges, const Vector& lambda, Control& control,
                Body body) {
    for (Index r = 0; r < std::ssize(ridges); ++r) {
        control.check(0.9 + 0.1 * r / std::ssize(ridges));
        const ProgressHold hold(control);
        program.ridge = ridges[r];
        body((lambda.array() + program.ridge).inverse());
    }
}

}  // namespace

RidgeSolution ridge_by_factor(const RidgeFactor& factor, const RidgeProgram& program, Control& control) {
    Matrix solved = right_hand_side(program);
    factor.solve(solved, control);
    RidgeSolution solution =
        finished(program, solved, program.leave_one_out ? factor.inverse_diagonal(control) : Vector());
    solution.ridge = factor.ridge();
    return solution;
}

RidgeSolution ridge_by_cholesky(const ConstMatrixRef& gram, const RidgeProgram& program, Control& control) {
    const FactoredRidge factor = factor_with_ridge(gram, program.ridge, control);
    Matrix solved = right_hand_side(program);
    cholesky_solve_all(factor.lower.view(), solved, control);
    RidgeSolution solution =
        finished(program, solved,
                 program.leave_one_out ? cholesky_inverse_diagonal(factor.lower.view(), control) : Vector());
    solution.ridge = factor.ridge;
    return solution;
}

/// The identity of Woodbury gives G v = (v - F (F'F + ridge I)^-1 F'v) / ridge, and G_ii = (1 - h_i) / ridge
/// with the leverages h_i = f_i' (F'F + ridge I)^-1 f_i = |L^-1 f_i|^2, where L L' = F'F + ridge I and f_i is
/// row i of F.
RidgeSolution ridge_by_features(const FeatureRows& features, const RidgeProgram& program, Control& control) {
    const Index n = features.rows;
    const ConstMatrixView f = view(features.values, n, features.dimension);
    const FactoredRidge factor = factor_with_ridge(features_times(f, f, control), program.ridge, control);
    Matrix solved = right_hand_side(program);
    Matrix weights = features_times(f, solved, control);
    const Matrix right = weights.leftCols(program.columns());
    cholesky_solve_all(factor.lower.view(), weights, control);
    Vector inverse_diagonal(program.leave_one_out ? n : 0);
    const auto new_panel = [&] { return Matrix(tile_rows, f.cols()); };
    const auto solve_tile = [&](Matrix& panel, Index t) {
        const auto [begin, count] = tile_of(t, n);
        const auto tile = f.middleRows(begin, count);
        auto tile_solved = solved.middleRows(begin, count);
        multiply(tile, weights, tile_solved, Into::subtract);
        tile_solved /= factor.ridge;
        if (!program.leave_one_out) return;
        auto scaled = panel.topRows(count);  // Row i becomes (L^-1 f_i)'.
        scaled = tile;
        solve_rows(factor.lower.view(), scaled);
        inverse_diagonal.segment(begin, count) = (1 - scaled.rowwise().squaredNorm().array()) / factor.ridge;
    };
    const double values = values_of_product(n, f.cols(), program.leave_one_out ? f.cols() : solved.cols());
    parallel_for_with(tile_count(n), control, new_panel, solve_tile, workforce_for(values, control));
    RidgeSolution solution = finished(program, solved, std::move(inverse_diagonal));
    solution.ridge = factor.ridge;
    Matrix functions = weights.leftCols(program.columns());
    if (program.offset) functions -= weights.col(program.columns()) * solution.offsets.transpose();
    solution.least = rounds_away(f, right, program, factor.ridge, functions);
    if (solution.least)
        solution.coefficients = least_coefficients(f, factor.lower.view(), functions, control);
    return solution;
}

/// The rows of V are eigenvectors of K = V' diag(lambda) V, so that G = V' diag(1 / (lambda + ridge)) V for
/// every ridge.
void ridges_by_eigenvalues(const ConstMatrixRef& gram, RidgeProgram program, std::span<const double> ridges,
                           Control& control, const std::function<void(RidgeSolution)>& judge) {
    const Index n = gram.rows();
    SymmetricEigen eigen;
    {
        const ProgressScope scope(control, 0, 0.9);
        eigen = symmetric_eigen(copied(gram, control), control);
    }
    const ConstMatrixView v = std::as_const(eigen.vectors).view();
    const Vector lambda = eigen.values.cwiseMax(0.0);
    const Matrix right = right_hand_side(program);
    Matrix projected(n, right.cols());  // V [Y u]
    multiply(v, right, projected, Into::assign, control);
    for_ridges(program, ridges, lambda, control, [&](const Vector& shrunk) {
        const Matrix scaled = shrunk.asDiagonal() * projected;
        Matrix solved(n, right.cols());
        Vector inverse_diagonal = Vector::Zero(n);
        parallel_for(tile_count(n), values_of_product(n, n, right.cols()), control, [&](Index t) {
            const auto [begin, count] = tile_of(t, n);
            const auto of_tile = v.middleCols(begin, count);
            transposed_multiply(of_tile, scaled, solved.middleRows(begin, count));
            for (Index k = 0; k < n; ++k)
                inverse_diagonal.segment(begin, count) += shrunk[k] * of_tile.row(k).transpose().cwiseAbs2();
        });
        judge(finished(program, solved, std::move(inverse_diagonal)));
    });
}

/// Where K = F F' and F'F = W diag(lambda) W', the rows p_i of P = F W give (Woodbury)
/// G v = (v - P diag(1 / (lambda + ridge)) P'v) / ridge and G_ii = (1 - sum_k p_ik^2 / (lambda_k + ridge)) /
/// ridge.
void ridges_by_features(const FeatureRows& features, RidgeProgram program, std::span<const double> ridges,
                        Control& control, const std::function<void(RidgeSolution)>& judge) {
    const Index n = features.rows;
    const Index tiles = tile_count(n);
    const ConstMatrixView f = view(features.values, n, features.dimension);
    LargeMatrix rotated(n, f.cols());  // P
    Vector lambda;
    {
        const ProgressScope scope(control, 0, 0.9);
        const SymmetricEigen eigen = symmetric_eigen(copied(features_times(f, f, control), control), control);
        lambda = eigen.values.cwiseMax(0.0);
        parallel_for(tiles, values_of_product(n, f.cols(), f.cols()), control, [&](Index t) {
            const auto [begin, count] = tile_of(t, n);
            multiply_transposed(f.middleRows(begin, count), eigen.vectors.view(),
                                rotated.view().middleRows(begin, count), Into::assign);
        });
    }
    const ConstMatrixView P = std::as_const(rotated).view();
    const Matrix right = right_hand_side(program);
    const Matrix projected = features_times(P, right, control);
    for_ridges(program, ridges, lambda, control, [&](const Vector& shrunk) {
        const Matrix scaled = shrunk.asDiagonal() * projected;
        Matrix solved = right;
        Vector inverse_diagonal(n);
        parallel_for(tiles, values_of_product(n, f.cols(), right.cols()), control, [&](Index t) {
            const auto [begin, count] = tile_of(t, n);
            const auto tile = P.middleRows(begin, count);
            auto tile_solved = solved.middleRows(begin, count);
            multiply(tile, scaled, tile_solved, Into::subtract);
            tile_solved /= program.ridge;
            inverse_diagonal.segment(begin, count) =
                (1 - (tile.cwiseAbs2() * shrunk).array()) / program.ridge;
        });
        judge(finished(program, solved, std::move(inverse_diagonal)));
    });
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "solve/ridge.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "solve/cholesky.hpp"
#include "solve/symmetric_eigen.hpp"

namespace dk {

namespace {

constexpr Index tile_rows = 256;

/// The targets, and a column of ones where an offset is wanted.
std::vector<double> right_hand_side(const RidgeProgram& program) {
    if (!program.offset) return {program.targets.begin(), program.targets.end()};
    std::vector<double> right;
    right.reserve(program.targets.size() + unsigned_of(program.rows()));
    for (Index i = 0; i < program.rows(); ++i) {
        const auto row =
            program.targets.subspan(unsigned_of(i * program.columns), unsigned_of(program.columns));
        right.insert(right.end(), row.begin(), row.end());
        right.push_back(1);
    }
    return right;
}

/// From (K + ridge I)^-1 [Y 1] and, for leave-one-out, the diagonal of the inverse (empty else). With
/// o = (K + ridge I)^-1 1: b = 1' nu / 1' o and A = nu - o b'; row i is missed by A_i / (inverse_ii - o_i^2 /
/// 1' o) when it is left out (Cawley, Talbot, Neural Networks 17, 2004).
RidgeSolution finished(const RidgeProgram& program, const std::vector<double>& solved,
                       const std::vector<double>& inverse_diagonal) {
    const Index n = program.rows();
    const Index columns = program.columns;
    const Index width = columns + (program.offset ? 1 : 0);
    RidgeSolution solution{.offsets = std::vector<double>(unsigned_of(columns)), .ridge = program.ridge};
    const auto one = [&](Index i) { return program.offset ? solved[unsigned_of(i * width + columns)] : 0.0; };
    double ones = 0;
    for (Index i = 0; program.offset && i < n; ++i) {
        ones += one(i);
        for (Index c = 0; c < columns; ++c)
            solution.offsets[unsigned_of(c)] += solved[unsigned_of(i * width + c)];
    }
    for (double& offset : solution.offsets) offset = program.offset ? offset / ones : 0;
    solution.coefficients.resize(unsigned_of(n * columns));
    if (!inverse_diagonal.empty()) solution.left_out.resize(unsigned_of(n * columns));
    for (Index i = 0; i < n; ++i) {
        for (Index c = 0; c < columns; ++c) {
            const auto at = unsigned_of(i * columns + c);
            const double coefficient =
                solved[unsigned_of(i * width + c)] - one(i) * solution.offsets[unsigned_of(c)];
            solution.coefficients[at] = coefficient;
            if (inverse_diagonal.empty()) continue;
            const double own =
                inverse_diagonal[unsigned_of(i)] - (program.offset ? one(i) * one(i) / ones : 0);
            solution.left_out[at] = program.targets[at] - coefficient / own;
        }
    }
    return solution;
}

LargeArray<double> copy_of(const double* gram, Index n, Control& control) {
    LargeArray<double> copy(n * n);
    parallel_for(n, control, [&](Index i) { std::copy_n(gram + i * n, n, copy.data() + i * n); });
    return copy;
}

struct RidgeFactor {
    LargeArray<double> matrix;
    double ridge;
};

/// Factors K + ridge I; raises the ridge a little, up to six times, where rounding or the kernel made K
/// indefinite.
RidgeFactor factor_with_ridge(const double* gram, Index n, double ridge, Control& control) {
    double trace = 0;
    for (Index i = 0; i < n; ++i) trace += gram[i * n + i];
    double jitter = 0;
    for (int attempt = 0; attempt <= 6; ++attempt) {
        RidgeFactor factor{copy_of(gram, n, control), ridge + jitter};
        for (Index i = 0; i < n; ++i) factor.matrix[unsigned_of(i * n + i)] += factor.ridge;
        if (cholesky_factor(factor.matrix.data(), n, control)) return factor;
        jitter = jitter == 0 ? 1e-10 * std::max(trace / static_cast<double>(n), ridge) : 10 * jitter;
    }
    fail(Status::numerical, "the kernel matrix is not positive semidefinite, not even with ",
         ridge + jitter / 10, " added to its diagonal; lower C, or use spectrum=clip");
}

/// out (features x width) = F' right, added up over tiles of rows in their order.
std::vector<double> features_times(const FeatureRows& features, const double* right, Index width,
                                   Control& control) {
    const Index k = features.dimension;
    const Index tiles = (features.rows + tile_rows - 1) / tile_rows;
    // a few sums side by side, whose number does not depend on the threads
    const Index sums = std::min<Index>(tiles, 16);
    std::vector<std::vector<double>> parts(unsigned_of(sums));
    parallel_for(sums, control, [&](Index s) {
        auto& part = parts[unsigned_of(s)];
        part.assign(unsigned_of(k * width), 0.0);
        for (Index t = s; t < tiles && !control.stopping(); t += sums) {
            const Index begin = t * tile_rows;
            const int rows = static_cast<int>(std::min(tile_rows, features.rows - begin));
            const int m = static_cast<int>(width);
            const int n = static_cast<int>(k);
            const double one = 1;
            dgemm_("N", "T", &m, &n, &rows, &one, right + begin * width, &m, features.values + begin * k, &n,
                   &one, part.data(), &m);
        }
    });
    std::vector<double> out = std::move(parts.front());
    for (Index s = 1; s < sums; ++s) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += parts[unsigned_of(s)][i];
    }
    return out;
}

}  // namespace

RidgeSolution ridge_by_cholesky(const double* gram, const RidgeProgram& program, Control& control) {
    const Index n = program.rows();
    const RidgeFactor factor = factor_with_ridge(gram, n, program.ridge, control);
    std::vector<double> solved = right_hand_side(program);
    cholesky_solve_all(factor.matrix.data(), n, solved.data(), size_of(solved) / n, control);
    const auto diagonal = program.leave_one_out ? cholesky_inverse_diagonal(factor.matrix.data(), n, control)
                                                : std::vector<double>();
    RidgeSolution solution = finished(program, solved, diagonal);
    solution.ridge = factor.ridge;
    return solution;
}

/// (F F' + r I)^-1 v = (v - F (F' F + r I)^-1 F' v) / r, and the diagonal of the inverse is (1 - h_i) / r
/// with the leverages h_i = f_i' (F' F + r I)^-1 f_i.
RidgeSolution ridge_by_features(const FeatureRows& features, const RidgeProgram& program, Control& control) {
    const Index n = features.rows;
    const Index k = features.dimension;
    const std::vector<double> products = features_times(features, features.values, k, control);
    const RidgeFactor factor = factor_with_ridge(products.data(), k, program.ridge, control);
    const double* small = factor.matrix.data();
    std::vector<double> solved = right_hand_side(program);
    const Index width = size_of(solved) / n;
    std::vector<double> weights = features_times(features, solved.data(), width, control);
    cholesky_solve_all(small, k, weights.data(), width, control);
    std::vector<double> diagonal(program.leave_one_out ? unsigned_of(n) : 0);
    const auto new_panel = [&] { return std::vector<double>(unsigned_of(tile_rows * k)); };
    parallel_for_with(
        (n + tile_rows - 1) / tile_rows, control, new_panel, [&](std::vector<double>& panel, Index t) {
            const Index begin = t * tile_rows;
            const Index count = std::min(tile_rows, n - begin);
            const int rows = static_cast<int>(count);
            const int m = static_cast<int>(width);
            const int depth = static_cast<int>(k);
            const double minus = -1 / factor.ridge;
            const double plus = 1 / factor.ridge;
            const double* tile = features.values + begin * k;
            dgemm_("N", "N", &m, &rows, &depth, &minus, weights.data(), &m, tile, &depth, &plus,
                   solved.data() + begin * width, &m);
            if (diagonal.empty()) return;
            // |L^-1 f_i|^2: the tile's rows are columns of the small triangular system
            std::copy_n(tile, count * k, panel.begin());
            const double one = 1;
            dtrsm_("L", "U", "T", "N", &depth, &rows, &one, small, &depth, panel.data(), &depth);
            for (Index i = 0; i < count; ++i) {
                double leverage = 0;
                for (Index j = 0; j < k; ++j)
                    leverage += panel[unsigned_of(i * k + j)] * panel[unsigned_of(i * k + j)];
                diagonal[unsigned_of(begin + i)] = (1 - leverage) / factor.ridge;
            }
        });
    RidgeSolution solution = finished(program, solved, diagonal);
    solution.ridge = factor.ridge;
    return solution;
}

void ridges_by_eigenvalues(const double* gram, RidgeProgram program, std::span<const double> ridges,
                           Control& control, const std::function<void(RidgeSolution)>& judge) {
    const Index n = program.rows();
    SymmetricEigen eigen;
    {
        const ProgressScope scope(control, 0, 0.9);
        eigen = symmetric_eigen(copy_of(gram, n, control), n, control);
    }
    const std::vector<double> right = right_hand_side(program);
    const Index width = size_of(right) / n;
    const int m = static_cast<int>(width);
    const int order = static_cast<int>(n);
    const double one = 1;
    const double zero = 0;
    std::vector<double> projected(right.size());  // V right
    dgemm_("N", "N", &m, &order, &order, &one, right.data(), &m, eigen.vectors.data(), &order, &zero,
           projected.data(), &m);
    for (std::size_t r = 0; r < ridges.size(); ++r) {
        control.check(0.9 + 0.1 * static_cast<double>(r) / static_cast<double>(ridges.size()));
        const ProgressHold hold(control);
        program.ridge = ridges[r];
        const auto shrunk = [&](Index k) {
            return 1 / (std::max(eigen.values[unsigned_of(k)], 0.0) + ridges[r]);
        };
        std::vector<double> scaled = projected;
        for (Index k = 0; k < n; ++k) {
            for (Index c = 0; c < width; ++c) scaled[unsigned_of(k * width + c)] *= shrunk(k);
        }
        std::vector<double> solved(right.size());
        std::vector<double> diagonal(unsigned_of(n));
        parallel_for((n + tile_rows - 1) / tile_rows, control, [&](Index t) {
            const Index begin = t * tile_rows;
            const Index end = std::min(begin + tile_rows, n);
            const int rows = static_cast<int>(end - begin);
            dgemm_("N", "T", &m, &rows, &order, &one, scaled.data(), &m, eigen.vectors.data() + begin, &order,
                   &zero, solved.data() + begin * width, &m);
            for (Index k = 0; k < n; ++k) {
                const double* vector = eigen.vectors.data() + k * n;
                for (Index i = begin; i < end; ++i)
                    diagonal[unsigned_of(i)] += vector[i] * vector[i] * shrunk(k);
            }
        });
        judge(finished(program, solved, diagonal));
    }
}

}  // namespace dk

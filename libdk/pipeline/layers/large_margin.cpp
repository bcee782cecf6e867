// SPDX-License-Identifier: Apache-2.0
// The large-margin metric is the distance |L (x - z)|, under which each row is near to its neighbours j of
// its own class, its targets, and farther from rows l of other classes, by 1 at least:
//
//     min over L of   sum_ij d(i, j) + push sum_ijl max(0, 1 + d(i, j) - d(i, l)),
//
// where d(i, j) = |L (x_i - x_j)|^2, j runs over the targets of i, and l over the rows of other classes. With
// W_ij the number of times that d(i, j) counts, which is negative for rows l that are too near,
//
//     gradient by L = 2 L X' (diag(W 1 + W' 1) - W - W') X.
//
//     letter      code
//     L           map
//     X           rows()
//     j of i      targets_[i]
//     W           RowWeights, row by row
//
// K. Q. Weinberger, L. K. Saul, Distance metric learning for large margin nearest neighbor classification,
// JMLR 10, 2009; the multilayer kernel machine of Cho and Saul, NIPS 2009, ends with it.
#include "pipeline/layers/large_margin.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index tile_rows = 128;

/// The elements of one row of W that are not zero.
struct RowWeights {
    std::vector<Index> columns = {};
    std::vector<double> values = {};

    void add(Index column, double value) {
        columns.push_back(column);
        values.push_back(value);
    }
};

/// Runs body(i, distances) for every row i, with the squared distances of row i of Z to all rows.
template <typename Body>
void for_distances(const ConstMatrixView& Z, Control& control, Body body) {
    const Index n = Z.rows();
    const Vector squares = Z.rowwise().squaredNorm();
    const auto new_tile = [&] { return Matrix(tile_rows, n); };
    const ProgressHold hold(control);
    parallel_for_with((n + tile_rows - 1) / tile_rows, control, new_tile, [&](Matrix& tile, Index t) {
        const Index begin = t * tile_rows;
        const Index count = std::min(tile_rows, n - begin);
        multiply_transposed(Z.middleRows(begin, count), Z, tile.topRows(count));
        for (Index i = 0; i < count && !control.stopping(); ++i) {
            auto distances = tile.row(i);
            distances = (squares.transpose() - 2 * distances).array() + squares[begin + i];
            distances = distances.cwiseMax(0.0).eval();
            body(begin + i, distances);
        }
    });
}

/// Computes W' from W, with the elements of each row in ascending order.
std::vector<RowWeights> transposed(const std::vector<RowWeights>& W, Control& control) {
    Index elements = 0;
    for (const RowWeights& row : W) elements += std::ssize(row.columns);
    control.memory().require(48.0 * elements, text(elements, " pairs of rows within the margin"));
    std::vector<RowWeights> out(W.size());
    for (Index i = 0; i < std::ssize(W); ++i) {
        control.check();
        for (std::size_t e = 0; e < W[i].columns.size(); ++e) out[W[i].columns[e]].add(i, W[i].values[e]);
    }
    return out;
}

/// Computes (diag(W 1 + W' 1) - W - W') X.
Matrix laplacian_times(const std::vector<RowWeights>& W, const ConstMatrixView& X, Control& control) {
    const std::vector<RowWeights> columns = transposed(W, control);
    Matrix out = Matrix::Zero(X.rows(), X.cols());
    parallel_for(X.rows(), control, [&](Index i) {
        for (const RowWeights* part : {&W[i], &columns[i]}) {
            for (std::size_t e = 0; e < part->columns.size(); ++e)
                out.row(i) += part->values[e] * (X.row(i) - X.row(part->columns[e]));
        }
    });
    return out;
}

}  // namespace

LargeMarginProblem::LargeMarginProblem(const Dataset& data, const LargeMarginOptions& options,
                                       Control& control)
    : data_(data), push_(options.push), targets_(data.rows()) {
    const auto& classes = data.labels->of_rows;
    for_distances(rows(), control, [&](Index i, const auto& distances) {
        std::vector<Index> same;
        for (Index j = 0; j < data_.rows(); ++j) {
            if (j != i && classes[j] == classes[i]) same.push_back(j);
        }
        const auto count = std::min(options.neighbours, std::ssize(same));
        std::ranges::partial_sort(same, same.begin() + count, {},
                                  [&](Index j) { return std::pair(distances[j], j); });
        same.resize(count);
        targets_[i] = std::move(same);
    });
}

ConstMatrixView LargeMarginProblem::rows() const {
    return view(data_.dense().values.data(), data_.rows(), data_.cols());
}

LargeMarginLoss LargeMarginProblem::evaluate(const Matrix& map, bool with_gradient, Control& control) const {
    const Index n = data_.rows();
    const auto& classes = data_.labels->of_rows;
    Matrix Z(n, map.rows());
    multiply_transposed(rows(), map, Z, Into::assign, control);
    std::vector<double> losses(n);
    std::vector<RowWeights> W(with_gradient ? n : 0);
    for_distances(view(std::as_const(Z).data(), n, Z.cols()), control, [&](Index i, const auto& distances) {
        double reach = 0;  // Rows of other classes beyond it cost nothing.
        std::vector<double> of_targets;
        for (const Index j : targets_[i]) {
            of_targets.push_back(1 + distances[j]);
            losses[i] += distances[j];
            reach = std::max(reach, of_targets.back());
        }
        std::vector<double> counted(of_targets.size(), 1.0);
        for (Index l = 0; l < n; ++l) {
            if (!(distances[l] < reach) || classes[l] == classes[i]) continue;
            double pushed = 0;
            for (std::size_t k = 0; k < of_targets.size(); ++k) {
                if (!(distances[l] < of_targets[k])) continue;
                losses[i] += push_ * (of_targets[k] - distances[l]);
                counted[k] += push_;
                pushed += push_;
            }
            if (with_gradient) W[i].add(l, -pushed);
        }
        if (!with_gradient) return;
        for (std::size_t k = 0; k < counted.size(); ++k) W[i].add(targets_[i][k], counted[k]);
    });
    LargeMarginLoss found{.loss = std::accumulate(losses.begin(), losses.end(), 0.0)};
    if (!with_gradient) return found;
    const Matrix weighted = laplacian_times(W, rows(), control);
    Matrix G(map.cols(), map.cols());
    transposed_multiply(rows(), weighted, G, Into::assign, control);
    found.gradient.resize(map.rows(), map.cols());
    multiply(map, G, found.gradient, Into::assign, control);
    found.gradient *= 2;
    return found;
}

LargeMarginSolution large_margin_map(const Dataset& data, const LargeMarginOptions& options,
                                     Control& control) {
    const LargeMarginProblem problem(data, options, control);
    LargeMarginSolution solution{.map = Matrix::Identity(data.cols(), data.cols())};
    LargeMarginLoss now = problem.evaluate(solution.map, true, control);
    solution.losses.push_back(now.loss);
    double length = 0.1;  // of a step, as a share of the map
    constexpr double shortest = 1e-9;
    while (!solution.converged && std::ssize(solution.losses) <= options.most_steps) {
        control.check(1.0 * std::ssize(solution.losses) / (options.most_steps + 1),
                      text("loss ", now.loss, " after ", solution.losses.size() - 1, " steps"));
        const double steepness = now.gradient.norm();
        double reached = now.loss;
        while (steepness > 0 && !(reached < now.loss) && length > shortest) {
            const Matrix tried = solution.map - length * solution.map.norm() / steepness * now.gradient;
            reached = problem.evaluate(tried, false, control).loss;
            if (reached < now.loss) {
                solution.map = tried;
            } else {
                length /= 2;
            }
        }
        solution.converged = !(now.loss - reached > options.tolerance * now.loss);
        if (!(reached < now.loss)) break;  // No step is short enough.
        now = problem.evaluate(solution.map, true, control);
        solution.losses.push_back(now.loss);
        length = std::min(2 * length, 0.5);
    }
    return solution;
}

}  // namespace dk

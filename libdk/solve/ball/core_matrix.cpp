// SPDX-License-Identifier: Apache-2.0
// A CoreMatrix solves the program of a core set S of m rows,
//
//     min alpha' K alpha   subject to   alpha >= 0,   sum_i alpha_i = 1,   where K = K_SS (m x m).
//
// At the optimum (K alpha)_i equals the objective for every row with weight, and is no less for any other
// row. Core vector machines read the program as a ball: K_ij is the inner product of two points of equal
// length, alpha are the weights of the centre c, the objective is |c|^2, and a row with a small (K alpha)_i
// lies far from the centre.
//
//     paper           code
//     S               rows_
//     K_SS            matrix()
//     alpha           alpha_
//     K alpha         products_
//     |c|^2           objective_
//
// Reference: Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005.
#include "solve/ball/core_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/select.hpp"
#include "base/text.hpp"
#include "solve/box/local_smo.hpp"

namespace dk {

CoreMatrix::CoreMatrix(TileSource& source, std::span<const Index> rows, Control& control)
    : source_(source), control_(control), member_(source.size()) {
    add(rows);
    alpha_ = Vector::Constant(size(), 1.0 / size());
}

/// Makes room for so many rows. The room grows by halves, so that adding rows one by one copies little.
void CoreMatrix::reserve(Index rows) {
    if (rows <= capacity_) return;
    const Index capacity = std::max({rows, capacity_ + capacity_ / 2, Index{128}});
    control_.memory().require(8.0 * (capacity * capacity + capacity_ * capacity_),
                              text("the matrix of a core set of ", rows, " rows"));
    LargeArray<double> larger(capacity * capacity + block_slack);
    view(larger.data(), size(), size(), capacity) = matrix();
    values_ = std::move(larger);
    capacity_ = capacity;
}

void CoreMatrix::add(std::span<const Index> rows) {
    const Index old = size();
    const Index count = std::ssize(rows);
    reserve(old + count);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    for (const Index i : rows) member_[i] = 1;
    alpha_.conservativeResizeLike(Vector::Zero(size()));
    MatrixView k = matrix();
    constexpr Index at_once = 256;
    for (Index first = 0; first < count; first += at_once) {
        const auto some = rows.subspan(first, std::min(at_once, count - first));
        k.middleRows(old + first, std::ssize(some)) = source_.values(some, rows_, control_);
    }
    k.topRightCorner(old, count) = k.bottomLeftCorner(count, old).transpose();
    // Values above and below the diagonal may be rounded differently, but the solver needs a symmetric
    // matrix.
    for (Index i = old; i < size(); ++i) {
        for (Index j = old; j < i; ++j) k(i, j) = k(j, i);
    }
}

bool CoreMatrix::solve(double share) {
    return solve_until([&] { return share * objective_; });
}

bool CoreMatrix::solve_to(double tolerance) {
    return solve_until([&] { return tolerance; });
}

template <typename Tolerance>
bool CoreMatrix::solve_until(Tolerance tolerance) {
    const MatrixView k = matrix();
    LocalProgram<double> program;
    program.rows = rows_of(BlockView<double>{values_.data(), capacity_}, size());
    program.size = size();
    program.first_group = size();
    program.lower = Vector::Zero(size());
    program.upper = Vector::Constant(size(), infinity);
    program.curvature = k.diagonal();
    program.beta = alpha_;
    program.descent = Vector::Zero(size());
    for (Index i = 0; i < size(); ++i) {  // descent = -K alpha; the many zero weights cost nothing.
        if (alpha_[i] != 0) program.descent -= alpha_[i] * k.row(i).transpose();
    }
    const auto poll = [&](double) { control_.check(); };
    const auto objective = [&] { return -program.beta.dot(program.descent); };
    // A tolerance may be a share of the objective that this very solution lowers. So the program is solved
    // again, to a smaller tolerance, until the objective falls by less than a hundredth.
    std::int64_t iterations = 0;
    objective_ = objective();
    for (int step = 0; step < 50; ++step) {
        const double before = objective_;
        iterations += solve_local(program, tolerance(), 1000 + 20 * size(), poll).iterations;
        objective_ = objective();
        if (before - objective_ <= 0.01 * objective_) break;
    }
    if (!(objective_ > 0) || !std::isfinite(objective_)) {
        fail(Status::numerical, "a core set of ", size(), " rows has a'Ka = ", objective_,
             ": the kernel is not positive semidefinite, or its values overflow");
    }
    alpha_ = program.beta;
    products_ = -program.descent;
    return iterations > 0;
}

std::vector<Index> CoreMatrix::drop(double factor) {
    std::vector<Index> kept;
    for (Index i = 0; i < size(); ++i) {
        if (alpha_[i] > 0 || products_[i] <= factor * objective_) kept.push_back(i);
    }
    if (std::ssize(kept) == size()) return {};
    // Each element moves up or to the left, so it overwrites only what this loop has read already.
    MatrixView k = matrix();
    for (Index i = 0; i < std::ssize(kept); ++i) {
        for (Index j = 0; j < std::ssize(kept); ++j) k(i, j) = k(kept[i], kept[j]);
    }
    for (const Index i : rows_) member_[i] = 0;
    rows_ = select_values(rows_, kept);
    for (const Index i : rows_) member_[i] = 1;
    alpha_ = alpha_(kept).eval();
    products_ = products_(kept).eval();
    return kept;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "solve/core_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/select.hpp"
#include "base/text.hpp"
#include "solve/local_smo.hpp"

namespace dk {

CoreMatrix::CoreMatrix(CoreSource& source, std::span<const Index> rows, Control& control)
    : source_(source), control_(control), member_(unsigned_of(source.size())) {
    add(rows);
    std::ranges::fill(alpha_, 1 / static_cast<double>(size()));
}

void CoreMatrix::reserve(Index rows) {
    if (rows <= capacity_) return;
    const Index capacity = std::max({rows, capacity_ + capacity_ / 2, Index{128}});
    const double bytes = 8.0 * static_cast<double>(capacity) * static_cast<double>(capacity);
    control_.memory().require(bytes, text("the matrix of a core set of ", rows, " rows"));
    LargeArray<double> larger(capacity * capacity + block_slack);
    for (Index i = 0; i < size(); ++i) std::copy(row(i), row(i) + size(), larger.data() + i * capacity);
    values_ = std::move(larger);
    capacity_ = capacity;
}

void CoreMatrix::add(std::span<const Index> rows) {
    const Index old = size();
    const Index count = size_of(rows);
    reserve(old + count);
    for (const Index i : rows) {
        rows_.push_back(i);
        member_[unsigned_of(i)] = 1;
        alpha_.push_back(0);
    }
    std::vector<double> values(unsigned_of(count * size()));
    source_.values(rows, rows_, values.data(), control_);
    for (Index r = 0; r < count; ++r) {
        const double* from = values.data() + r * size();
        std::copy(from, from + size(), row(old + r));
        for (Index c = 0; c < old; ++c) row(c)[old + r] = from[c];
    }
    // the blocks of new rows are symmetric to the last bit
    for (Index r = old; r < size(); ++r) {
        for (Index c = old; c < r; ++c) row(r)[c] = row(c)[r];
    }
}

bool CoreMatrix::solve(double share) {
    LocalProgram<double> program;
    program.matrix = {values_.data(), capacity_};
    program.size = size();
    program.first_group = size();
    program.lower.assign(unsigned_of(size()), 0.0);
    program.upper.assign(unsigned_of(size()), std::numeric_limits<double>::infinity());
    program.beta = alpha_;
    program.descent.assign(unsigned_of(size()), 0.0);
    for (Index i = 0; i < size(); ++i) {
        program.curvature.push_back(row(i)[i]);
        if (alpha_[unsigned_of(i)] == 0) continue;
        for (Index j = 0; j < size(); ++j)
            program.descent[unsigned_of(j)] -= alpha_[unsigned_of(i)] * row(i)[j];
    }
    const auto value = [&] {
        double sum = 0;
        for (Index i = 0; i < size(); ++i)
            sum -= program.beta[unsigned_of(i)] * program.descent[unsigned_of(i)];
        return sum;
    };
    // in steps, because the tolerance is a share of what is being found
    std::int64_t iterations = 0;
    objective_ = value();
    for (int step = 0; step < 50; ++step) {
        const double before = objective_;
        iterations += solve_local(program, share * objective_, 1000 + 20 * size(), control_).iterations;
        objective_ = value();
        if (before - objective_ <= 0.01 * objective_) break;
    }
    if (!(objective_ > 0) || !std::isfinite(objective_)) {
        fail(Status::numerical, "a core set of ", size(), " rows has a'Ka = ", objective_,
             ": the kernel is not positive semidefinite, or its values overflow");
    }
    alpha_ = program.beta;
    products_.assign(program.descent.begin(), program.descent.begin() + size());
    for (double& g : products_) g = -g;
    return iterations > 0;
}

std::vector<Index> CoreMatrix::drop(double factor) {
    std::vector<Index> kept;
    for (Index i = 0; i < size(); ++i) {
        if (alpha_[unsigned_of(i)] > 0 || products_[unsigned_of(i)] <= factor * objective_) kept.push_back(i);
    }
    if (size_of(kept) == size()) return {};
    for (Index i = 0; i < size(); ++i) member_[unsigned_of(rows_[unsigned_of(i)])] = 0;
    for (Index r = 0; r < size_of(kept); ++r) {
        const double* from = row(kept[unsigned_of(r)]);
        double* to = row(r);  // never behind `from`, and columns move left only
        for (Index c = 0; c < size_of(kept); ++c) to[c] = from[kept[unsigned_of(c)]];
    }
    rows_ = select_values(rows_, kept);
    alpha_ = select_values(alpha_, kept);
    products_ = select_values(products_, kept);
    for (const Index i : rows_) member_[unsigned_of(i)] = 1;
    return kept;
}

}  // namespace dk

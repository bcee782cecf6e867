// SPDX-License-Identifier: Apache-2.0
#include "solve/box/rough_search.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "support.hpp"

namespace dk::test::rough_search_test {
namespace {

/// This matrix is stored in T. A matrix of double precision has a rough copy, and counts the rows at which
/// it computed products that pass.
template <typename T>
class Stored final : public GramMatrix {
  public:
    Stored(Eigen::MatrixXd values, std::vector<double> roundings)
        : matrix_(values.cast<T>()), roundings_(std::move(roundings)) {
        for (Index i = 0; i < size(); ++i) diagonal_.push_back(values(i, i));
    }
    Index size() const override { return matrix_.rows(); }
    std::span<const double> diagonal() const override { return diagonal_; }
    bool single() const override { return std::is_same_v<T, float>; }
    std::vector<double> rounding_bounds() const override { return roundings_; }
    Index largest_block() const override { return 64; }
    BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage, Control&) override {
        return block_of(rows, storage);
    }
    BlockView<float> block(std::span<const Index> rows, BlockStorage<float>& storage, Control&) override {
        return block_of(rows, storage);
    }
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control&) override {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (Index i = 0; i < size(); ++i) out[i] += weights[r] * matrix_(i, rows[r]);
        }
    }
    void add_product_at(std::span<const Index> rows, std::span<const Index> columns,
                        std::span<const double> weights, std::span<double> out, Control&) const override {
        passed += std::ssize(rows);
        for (const Index i : rows) {
            for (std::size_t c = 0; c < columns.size(); ++c) out[i] += weights[c] * matrix_(i, columns[c]);
        }
    }
    GramMatrix* rough_copy(Control&) override { return rough.get(); }

    std::unique_ptr<GramMatrix> rough;
    mutable Index passed = 0;

  private:
    template <typename U>
    BlockView<U> block_of(std::span<const Index> rows, BlockStorage<U>& storage) const {
        const Index count = std::ssize(rows);
        U* values = storage.begin_whole(count);
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < count; ++j)
                values[i * count + j] = static_cast<U>(matrix_(rows[i], rows[j]));
        }
        return {values, count};
    }

    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> matrix_;
    std::vector<double> roundings_;
    std::vector<double> diagonal_;
};

constexpr Index rows = 300;

/// Two clouds in the plane that overlap, and the matrix of a Gaussian kernel of them.
struct Clouds {
    Clouds() : signs(rows), exact(rows, rows) {
        const auto x = normal_values(2 * rows, 3);
        for (Index i = 0; i < rows; ++i) {
            signs[i] = i % 2 == 0 ? 1 : -1;
            for (Index j = 0; j < rows; ++j) {
                const double across = x[2 * i] + 1.2 * signs[i] - x[2 * j] - (j % 2 == 0 ? 1.2 : -1.2);
                const double along = x[2 * i + 1] - x[2 * j + 1];
                exact(i, j) = std::exp(-0.5 * (across * across + along * along));
            }
        }
    }
    std::vector<double> signs;
    Eigen::MatrixXd exact;
};

/// Changes the value of rows i and j by up to r_i + r_j, in turn above and below.
Eigen::MatrixXd disturbed(Eigen::MatrixXd matrix, const std::vector<double>& r) {
    for (Index i = 0; i < matrix.rows(); ++i) {
        for (Index j = 0; j < i; ++j) {
            matrix(i, j) += ((7 * i + 3 * j) % 5 < 2 ? 0.99 : -0.99) * (r[i] + r[j]);
            matrix(j, i) = matrix(i, j);
        }
    }
    return matrix;
}

struct Outcome {
    SmoSolution solution;
    Index passed = 0;
};

/// Solves the machine of the clouds, whose rows belong to two groups where asked, by a copy with roundings of
/// this size. Expects what the solution tells to be true of the exact matrix.
Outcome solve(const Clouds& clouds, double size, bool known, bool groups, double tolerance) {
    std::vector<double> r(rows);
    for (Index i = 0; i < rows; ++i) r[i] = size * (1 + i % 7) / 7;
    Stored<double> gram(clouds.exact, {});
    gram.rough =
        std::make_unique<Stored<float>>(disturbed(clouds.exact, r), known ? r : std::vector<double>());
    BoxProgram program = zero_program(gram, rows);
    for (Index i = 0; i < rows; ++i) {
        program.linear[i] = -clouds.signs[i];
        (clouds.signs[i] > 0 ? program.upper[i] : program.lower[i]) = 10 * clouds.signs[i];
        if (groups) program.in_second.push_back(i % 3 == 0);
    }
    BegunControl control;
    Outcome outcome{solve_smo(program, {.tolerance = tolerance, .rough_search = true}, control)};
    const SmoSolution& found = outcome.solution;
    const Eigen::Map<const Eigen::VectorXd> b(found.beta.data(), rows);
    const Eigen::Map<const Eigen::VectorXd> c(program.linear.data(), rows);
    const Eigen::VectorXd descent = -(clouds.exact * b + c);
    double gap = 0;
    for (const char group : {0, 1}) {
        double highest = -1e300;
        double lowest = 1e300;
        for (Index i = 0; i < rows; ++i) {
            if (groups && program.in_second[i] != group) continue;
            if (b[i] < program.upper[i]) highest = std::max(highest, descent[i]);
            if (b[i] > program.lower[i]) lowest = std::min(lowest, descent[i]);
            if (b[i] == 0) continue;
            EXPECT_NEAR(found.descent[i], descent[i], 1e-9);
        }
        gap = std::max(gap, highest - lowest);
    }
    EXPECT_TRUE(found.converged);
    EXPECT_LE(gap, tolerance * (1 + 1e-6));
    EXPECT_NEAR(found.gap, gap, 1e-9);
    const double objective = 0.5 * b.dot(clouds.exact * b) + c.dot(b);
    EXPECT_NEAR(found.objective, objective, 1e-9 * std::abs(objective));
    outcome.passed = gram.passed;
    return outcome;
}

TEST(RoughSearch, WhatItTellsIsOfTheExactMatrix) {
    const Clouds clouds;
    for (const bool groups : {false, true}) {
        for (const double size : {0.0, 1e-7, 1e-5, 1e-4}) {
            for (const double tolerance : {1e-2, 1e-3, 1e-5}) {
                const testing::ScopedTrace trace(__FILE__, __LINE__, size);
                EXPECT_TRUE(solve(clouds, size, true, groups, tolerance).solution.rough_search);
                EXPECT_TRUE(solve(clouds, size, false, groups, tolerance).solution.rough_search);
            }
        }
    }
}

TEST(RoughSearch, FewRowsDecideWhereRoundingsAreKnown) {
    const Clouds clouds;
    const Outcome known = solve(clouds, 1e-7, true, false, 1e-3);
    const auto used = rows - std::ranges::count(known.solution.beta, 0.0);
    ASSERT_LT(used, rows / 2);
    EXPECT_GE(known.passed, used);
    EXPECT_LE(known.passed, used + rows / 10);
    EXPECT_EQ(solve(clouds, 1e-7, false, false, 1e-3).passed, rows);
    // Roundings as large as the differences between rows leave no row that does not decide.
    EXPECT_EQ(solve(clouds, 1e-2, true, false, 1e-3).passed, rows);
}

TEST(RoughSearch, WhatIsOfRoundingIsDropped) {
    const Clouds clouds;
    EXPECT_FALSE(solve(clouds, 0.2, true, false, 1e-3).solution.rough_search);
}

}  // namespace
}  // namespace dk::test::rough_search_test

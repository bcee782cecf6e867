// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "support.hpp"

namespace dk::test::smo_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// This matrix is stored; `largest_block` limits working sets.
class StoredMatrix final : public GramMatrix {
  public:
    explicit StoredMatrix(Eigen::MatrixXd matrix, Index largest_block = 1000000)
        : matrix_(std::move(matrix)), largest_block_(largest_block) {
        for (Index i = 0; i < size(); ++i) diagonal_.push_back(matrix_(i, i));
    }
    Index size() const override { return matrix_.rows(); }
    std::span<const double> diagonal() const override { return diagonal_; }
    bool single() const override { return false; }
    Index largest_block() const override { return largest_block_; }

    BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage, Control&) override {
        EXPECT_LE(std::ssize(rows), std::max<Index>(largest_block_, 2));
        const Index count = std::ssize(rows);
        const Index stride = count + 9;
        double* values = storage.begin_whole(stride);
        // What stands behind a row must not matter.
        for (Index e = 0; e < count * stride + block_slack; ++e)
            values[e] = e % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : 1e300;
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < count; ++j) values[i * stride + j] = matrix_(rows[i], rows[j]);
        }
        return {values, stride};
    }
    BlockView<float> block(std::span<const Index>, BlockStorage<float>&, Control&) override { return {}; }

    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control&) override {
        for (std::size_t r = 0; r < rows.size(); ++r)
            Eigen::Map<Eigen::VectorXd>(out.data(), size()) += weights[r] * matrix_.col(rows[r]);
    }
    const Eigen::MatrixXd& matrix() const { return matrix_; }

  private:
    Eigen::MatrixXd matrix_;
    Index largest_block_;
    std::vector<double> diagonal_;
};

/// This is the textbook's form of the program: min 1/2 a'Qa + p'a, 0 <= a <= upper, y'a fixed, Q_ij = y_i y_j
/// K_ij + [i = j] ridge_i.
struct SignedProgram {
    StoredMatrix& kernel;
    std::vector<double> signs;
    std::vector<double> linear;
    std::vector<double> upper;
    std::vector<double> ridge;
    std::vector<double> start;
    bool both_sums_fixed = false;
};

/// Gives the box program of the textbook's form, with b = y a.
BoxProgram box_form(const SignedProgram& program) {
    const std::size_t n = program.signs.size();
    BoxProgram box{.gram = program.kernel,
                   .rows = {},
                   .linear = {},
                   .lower = std::vector<double>(n, 0.0),
                   .upper = std::vector<double>(n, 0.0),
                   .ridge = program.ridge,
                   .start = {},
                   .in_second = {}};
    for (std::size_t i = 0; i < n; ++i) {
        const double y = program.signs[i];
        box.linear.push_back(y * program.linear[i]);
        box.start.push_back(y * program.start[i]);
        (y > 0 ? box.upper[i] : box.lower[i]) = y * program.upper[i];
        if (program.both_sums_fixed) box.in_second.push_back(y < 0 ? 1 : 0);
    }
    return box;
}

struct Solved : SmoSolution {
    std::vector<double> alpha;
    std::vector<double> gradient;
    double offset = 0;
};

Solved solve(const SignedProgram& program, const SmoOptions& options, Control& control) {
    const BoxProgram box = box_form(program);
    Solved solved{solve_smo(box, options, control), {}, {}, 0};
    for (std::size_t i = 0; i < program.signs.size(); ++i) {
        solved.alpha.push_back(program.signs[i] * solved.beta[i]);
        solved.gradient.push_back(-program.signs[i] * solved.descent[i]);
    }
    solved.offset = smo_offset(box, solved);
    return solved;
}

Eigen::MatrixXd random_psd(Index rows, Index rank, std::uint64_t seed) {
    const auto values = normal_values(rows * rank, seed);
    const Eigen::Map<const Eigen::MatrixXd> factor(values.data(), rows, rank);
    return factor * factor.transpose();
}

/// Gives the linear kernel's matrix of the points, which are columns.
Eigen::MatrixXd linear_kernel(const Eigen::MatrixXd& points) {
    return points.transpose() * points;
}

SignedProgram svm_program(StoredMatrix& rows, std::vector<double> signs, double c) {
    const auto n = signs.size();
    return {.kernel = rows,
            .signs = std::move(signs),
            .linear = std::vector<double>(n, -1.0),
            .upper = std::vector<double>(n, c),
            .ridge = {},
            .start = std::vector<double>(n, 0.0)};
}

std::vector<double> alternating(Index count) {
    std::vector<double> signs;
    for (Index i = 0; i < count; ++i) signs.push_back(i % 2 == 0 ? 1.0 : -1.0);
    return signs;
}

Eigen::MatrixXd signed_matrix(const SignedProgram& program, const Eigen::MatrixXd& kernel) {
    Eigen::MatrixXd q = kernel;
    for (Index i = 0; i < q.rows(); ++i) {
        for (Index j = 0; j < q.cols(); ++j) q(i, j) *= program.signs[i] * program.signs[j];
        if (!program.ridge.empty()) q(i, i) += program.ridge[i];
    }
    return q;
}

double objective(const Eigen::MatrixXd& q, const Eigen::VectorXd& linear, const Eigen::VectorXd& a) {
    return 0.5 * a.dot(q * a) + linear.dot(a);
}

/// Finds the exact minimum by trying every way to hold variables at a bound; the rest follows from the linear
/// equations.
double least_objective(const SignedProgram& program, const Eigen::MatrixXd& kernel) {
    const Index n = kernel.rows();
    const Eigen::MatrixXd q = signed_matrix(program, kernel);
    const Eigen::VectorXd linear = Eigen::Map<const Eigen::VectorXd>(program.linear.data(), n);
    // The rows of constraints hold y'a fixed, and 1'a where both sums are fixed.
    Eigen::MatrixXd constraints(program.both_sums_fixed ? 2 : 1, n);
    constraints.row(0) = Eigen::Map<const Eigen::RowVectorXd>(program.signs.data(), n);
    if (program.both_sums_fixed) constraints.row(1).setOnes();
    const Eigen::VectorXd sums = constraints * Eigen::Map<const Eigen::VectorXd>(program.start.data(), n);
    Index combinations = 1;
    for (Index i = 0; i < n; ++i) combinations *= 3;
    double best = infinity;
    for (Index combination = 0; combination < combinations; ++combination) {
        Eigen::VectorXd a = Eigen::VectorXd::Zero(n);
        std::vector<Index> free;
        bool possible = true;
        for (Index i = 0, rest = combination; i < n; ++i, rest /= 3) {
            if (rest % 3 == 2) free.push_back(i);
            if (rest % 3 != 1) continue;
            a(i) = program.upper[i];
            possible = possible && std::isfinite(a(i));
        }
        if (!possible) continue;
        const Index m = std::ssize(free);
        const Index k = constraints.rows();
        Eigen::MatrixXd system = Eigen::MatrixXd::Zero(m + k, m + k);
        Eigen::VectorXd right(m + k);
        const Eigen::VectorXd fixed_gradient = q * a + linear;
        for (Index r = 0; r < m; ++r) {
            for (Index c = 0; c < m; ++c) system(r, c) = q(free[r], free[c]);
            for (Index c = 0; c < k; ++c) system(r, m + c) = system(m + c, r) = constraints(c, free[r]);
            right(r) = -fixed_gradient(free[r]);
        }
        right.tail(k) = sums - constraints * a;
        const Eigen::VectorXd solved = system.completeOrthogonalDecomposition().solve(right);
        for (Index r = 0; r < m; ++r) a(free[r]) = solved(r);
        for (Index i = 0; i < n; ++i) {
            possible = possible && a(i) >= -1e-9 && a(i) <= program.upper[i] + 1e-9;
        }
        if (possible && (constraints * a - sums).norm() < 1e-8)
            best = std::min(best, objective(q, linear, a));
    }
    return best;
}

/// Checks everything that the solution says of itself with the matrix.
void expect_true_report(const SignedProgram& program, const Eigen::MatrixXd& kernel, const Solved& solution,
                        double tolerance) {
    const Index n = kernel.rows();
    const Eigen::MatrixXd q = signed_matrix(program, kernel);
    const Eigen::VectorXd a = Eigen::Map<const Eigen::VectorXd>(solution.alpha.data(), n);
    const Eigen::VectorXd linear = Eigen::Map<const Eigen::VectorXd>(program.linear.data(), n);
    const Eigen::VectorXd gradient = q * a + linear;
    const double size = std::max(1.0, gradient.cwiseAbs().maxCoeff());
    double sum = 0;
    double started = 0;
    double highest[2] = {-infinity, -infinity};
    double lowest[2] = {infinity, infinity};
    for (Index i = 0; i < n; ++i) {
        const double y = program.signs[i];
        const double upper = program.upper[i];
        EXPECT_GE(a(i), 0);
        EXPECT_LE(a(i), upper);
        EXPECT_NEAR(solution.gradient[i], gradient(i), 1e-11 * size);
        sum += y * a(i);
        started += y * program.start[i];
        const std::size_t group = program.both_sums_fixed && y < 0 ? 1 : 0;
        if (y > 0 ? a(i) < upper : a(i) > 0) highest[group] = std::max(highest[group], -y * gradient(i));
        if (y > 0 ? a(i) > 0 : a(i) < upper) lowest[group] = std::min(lowest[group], -y * gradient(i));
    }
    const double total = a.cwiseAbs().sum();
    EXPECT_NEAR(sum, started, 1e-12 * std::max(1.0, total));
    EXPECT_NEAR(solution.objective, objective(q, linear, a),
                1e-11 * std::max(1.0, std::abs(solution.objective)));
    double gap = 0;
    for (std::size_t group = 0; group < 2; ++group) {
        if (std::isfinite(highest[group]) && std::isfinite(lowest[group]))
            gap = std::max(gap, highest[group] - lowest[group]);
    }
    EXPECT_NEAR(std::max(0.0, solution.gap), gap, 1e-10 * size);
    EXPECT_EQ(solution.converged, solution.gap <= tolerance);
}

TEST(Smo, SmallProgramsAgainstEveryActiveSet) {
    BegunControl control;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Index n = 4 + static_cast<Index>(seed % 3);
        StoredMatrix rows(random_psd(n, seed % 2 == 0 ? n : 2, seed));
        auto program = svm_program(rows, alternating(n), seed % 4 == 0 ? 0.05 : 1.0);
        program.upper[0] = 0.25;
        program.linear = normal_values(n, 50 + seed, -1, 0.5);
        if (seed % 3 == 0) program.ridge.assign(n, 0.5);
        const auto solution = solve(program, {1e-10, 0}, control);
        expect_true_report(program, rows.matrix(), solution, 1e-10);
        EXPECT_TRUE(solution.converged) << "seed " << seed;
        EXPECT_NEAR(solution.objective, least_objective(program, rows.matrix()), 1e-8) << "seed " << seed;
    }
}

TEST(Smo, LargerProgramsSatisfyTheOptimalityConditions) {
    BegunControl control;
    for (const auto& [n, rank] : {std::pair<Index, Index>{120, 40}, {420, 300}}) {
        StoredMatrix rows(random_psd(n, rank, 31));
        for (const double c : {0.01, 1.0, 100.0}) {
            const auto program = svm_program(rows, alternating(n), c);
            const auto solution = solve(program, {1e-8, 0}, control);
            EXPECT_TRUE(solution.converged) << n << " rows, C = " << c;
            EXPECT_LE(solution.gap, 1e-8);
            expect_true_report(program, rows.matrix(), solution, 1e-8);
        }
    }
}

/// However small the working sets are, they lead to the same minimum.
TEST(Smo, SmallWorkingSetsReachTheSameMinimum) {
    BegunControl control;
    for (const bool both : {false, true}) {
        StoredMatrix whole(random_psd(60, 25, 33));
        auto program = svm_program(whole, alternating(60), 0.7);
        program.both_sums_fixed = both;
        if (both) program.start[0] = program.start[1] = 0.5;
        const auto expected = solve(program, {1e-9, 0}, control);
        for (const Index kept : {2, 3, 4, 7, 20, 59}) {
            StoredMatrix parts(whole.matrix(), kept);
            SignedProgram same{parts,         program.signs, program.linear,         program.upper,
                               program.ridge, program.start, program.both_sums_fixed};
            const auto solution = solve(same, {1e-9, 0}, control);
            EXPECT_TRUE(solution.converged) << kept;
            EXPECT_GT(solution.rounds, 1);
            EXPECT_NEAR(solution.objective, expected.objective, 1e-8 * std::abs(expected.objective)) << kept;
            expect_true_report(same, parts.matrix(), solution, 1e-9);
        }
    }
}

/// A KeepingMatrix gives whole rows too, and counts those that it was asked for.
class KeepingMatrix final : public GramMatrix {
  public:
    explicit KeepingMatrix(StoredMatrix& stored) : stored_(stored), asked_(stored.size()) {}
    Index size() const override { return stored_.size(); }
    std::span<const double> diagonal() const override { return stored_.diagonal(); }
    bool single() const override { return false; }
    Index largest_block() const override { return size(); }
    BlockView<double> block(std::span<const Index>, BlockStorage<double>&, Control&) override {
        ADD_FAILURE() << "a program whose rows are kept needs no blocks";
        return {};
    }
    BlockView<float> block(std::span<const Index>, BlockStorage<float>&, Control&) override { return {}; }
    bool keeps_rows() const override { return true; }
    void whole_rows(std::span<const Index> rows, std::span<const double*> out, Control&) override {
        // Few rows come at once until half of all were asked for.
        const Index asked_before = rows_asked();
        if (most_asked() <= 1) {
            EXPECT_LE(std::ssize(rows), 2 * asked_before < size() ? 8 : 16);
            largest_batch_ = std::max(largest_batch_, std::ssize(rows));
        }
        for (std::size_t r = 0; r < rows.size(); ++r) {
            ++asked_[rows[r]];
            out[r] = stored_.matrix().col(rows[r]).data();
        }
    }
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override {
        stored_.add_product(rows, weights, out, control);
    }
    Index most_asked() const { return std::ranges::max(asked_); }
    Index rows_asked() const { return size() - std::ranges::count(asked_, 0); }
    Index largest_batch() const { return largest_batch_; }

  private:
    StoredMatrix& stored_;
    std::vector<Index> asked_;
    Index largest_batch_ = 0;  // of the first round
};

/// Where a matrix keeps its rows, a program is solved as a whole: the minimum is the same, no row is asked
/// for twice in a round, and rows that nobody needs are not asked for.
TEST(Smo, RowsThatAreKeptAreFetchedWhenTheyAreNeeded) {
    BegunControl control;
    for (const Index n : {1, 2, 17, 300, 900}) {
        StoredMatrix stored(random_psd(n, std::max<Index>(1, n / 3), 37));
        auto program = svm_program(stored, alternating(n), 0.5);
        if (n == 300) program.ridge = std::vector<double>(n, 0.3);
        if (n > 10) program.upper[4] = 0;  // This variable can't move.
        const auto expected = solve(program, {1e-8, 0}, control);
        BoxProgram box = box_form(program);
        KeepingMatrix keeping(stored);
        const BoxProgram kept{keeping, {}, box.linear, box.lower, box.upper, box.ridge, box.start, {}};
        const auto solution = solve_smo(kept, {1e-8, 0}, control);
        EXPECT_TRUE(solution.converged) << n;
        EXPECT_LE(solution.gap, 1e-8);
        EXPECT_NEAR(solution.objective, expected.objective, 1e-7 * std::abs(expected.objective)) << n;
        EXPECT_LE(keeping.most_asked(), solution.rounds);
        if (n >= 300) {
            EXPECT_GT(keeping.largest_batch(), 8) << n;
        }
    }
    // Two far clusters need few rows.
    Eigen::MatrixXd apart = Eigen::MatrixXd::Identity(600, 600) * 1e-3;
    apart.array() += 0.5;
    apart.topLeftCorner(300, 300).array() += 1;
    apart.bottomRightCorner(300, 300).array() += 1;
    for (Index i = 0; i < 600; ++i) apart(i, i) -= i % 300 == 7 ? 9e-4 : 0;
    StoredMatrix stored(apart);
    std::vector<double> signs(600, 1.0);
    std::fill(signs.begin() + 300, signs.end(), -1.0);
    BoxProgram box = box_form(svm_program(stored, signs, 10.0));
    KeepingMatrix keeping(stored);
    const BoxProgram kept{keeping, {}, box.linear, box.lower, box.upper, box.ridge, box.start, {}};
    EXPECT_TRUE(solve_smo(kept, {1e-3, 0}, control).converged);
    EXPECT_LT(keeping.rows_asked(), 300);
}

/// Two variables on each row, as a regression has them, must give the result of the same rows written twice.
TEST(Smo, VariablesMayShareRows) {
    BegunControl control;
    const Eigen::MatrixXd matrix = random_psd(30, 12, 35);
    Eigen::MatrixXd twice(60, 60);
    twice << matrix, matrix, matrix, matrix;
    StoredMatrix once_source(matrix);
    StoredMatrix twice_source(twice);
    std::vector<double> signs(60, 1.0);
    std::fill(signs.begin() + 30, signs.end(), -1.0);
    auto program = svm_program(twice_source, signs, 0.4);
    program.linear = normal_values(60, 36);
    const auto expected = solve(program, {1e-9, 0}, control);
    BoxProgram shared = box_form(program);
    BoxProgram mapped{once_source, {}, shared.linear, shared.lower, shared.upper, {}, shared.start, {}};
    for (Index t = 0; t < 60; ++t) mapped.rows.push_back(t % 30);
    const auto solution = solve_smo(mapped, {1e-9, 0}, control);
    EXPECT_NEAR(solution.objective, expected.objective, 1e-9 * std::abs(expected.objective));
    EXPECT_TRUE(solution.converged);
}

/// Without a box, min 1/2 a'(Q + 1/C) a - 1'a is a linear system where all a > 0.
TEST(Smo, RidgeWithoutBoundsSolvesTheLinearSystem) {
    BegunControl control;
    const Index n = 6;
    StoredMatrix rows(Eigen::MatrixXd::Identity(n, n) + 0.1 * Eigen::MatrixXd::Ones(n, n));
    auto program = svm_program(rows, alternating(n), infinity);
    program.ridge.assign(n, 2.0);
    program.linear = {-1, -2, -1, -3, -2, -2};
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + 1, n + 1);
    system.topLeftCorner(n, n) = signed_matrix(program, rows.matrix());
    Eigen::VectorXd right(n + 1);
    for (Index i = 0; i < n; ++i) {
        system(i, n) = system(n, i) = program.signs[i];
        right(i) = -program.linear[i];
    }
    right(n) = 0;
    const Eigen::VectorXd expected = system.fullPivLu().solve(right);
    ASSERT_GT(expected.head(n).minCoeff(), 0);
    const auto solution = solve(program, {1e-12, 0}, control);
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(solution.alpha[i], expected(i), 1e-10);
    EXPECT_NEAR(solution.offset, expected(n), 1e-10);  // The offset is the multiplier of y'a = 0.
}

/// The program finds the nearest points of two triangles, (0, 0) (1, 0) (0, 1) and (3, 1) (4, 1) (3, 2),
/// which are (1, 0) and (3, 1).
TEST(Smo, BothSumsFixedFindNearestPointsOfHulls) {
    BegunControl control;
    Eigen::MatrixXd points(2, 6);
    points << 0, 1, 0, 3, 4, 3, 0, 0, 1, 1, 1, 2;
    StoredMatrix rows(linear_kernel(points));
    SignedProgram program{.kernel = rows,
                          .signs = {1, 1, 1, -1, -1, -1},
                          .linear = std::vector<double>(6, 0.0),
                          .upper = std::vector<double>(6, 1.0),
                          .ridge = {},
                          .start = {1, 0, 0, 0, 1, 0},
                          .both_sums_fixed = true};
    const auto solution = solve(program, {1e-10, 0}, control);
    EXPECT_TRUE(solution.converged);
    EXPECT_NEAR(2 * solution.objective, 5, 1e-8);
    EXPECT_NEAR(solution.alpha[1], 1, 1e-8);
    EXPECT_NEAR(solution.alpha[3], 1, 1e-8);
    expect_true_report(program, rows.matrix(), solution, 1e-10);
}

TEST(Smo, BothSumsFixedAgainstEveryActiveSet) {
    BegunControl control;
    for (std::uint64_t seed = 61; seed <= 66; ++seed) {
        StoredMatrix rows(random_psd(6, 3, seed));
        auto program = svm_program(rows, alternating(6), 1.0);
        program.linear.assign(6, 0.0);
        program.start = {1, 1, 0, 0, 0, 0};
        program.both_sums_fixed = true;
        const auto solution = solve(program, {1e-10, 0}, control);
        const auto& a = solution.alpha;
        EXPECT_NEAR(a[0] + a[2] + a[4], 1, 1e-12);
        EXPECT_NEAR(a[1] + a[3] + a[5], 1, 1e-12);
        EXPECT_NEAR(solution.objective, least_objective(program, rows.matrix()), 1e-8) << "seed " << seed;
    }
}

TEST(Smo, TheIterationLimitIsKeptAndReported) {
    BegunControl control;
    StoredMatrix rows(random_psd(60, 20, 71));
    const auto program = svm_program(rows, alternating(60), 10);
    for (const std::int64_t limit : {1, 7}) {
        const auto solution = solve(program, {1e-8, limit}, control);
        EXPECT_EQ(solution.iterations, limit);
        EXPECT_FALSE(solution.converged);
        EXPECT_GT(solution.gap, 1e-8);
        expect_true_report(program, rows.matrix(), solution, 1e-8);
    }
    EXPECT_TRUE(solve(program, {1e-8, 1000000}, control).converged);
}

TEST(Smo, DuplicatesWithOppositeLabelsGoToTheBound) {
    BegunControl control;
    Eigen::MatrixXd points(2, 4);
    points << 1, 1, 2, 2, 0, 0, 1, 1;
    StoredMatrix rows(linear_kernel(points));
    const auto program = svm_program(rows, alternating(4), 3);
    const auto solution = solve(program, {1e-9, 0}, control);
    EXPECT_TRUE(solution.converged);
    // The best w is 0: every slack is 1 whatever the rest, so the dual is 4 C.
    EXPECT_NEAR(solution.objective, -12, 1e-8);
    for (const double a : solution.alpha) EXPECT_NEAR(a, 3, 1e-8);
}

TEST(Smo, TinyBoxesAreFilled) {
    BegunControl control;
    StoredMatrix rows(random_psd(10, 5, 81));
    const auto program = svm_program(rows, alternating(10), 1e-12);
    const auto solution = solve(program, {1e-3, 0}, control);
    EXPECT_TRUE(solution.converged);
    for (const double a : solution.alpha) EXPECT_EQ(a, 1e-12);
    EXPECT_NEAR(solution.objective, -1e-11, 1e-20);
}

/// Two points that are 2 apart have w = 1, margin 1 and both multipliers 1/2, however large the box.
TEST(Smo, HugeBoxesAreTheHardMargin) {
    BegunControl control;
    Eigen::MatrixXd points(1, 4);
    points << 1, -1, 3, -3;
    StoredMatrix rows(linear_kernel(points));
    for (const double c : {1e12, infinity}) {
        const auto program = svm_program(rows, alternating(4), c);
        const auto solution = solve(program, {1e-10, 0}, control);
        EXPECT_TRUE(solution.converged);
        EXPECT_NEAR(solution.alpha[0], 0.5, 1e-9);
        EXPECT_NEAR(solution.alpha[1], 0.5, 1e-9);
        EXPECT_NEAR(solution.objective, -0.5, 1e-9);
        EXPECT_NEAR(solution.offset, 0, 1e-9);
    }
}

TEST(Smo, VariablesWithoutRoomStayAtZero) {
    BegunControl control;
    StoredMatrix rows(random_psd(8, 8, 91));
    auto program = svm_program(rows, alternating(8), 1);
    program.upper[2] = program.upper[5] = 0;
    const auto solution = solve(program, {1e-10, 0}, control);
    EXPECT_TRUE(solution.converged);
    EXPECT_EQ(solution.alpha[2], 0);
    EXPECT_EQ(solution.alpha[5], 0);
    EXPECT_NEAR(solution.objective, least_objective(program, rows.matrix()), 1e-8);
}

TEST(Smo, OffsetBetweenBoundedVariables) {
    BegunControl control;
    Eigen::MatrixXd points(1, 2);
    points << 5, 1;
    StoredMatrix rows(linear_kernel(points));
    const auto program = svm_program(rows, {1, -1}, 0.01);  // The box is too small to separate.
    const auto solution = solve(program, {1e-10, 0}, control);
    EXPECT_EQ(solution.alpha[0], 0.01);
    EXPECT_EQ(solution.alpha[1], 0.01);
    // Here w = 0.04. The slack of the first row needs b <= 1 - 0.2, that of the second b >= -1 - 0.04, and
    // the middle is taken.
    EXPECT_NEAR(solution.offset, 0.5 * ((1 - 0.2) + (-1 - 0.04)), 1e-12);
}

TEST(Smo, CancelEndsIt) {
    BegunControl control;
    StoredMatrix rows(random_psd(400, 400, 95));
    const auto program = svm_program(rows, alternating(400), 1e6);
    control.cancel();
    message_of(Status::cancelled, [&] { solve(program, {1e-12, 0}, control); });
}

}  // namespace
}  // namespace dk::test::smo_test

// SPDX-License-Identifier: Apache-2.0
// Variables that stay at their bounds leave the program for a while. These tests expect that this changes
// nothing of what is found.
#include "feature_programs.hpp"
#include "solve/box/decomposition.hpp"
#include "trained.hpp"

namespace dk::test::shrinking_test {
namespace {

constexpr double tolerance = 1e-7;

/// Shrinkings count how often a matrix was made smaller, and how small.
struct Shrinkings {
    int count = 0;
    int of_the_whole = 0;
    Index smallest = 1000000;
    std::function<void()> on_shrinking = [] {};
};

/// This matrix F F' gives matrices of fewer rows, and expects that nobody asks it for values while one of
/// these is in use, because that would throw away what the smaller one has stored.
class ShrinkingMatrix final : public GramMatrix {
  public:
    ShrinkingMatrix(Features features, Shrinkings& seen, int* lent_by = nullptr)
        : features_(std::move(features)), whole_(features_, true), seen_(seen), lent_by_(lent_by) {
        if (lent_by_ != nullptr) ++*lent_by_;
    }
    ~ShrinkingMatrix() override {
        if (lent_by_ != nullptr) --*lent_by_;
    }
    ShrinkingMatrix(const ShrinkingMatrix&) = delete;
    ShrinkingMatrix& operator=(const ShrinkingMatrix&) = delete;

    Index size() const override { return whole_.size(); }
    std::span<const double> diagonal() const override { return whole_.diagonal(); }
    bool single() const override { return false; }
    Index largest_block() const override { return 24; }
    BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage,
                            Control& control) override {
        EXPECT_EQ(lent_, 0);
        return whole_.block(rows, storage, control);
    }
    BlockView<float> block(std::span<const Index>, BlockStorage<float>&, Control&) override { return {}; }
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override {
        EXPECT_EQ(lent_, 0);
        whole_.add_product(rows, weights, out, control);
    }
    std::unique_ptr<GramMatrix> principal_submatrix(std::span<const Index> rows, Control&) override {
        EXPECT_EQ(lent_, 0);
        EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::less_equal()) || rows.size() < 2);
        ++seen_.count;
        seen_.of_the_whole += lent_by_ == nullptr ? 1 : 0;
        seen_.smallest = std::min(seen_.smallest, std::ssize(rows));
        seen_.on_shrinking();
        Features some(std::ssize(rows), features_.cols());
        for (Index i = 0; i < std::ssize(rows); ++i) some.row(i) = features_.row(rows[i]);
        return std::make_unique<ShrinkingMatrix>(std::move(some), seen_, &lent_);
    }
    void add_product_at(std::span<const Index> rows, std::span<const Index> columns,
                        std::span<const double> weights, std::span<double> out, Control&) const override {
        Eigen::VectorXd w = Eigen::VectorXd::Zero(features_.cols());
        for (std::size_t c = 0; c < columns.size(); ++c)
            w += weights[c] * features_.row(columns[c]).transpose();
        for (const Index i : rows) out[i] += features_.row(i).dot(w);
    }

  private:
    Features features_;
    FeatureMatrix whole_;
    Shrinkings& seen_;
    int* lent_by_;
    int lent_ = 0;
};

/// Computes -(K b + ridge b + linear) anew, and how far it violates optimality.
std::pair<std::vector<double>, double> descent_of(const BoxProgram& program, const std::vector<double>& b) {
    BegunControl control;
    std::vector<Index> rows;
    for (Index t = 0; t < program.size(); ++t) rows.push_back(program.row(t));
    std::vector<double> products(program.gram.size());
    program.gram.add_product(rows, b, products, control);
    std::vector<double> descent;
    double highest[2] = {-infinity, -infinity};
    double lowest[2] = {infinity, infinity};
    for (std::size_t t = 0; t < b.size(); ++t) {
        const double ridge = program.ridge.empty() ? 0 : program.ridge[t];
        descent.push_back(-(products[rows[t]] + ridge * b[t] + program.linear[t]));
        const std::size_t group = program.group(static_cast<Index>(t));
        if (b[t] < program.upper[t]) highest[group] = std::max(highest[group], descent[t]);
        if (b[t] > program.lower[t]) lowest[group] = std::min(lowest[group], descent[t]);
    }
    return {descent, std::max(highest[0] - lowest[0], highest[1] - lowest[1])};
}

/// Solutions of every kind of program must be feasible, optimal by products computed anew, and as good as
/// those of the program that is never made smaller.
TEST(Shrinking, FindsTheMinimumOfTheWholeProgram) {
    BegunControl control;
    int shrunk = 0;
    for (const FeatureProgram& wanted : feature_programs(9)) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, wanted.name);
        Shrinkings seen;
        ShrinkingMatrix source(wanted.data.features, seen);
        FeatureMatrix plain(wanted.data.features, true);
        const BoxProgram program = wanted.make(source, wanted.data);
        const auto found = solve_by_decomposition(program, {tolerance, 0}, control);
        const auto expected =
            solve_by_decomposition(wanted.make(plain, wanted.data), {tolerance, 0}, control);
        shrunk += seen.count > 0 ? 1 : 0;
        EXPECT_TRUE(found.converged);
        const double scale = std::max(1.0, std::abs(expected.objective));
        EXPECT_NEAR(found.objective, expected.objective, 1e-6 * scale);
        const auto [descent, gap] = descent_of(program, found.beta);
        EXPECT_LE(gap, 1.1 * tolerance);
        for (std::size_t t = 0; t < descent.size(); ++t) {
            ASSERT_NEAR(found.descent[t], descent[t], 0.1 * tolerance);
            ASSERT_GE(found.beta[t], program.lower[t]);
            ASSERT_LE(found.beta[t], program.upper[t]);
        }
        const auto sums = group_sums(program, found.beta);
        const auto wanted_sums = group_sums(program, program.start);
        for (std::size_t g = 0; g < 2; ++g) EXPECT_NEAR(sums[g], wanted_sums[g], 1e-10);
    }
    EXPECT_GE(shrunk, 5);
}

/// Matrices of fewer rows are made smaller again, and the whole matrix returns where what was left out turns
/// out to violate.
TEST(Shrinking, HappensAgainInsideAndAfterwards) {
    BegunControl control;
    bool inside = false;
    bool afterwards = false;
    std::vector<FeatureProgram> programs = feature_programs(9);
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {  // Rounding decides what violates afterwards.
        programs.push_back(
            {"hinge of many features", overlapping(2300, 30, seed),
             [](GramMatrix& gram, const SignedFeatures& data) { return hinge(gram, data, 0.1); }});
    }
    for (const FeatureProgram& wanted : programs) {
        Shrinkings seen;
        ShrinkingMatrix source(wanted.data.features, seen);
        const BoxProgram program = wanted.make(source, wanted.data);
        EXPECT_TRUE(solve_by_decomposition(program, {tolerance, 0}, control).converged);
        inside = inside || seen.count > seen.of_the_whole;
        afterwards = afterwards || seen.of_the_whole > 1;
        if (seen.count > 0) {
            EXPECT_LE(seen.smallest, source.size() / 2) << wanted.name;
        }
    }
    EXPECT_TRUE(inside);
    EXPECT_TRUE(afterwards);
}

/// The limit counts the steps of active programs too, and what is reported then is true of the whole program.
TEST(Shrinking, TheIterationLimitIsKeptInside) {
    BegunControl control;
    const SignedFeatures data = overlapping(2300, 9, 1);
    Shrinkings seen;
    ShrinkingMatrix all_source(data.features, seen);
    const auto all = solve_by_decomposition(hinge(all_source, data, 1), {tolerance, 0}, control);
    ASSERT_GE(seen.count, 1);
    for (const std::int64_t limit : {all.iterations / 2, all.iterations * 3 / 4, all.iterations * 9 / 10}) {
        ShrinkingMatrix source(data.features, seen);
        const BoxProgram program = hinge(source, data, 1);
        const auto found = solve_by_decomposition(program, {tolerance, limit}, control);
        EXPECT_EQ(found.iterations, limit);
        EXPECT_FALSE(found.converged);
        const auto [descent, gap] = descent_of(program, found.beta);
        EXPECT_NEAR(found.gap, gap, 1e-6);
        for (std::size_t t = 0; t < descent.size(); ++t) ASSERT_NEAR(found.descent[t], descent[t], 1e-8);
    }
}

TEST(Shrinking, CancelInsideEndsIt) {
    BegunControl control;
    const SignedFeatures data = overlapping(2300, 9, 1);
    Shrinkings seen;
    seen.on_shrinking = [&] { control.cancel(); };
    ShrinkingMatrix source(data.features, seen);
    message_of(Status::cancelled, [&] {
        solve_by_decomposition(hinge(source, data, 1), {tolerance, 0}, control);
    });
    EXPECT_EQ(seen.count, 1);
}

/// A cache of few rows takes many rounds, which make the program smaller on the way. The bits must be the
/// same for any number of threads, and the decisions those of the machine that has room for all rows.
TEST(Shrinking, MachinesLearnTheSame) {
    const Dataset data = blobs(3000, 5, 2, 0.7, 3, true);
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.3)"}, {"C", "100"}, {"tolerance", "1e-4"}};
    const auto with = [&](const char* megabytes, int threads) {
        BegunControl control(threads);
        auto chosen = default_specification("svm");
        for (const auto& [key, value] : settings) set_parameter(chosen, key, value);
        set_parameter(chosen, "memory_mb", megabytes);
        return decided(train(data, chosen, control), data);
    };
    const auto expected = with("1000", 1);
    EXPECT_EQ(with("1000", 2), expected);
    const auto cached = with("4", 2);
    EXPECT_EQ(with("4", 1), cached);
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(cached[i], expected[i], 2e-3);
}

}  // namespace
}  // namespace dk::test::shrinking_test

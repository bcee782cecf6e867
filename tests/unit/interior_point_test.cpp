// SPDX-License-Identifier: Apache-2.0
#include "solve/interior_point.hpp"

#include <Eigen/Dense>
#include <limits>
#include <numeric>

#include "support.hpp"

namespace dk::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Features = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// F F', which tells its features or hides them.
class FeatureMatrix : public GramSource {
  public:
    FeatureMatrix(const Features& features, bool hidden) : features_(features), hidden_(hidden) {
        for (Index i = 0; i < size(); ++i) diagonal_.push_back(features_.row(i).squaredNorm());
    }
    Index size() const override { return features_.rows(); }
    std::span<const double> diagonal() const override { return diagonal_; }
    bool single() const override { return false; }
    Index largest_block() const override { return size(); }
    FeatureRows features() const override {
        if (hidden_) return {};
        return {features_.data(), features_.rows(), features_.cols()};
    }
    BlockView<double> block(std::span<const Index> rows, LargeArray<double>& storage, Control&) override {
        const Index count = size_of(rows);
        storage = LargeArray<double>(count * count + block_slack);
        std::fill(storage.data() + count * count, storage.data() + storage.size(), 0.0);
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < count; ++j)
                storage[unsigned_of(i * count + j)] =
                    features_.row(rows[unsigned_of(i)]).dot(features_.row(rows[unsigned_of(j)]));
        }
        return {storage.data(), count};
    }
    BlockView<float> block(std::span<const Index>, LargeArray<float>&, Control&) override { return {}; }
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control&) override {
        Eigen::VectorXd w = Eigen::VectorXd::Zero(features_.cols());
        for (std::size_t r = 0; r < rows.size(); ++r) w += weights[r] * features_.row(rows[r]).transpose();
        Eigen::Map<Eigen::VectorXd>(out.data(), size()) += features_ * w;
    }

  private:
    const Features& features_;
    bool hidden_;
    std::vector<double> diagonal_;
};

/// The same, which tells its features as sparse rows.
class SparseFeatureMatrix final : public FeatureMatrix {
  public:
    explicit SparseFeatureMatrix(const Features& features)
        : FeatureMatrix(features, true), rows_(features.rows()), cols_(features.cols()) {
        for (Index i = 0; i < features.rows(); ++i) {
            for (Index j = 0; j < features.cols(); ++j) {
                if (features(i, j) == 0) continue;
                columns_.push_back(j);
                values_.push_back(features(i, j));
            }
            offsets_.push_back(size_of(values_));
        }
    }
    FeatureRows features() const override {
        return {values_.data(), rows_, cols_, offsets_.data(), columns_.data()};
    }

  private:
    Index rows_;
    Index cols_;
    std::vector<Index> offsets_{0};
    std::vector<Index> columns_;
    std::vector<double> values_;
};

double objective(const Features& features, const BoxProgram& program, std::span<const double> b) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(features.cols());
    double sum = 0;
    for (Index t = 0; t < program.size(); ++t) {
        const double value = b[unsigned_of(t)];
        w += value * features.row(program.row(t)).transpose();
        sum += program.linear[unsigned_of(t)] * value;
        if (!program.ridge.empty()) sum += 0.5 * program.ridge[unsigned_of(t)] * value * value;
    }
    return sum + 0.5 * w.squaredNorm();
}

struct Case {
    Features features = {};
    std::vector<double> signs = {};
};

/// Two overlapping clouds, the last column constant.
Case overlapping(Index rows, Index columns, std::uint64_t seed) {
    Case out;
    out.features = Features(rows, columns);
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    for (Index i = 0; i < rows; ++i) {
        const double sign = uniform(generator) < 0.5 ? -1 : 1;
        out.signs.push_back(sign);
        for (Index j = 0; j < columns; ++j)
            out.features(i, j) =
                j + 1 == columns ? 1 : normal(generator) + 0.4 * sign / static_cast<double>(j + 1);
    }
    return out;
}

BoxProgram hinge(GramSource& gram, const Case& data, double c) {
    BoxProgram program = zero_program(gram, size_of(data.signs));
    for (std::size_t i = 0; i < data.signs.size(); ++i) {
        program.linear[i] = -data.signs[i];
        (data.signs[i] > 0 ? program.upper[i] : program.lower[i]) = data.signs[i] * c;
    }
    return program;
}

/// The start is feasible, no worse than what decomposition finds without features, and decomposition agrees.
void expect_optimal(const Case& data, const std::function<BoxProgram(GramSource&)>& make,
                    double relative = 1e-5) {
    FeatureMatrix open(data.features, false);
    FeatureMatrix hidden(data.features, true);
    const BoxProgram program = make(open);
    BegunControl control(2);
    const auto found = interior_start(program, control);
    ASSERT_TRUE(found.has_value());
    double sums[2] = {};
    double size = 0;
    for (Index t = 0; t < program.size(); ++t) {
        const double b = (*found)[unsigned_of(t)];
        EXPECT_GE(b, program.lower[unsigned_of(t)]);
        EXPECT_LE(b, program.upper[unsigned_of(t)]);
        const auto group = program.in_second.empty() ? 0 : program.in_second[unsigned_of(t)];
        sums[group] += b - program.start[unsigned_of(t)];
        size += std::abs(b);
    }
    EXPECT_NEAR(sums[0], 0, 1e-12 * size);
    EXPECT_NEAR(sums[1], 0, 1e-12 * size);
    const auto exact = solve_smo(make(hidden), {.tolerance = 1e-5}, control);
    ASSERT_TRUE(exact.converged);
    const double reached = objective(data.features, program, *found);
    EXPECT_LE(reached, exact.objective + relative * std::abs(exact.objective));
    const auto both = solve_smo(program, {.tolerance = 1e-5}, control);
    EXPECT_TRUE(both.converged);
    EXPECT_NEAR(both.objective, exact.objective, 1e-6 * std::abs(exact.objective));
}

TEST(InteriorPoint, SupportVectorMachines) {
    const Case data = overlapping(2300, 4, 1);
    for (const double c : {1e-6, 1e-3, 1.0})
        expect_optimal(data, [&](GramSource& gram) { return hinge(gram, data, c); });
}

TEST(InteriorPoint, BoxesWithoutAnUpperEnd) {
    const Case data = overlapping(2300, 3, 2);
    expect_optimal(data, [&](GramSource& gram) {
        BoxProgram program = hinge(gram, data, infinity);
        program.ridge.assign(data.signs.size(), 2.0);
        return program;
    });
}

TEST(InteriorPoint, VariablesWithoutRoomAndWeightedBoxes) {
    const Case data = overlapping(2300, 3, 3);
    expect_optimal(data, [&](GramSource& gram) {
        BoxProgram program = hinge(gram, data, 1e-2);
        for (std::size_t i = 0; i < data.signs.size(); ++i) {
            program.lower[i] *= static_cast<double>(i % 4);
            program.upper[i] *= static_cast<double>(i % 4);
        }
        return program;
    });
}

TEST(InteriorPoint, TwoSumsThatAreNotZero) {
    const Case data = overlapping(2300, 3, 4);
    expect_optimal(data, [&](GramSource& gram) {
        BoxProgram program = hinge(gram, data, 1);
        std::ranges::fill(program.linear, 0.0);
        for (std::size_t i = 0; i < data.signs.size(); ++i) {
            program.in_second.push_back(data.signs[i] < 0 ? 1 : 0);
            program.start[i] = data.signs[i] > 0 ? 0.6 : -0.6 * 0.99;
        }
        return program;
    });
}

TEST(InteriorPoint, TwoVariablesARow) {
    const Case data = overlapping(2300, 3, 5);
    expect_optimal(data, [&](GramSource& gram) {
        const std::size_t n = data.signs.size();
        BoxProgram program = zero_program(gram, 2 * size_of(data.signs));
        for (std::size_t t = 0; t < 2 * n; ++t) {
            program.rows.push_back(static_cast<Index>(t % n));
            const double target = data.features(static_cast<Index>(t % n), 0) + 0.3 * data.signs[t % n];
            program.linear[t] = -target + (t < n ? 0.1 : -0.1);
            (t < n ? program.upper[t] : program.lower[t]) = t < n ? 0.05 : -0.05;
        }
        return program;
    });
}

TEST(InteriorPoint, EqualRowsOfOppositeLabels) {
    Case data = overlapping(2300, 3, 6);
    for (Index i = 1; i < 2300; i += 2) {
        data.features.row(i) = data.features.row(i - 1);
        data.signs[unsigned_of(i)] =
            i % 3 == 0 ? -data.signs[unsigned_of(i - 1)] : data.signs[unsigned_of(i - 1)];
    }
    expect_optimal(data, [&](GramSource& gram) { return hinge(gram, data, 0.01); });
}

TEST(InteriorPoint, TheSameBitsForAnyNumberOfThreads) {
    const Case data = overlapping(5000, 6, 7);
    FeatureMatrix matrix(data.features, false);
    const BoxProgram program = hinge(matrix, data, 1);
    BegunControl one(1);
    BegunControl two(2);
    BegunControl five(5);
    const auto expected = interior_start(program, one);
    ASSERT_TRUE(expected.has_value());
    EXPECT_EQ(expected, interior_start(program, two));
    EXPECT_EQ(expected, interior_start(program, five));
}

Case with_zeros(Case data) {
    for (double& value : data.features.reshaped()) value = std::abs(value) < 1 ? 0 : value;
    return data;
}

TEST(InteriorPoint, SparseFeaturesAreTheSameMatrix) {
    const Case data = with_zeros(overlapping(3000, 20, 11));
    FeatureMatrix dense(data.features, false);
    SparseFeatureMatrix sparse(data.features);
    BegunControl control(2);
    BegunControl one(1);
    for (const double c : {1e-3, 1.0, 100.0}) {
        const BoxProgram program = hinge(dense, data, c);
        const auto expected = interior_start(program, control);
        const auto found = interior_start(hinge(sparse, data, c), control);
        ASSERT_TRUE(expected.has_value() && found.has_value());
        const double optimum = objective(data.features, program, *expected);
        EXPECT_NEAR(objective(data.features, program, *found), optimum, 1e-6 * std::abs(optimum)) << c;
        EXPECT_EQ(found, interior_start(hinge(sparse, data, c), one));
    }
}

// Costs that decomposition alone pays with many rounds.
TEST(InteriorPoint, TakesOverWhereDecompositionOfSparseRowsIsNotDoneSoon) {
    const Case data = with_zeros(overlapping(6000, 30, 12));
    FeatureMatrix dense(data.features, false);
    SparseFeatureMatrix sparse(data.features);
    BegunControl control(2);
    const auto expected = solve_smo(hinge(dense, data, 100), {}, control);
    const auto found = solve_smo(hinge(sparse, data, 100), {}, control);
    ASSERT_TRUE(expected.converged && found.converged);
    EXPECT_NEAR(found.objective, expected.objective, 1e-5 * std::abs(expected.objective));
    EXPECT_GE(found.rounds, 64);
    EXPECT_LT(found.rounds, 200);
    // the limit counts all steps
    const auto stopped = solve_smo(hinge(sparse, data, 100), {.max_iterations = 1000}, control);
    EXPECT_FALSE(stopped.converged);
    EXPECT_LE(stopped.iterations, 1000);
}

TEST(InteriorPoint, SmallWideAndFeaturelessProgramsHaveNone) {
    BegunControl control;
    const Case small = overlapping(2000, 3, 8);
    FeatureMatrix few_rows(small.features, false);
    EXPECT_FALSE(interior_start(hinge(few_rows, small, 1), control).has_value());
    const Case wide = overlapping(2300, 600, 8);
    FeatureMatrix many_features(wide.features, false);
    EXPECT_FALSE(interior_start(hinge(many_features, wide, 1), control).has_value());
    const Case data = overlapping(2300, 3, 8);
    FeatureMatrix hidden(data.features, true);
    EXPECT_FALSE(interior_start(hinge(hidden, data, 1), control).has_value());
}

// All variables on their bounds is all that the sum allows: there is no interior, and still an answer.
TEST(InteriorPoint, ProgramsOfOnePointAreSolved) {
    const Case data = overlapping(2300, 3, 9);
    FeatureMatrix matrix(data.features, false);
    BoxProgram program = zero_program(matrix, 2300);
    for (std::size_t i = 0; i < 2300; ++i) program.start[i] = program.upper[i] = 0.25;
    BegunControl control;
    const auto solved = solve_smo(program, {}, control);
    EXPECT_TRUE(solved.converged);
    for (const double b : solved.beta) EXPECT_NEAR(b, 0.25, 1e-9);
}

TEST(InteriorPoint, CancelEndsIt) {
    const Case data = overlapping(2300, 3, 10);
    FeatureMatrix matrix(data.features, false);
    BegunControl control;
    control.cancel();
    message_of(Status::cancelled, [&] { interior_start(hinge(matrix, data, 1), control); });
}

}  // namespace
}  // namespace dk::test

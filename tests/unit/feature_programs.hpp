// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <limits>
#include <string>

#include "solve/box/box_program.hpp"
#include "support.hpp"

namespace dk::test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
using Features = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// FeatureMatrix is the matrix F F' of features F. It offers the features to solvers, or hides them, so that
/// both ways can be compared.
class FeatureMatrix : public GramMatrix {
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
    BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage, Control&) override {
        const Index count = std::ssize(rows);
        double* values = storage.begin_whole(count);
        std::fill_n(values + count * count, block_slack, 0.0);
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < count; ++j)
                values[i * count + j] = features_.row(rows[i]).dot(features_.row(rows[j]));
        }
        return storage.complete(rows);
    }
    BlockView<float> block(std::span<const Index>, BlockStorage<float>&, Control&) override { return {}; }
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

/// SparseFeatureMatrix is the matrix F F' that offers its features as sparse rows.
class SparseFeatureMatrix final : public FeatureMatrix {
  public:
    /// `empty_columns` adds columns without values, which make it too wide for an interior point method.
    explicit SparseFeatureMatrix(const Features& features, Index empty_columns = 0)
        : FeatureMatrix(features, true), rows_(features.rows()), cols_(features.cols() + empty_columns) {
        for (Index i = 0; i < features.rows(); ++i) {
            for (Index j = 0; j < features.cols(); ++j) {
                if (features(i, j) == 0) continue;
                columns_.push_back(j);
                values_.push_back(features(i, j));
            }
            offsets_.push_back(std::ssize(values_));
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

inline double objective(const Features& features, const BoxProgram& program, std::span<const double> b) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(features.cols());
    double sum = 0;
    for (Index t = 0; t < program.size(); ++t) {
        const double value = b[t];
        w += value * features.row(program.row(t)).transpose();
        sum += program.linear[t] * value;
        if (!program.ridge.empty()) sum += 0.5 * program.ridge[t] * value * value;
    }
    return sum + 0.5 * w.squaredNorm();
}

struct SignedFeatures {
    Features features = {};
    std::vector<double> signs = {};
};

/// Makes two overlapping clouds; the last column is constant.
inline SignedFeatures overlapping(Index rows, Index columns, std::uint64_t seed) {
    SignedFeatures out;
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

inline BoxProgram hinge(GramMatrix& gram, const SignedFeatures& data, double c) {
    BoxProgram program = zero_program(gram, std::ssize(data.signs));
    for (std::size_t i = 0; i < data.signs.size(); ++i) {
        program.linear[i] = -data.signs[i];
        (data.signs[i] > 0 ? program.upper[i] : program.lower[i]) = data.signs[i] * c;
    }
    return program;
}

inline SignedFeatures with_zeros(SignedFeatures data) {
    for (double& value : data.features.reshaped()) value = std::abs(value) < 1 ? 0 : value;
    return data;
}

/// A FeatureProgram makes one of the kinds of programs that machines make of such a matrix.
struct FeatureProgram {
    std::string name;
    SignedFeatures data;
    std::function<BoxProgram(GramMatrix&, const SignedFeatures&)> make;
};

inline BoxProgram squared_hinge(GramMatrix& gram, const SignedFeatures& data) {
    BoxProgram program = hinge(gram, data, infinity);
    program.ridge.assign(data.signs.size(), 2.0);
    return program;
}

/// This hinge loss weighs its rows: C is 0 to 3 hundredths.
inline BoxProgram weighted_hinge(GramMatrix& gram, const SignedFeatures& data) {
    BoxProgram program = hinge(gram, data, 1e-2);
    for (std::size_t i = 0; i < data.signs.size(); ++i) {
        program.lower[i] *= static_cast<double>(i % 4);
        program.upper[i] *= static_cast<double>(i % 4);
    }
    return program;
}

/// This program fixes the sum of each class, neither at zero.
inline BoxProgram two_sums(GramMatrix& gram, const SignedFeatures& data) {
    BoxProgram program = hinge(gram, data, 1);
    std::ranges::fill(program.linear, 0.0);
    for (std::size_t i = 0; i < data.signs.size(); ++i) {
        program.in_second.push_back(data.signs[i] < 0 ? 1 : 0);
        program.start[i] = data.signs[i] > 0 ? 0.6 : -0.6 * 0.99;
    }
    return program;
}

/// This is a regression, which has two variables for each row.
inline BoxProgram tube(GramMatrix& gram, const SignedFeatures& data) {
    const std::size_t n = data.signs.size();
    BoxProgram program = zero_program(gram, 2 * std::ssize(data.signs));
    for (std::size_t t = 0; t < 2 * n; ++t) {
        program.rows.push_back(static_cast<Index>(t % n));
        const double target = data.features(static_cast<Index>(t % n), 0) + 0.3 * data.signs[t % n];
        program.linear[t] = -target + (t < n ? 0.1 : -0.1);
        (t < n ? program.upper[t] : program.lower[t]) = t < n ? 0.05 : -0.05;
    }
    return program;
}

inline SignedFeatures with_equal_rows(SignedFeatures data) {
    for (Index i = 1; i < std::ssize(data.signs); i += 2) {
        data.features.row(i) = data.features.row(i - 1);
        data.signs[i] = i % 3 == 0 ? -data.signs[i - 1] : data.signs[i - 1];
    }
    return data;
}

inline std::vector<FeatureProgram> feature_programs(Index columns) {
    const auto hinge_of = [](double c) {
        return [c](GramMatrix& gram, const SignedFeatures& data) { return hinge(gram, data, c); };
    };
    return {
        {"hinge, C = 1e-6", overlapping(2300, columns, 1), hinge_of(1e-6)},
        {"hinge, C = 1e-3", overlapping(2300, columns, 1), hinge_of(1e-3)},
        {"hinge, C = 1", overlapping(2300, columns, 1), hinge_of(1)},
        {"squared hinge: boxes without an upper end", overlapping(2300, columns, 2), squared_hinge},
        {"weighted boxes, variables without room", overlapping(2300, columns, 3), weighted_hinge},
        {"two sums that are not zero", overlapping(2300, columns, 4), two_sums},
        {"two variables a row", overlapping(2300, columns, 5), tube},
        {"equal rows of opposite labels", with_equal_rows(overlapping(2300, columns, 6)), hinge_of(0.01)}};
}

/// Expects b within the bounds, with the sums of the start.
inline void expect_feasible(const BoxProgram& program, std::span<const double> b) {
    double size = 0;
    for (std::size_t t = 0; t < b.size(); ++t) {
        EXPECT_GE(b[t], program.lower[t]);
        EXPECT_LE(b[t], program.upper[t]);
        size += std::abs(b[t]);
    }
    const auto sums = group_sums(program, b);
    const auto wanted = group_sums(program, program.start);
    EXPECT_NEAR(sums[0], wanted[0], 1e-12 * size);
    EXPECT_NEAR(sums[1], wanted[1], 1e-12 * size);
}

}  // namespace dk::test

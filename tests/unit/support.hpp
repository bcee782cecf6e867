// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "data/dataset.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/bank.hpp"

namespace dk::test {

/// A BegunControl is a control as the ABI hands it on: begun on this thread.
class BegunControl : public Control {
  public:
    explicit BegunControl(int threads = 1) {
        set_threads(threads);
        begin();
    }
};

inline std::vector<double> normal_values(Index count, std::uint64_t seed, double mean = 0,
                                         double deviation = 1) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal(mean, deviation);
    std::vector<double> values(count);
    for (double& v : values) v = normal(generator);
    return values;
}

inline Dataset dense(Index rows, Index cols, std::vector<double> values) {
    return Dataset(DenseMatrix{rows, cols, std::move(values)});
}

inline Dataset random_dense(Index rows, Index cols, std::uint64_t seed, double mean = 0,
                            double deviation = 1) {
    return dense(rows, cols, normal_values(rows * cols, seed, mean, deviation));
}

/// Gives the same rows as sparse data, which leaves out their zeros.
inline Dataset to_sparse(const Dataset& data) {
    SparseMatrix out{data.rows(), data.cols()};
    out.row_offsets.push_back(0);
    for (Index i = 0; i < data.rows(); ++i) {
        const auto row = data.dense().row(i);
        for (Index j = 0; j < data.cols(); ++j) {
            if (row[j] == 0) continue;
            out.columns.push_back(j);
            out.values.push_back(row[j]);
        }
        out.row_offsets.push_back(std::ssize(out.columns));
    }
    return Dataset(std::move(out));
}

inline Dataset with_labels(Dataset data, const std::vector<std::int64_t>& labels) {
    data.labels = labels_from_integers(labels);
    return data;
}

/// Makes training data of one square matrix of similarities, row-major.
inline Dataset gram_data(Index rows, std::vector<double> matrix) {
    GramMatrices gram{1, rows, rows};
    for (Index i = 0; i < rows; ++i) gram.self.push_back(matrix[i * rows + i]);
    gram.values = std::move(matrix);
    return Dataset(std::move(gram));
}

/// Gives the whole kernel matrix as the engine computes it.
template <typename T = double>
std::vector<T> gram_matrix(const KernelPointer& kernel, const Dataset& left, const Dataset& right,
                           int threads = 1) {
    BegunControl control(threads);
    const GramEngine<T> engine(kernel, left, right);
    std::vector<T> matrix(engine.rows() * engine.cols());
    engine.matrices(matrix.data(), control);
    return matrix;
}

/// Runs `action`, which must throw dk::Error with this status, and gives its message.
inline std::string message_of(Status status, const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(static_cast<int>(error.status()), static_cast<int>(status)) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

}  // namespace dk::test

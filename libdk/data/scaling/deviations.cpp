// SPDX-License-Identifier: Apache-2.0
#include "data/scaling/deviations.hpp"

#include <cmath>

namespace dk {

namespace {

/// A cancel is answered after at most this many rows.
constexpr Index rows_between_checks = 64;

}  // namespace

std::vector<double> column_deviations(const DenseMatrix& matrix, Control& control) {
    const auto cols = matrix.cols;
    std::vector<double> counts(cols);
    std::vector<double> means(cols);
    std::vector<double> squares(cols);
    const auto for_each_value = [&](auto visit) {
        for (Index i = 0; i < matrix.rows; ++i) {
            if (i % rows_between_checks == 0) control.check();
            const auto row = matrix.row(i);
            for (Index j = 0; j < cols; ++j) {
                if (!std::isnan(row[j])) visit(j, row[j]);
            }
        }
    };
    for_each_value([&](std::size_t j, double) { counts[j] += 1; });
    for_each_value([&](std::size_t j, double value) { means[j] += value / counts[j]; });
    for_each_value([&](std::size_t j, double value) {
        squares[j] += (value - means[j]) * (value - means[j]) / counts[j];
    });
    for (double& square : squares) square = std::sqrt(square);
    return squares;
}

}  // namespace dk

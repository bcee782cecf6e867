// SPDX-License-Identifier: Apache-2.0
#include "data/metrics/probability_losses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rows.hpp"

namespace dk {

double logarithmic_loss(std::span<const Index> truth, std::span<const double> probabilities, Index classes) {
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const double p = row_of(probabilities, classes, i)[truth[i]];
        sum -= std::log(std::max(p, std::numeric_limits<double>::epsilon()));
    }
    return sum / static_cast<double>(truth.size());
}

double brier_loss(std::span<const Index> truth, std::span<const double> probabilities, Index classes) {
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const auto row = row_of(probabilities, classes, i);
        for (Index c = 0; c < classes; ++c) {
            const double error = row[c] - (c == truth[i] ? 1 : 0);
            sum += error * error;
        }
    }
    return sum / static_cast<double>(truth.size()) / (classes == 2 ? 2 : 1);
}

}  // namespace dk

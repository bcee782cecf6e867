// SPDX-License-Identifier: Apache-2.0
#include "model/predicted_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace dk {

WeightBlock whole_block(std::span<const double> weights, Index rows, Index columns) {
    WeightBlock block{.first = 0, .rows = rows};
    block.columns.resize(unsigned_of(columns));
    std::iota(block.columns.begin(), block.columns.end(), Index{0});
    block.weights.assign(weights.begin(), weights.end());
    return block;
}

void require_finite_results(std::span<const double> values, Index columns, Index first_row) {
    const auto bad =
        std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); }) - values.begin();
    if (bad == size_of(values)) return;
    fail(Status::numerical, "the kernel overflows on row ", first_row + bad / columns,
         ", whose values are far from the training data");
}

void add_offsets(std::span<double> values, std::span<const double> offsets) {
    for (auto value = values.begin(); value != values.end();) {
        for (const double offset : offsets) *value++ += offset;
    }
}

}  // namespace dk

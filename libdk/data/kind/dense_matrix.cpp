// SPDX-License-Identifier: Apache-2.0
#include "data/kind/dense_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dk {

DenseMatrix DenseMatrix::select(std::span<const Index> chosen) const {
    DenseMatrix out{std::ssize(chosen), cols, {}, may_miss, similarity};
    out.values.reserve(out.rows * cols);
    for (const Index i : chosen) {
        const auto values_of_row = row(i);
        out.values.insert(out.values.end(), values_of_row.begin(), values_of_row.end());
    }
    return out;
}

void DenseMatrix::require_finite() const {
    const auto bad = std::ranges::find_if_not(
        values, [&](double value) { return std::isfinite(value) || (may_miss && std::isnan(value)); });
    if (bad == values.end()) return;
    const Index position = bad - values.begin();
    fail(Status::invalid_data, "value ", *bad, " at row ", position / cols, ", column ", position % cols,
         " (counted from 0): every value must be finite");
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "data/kind/series_set.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dk {

double SeriesSet::bytes() const {
    return static_cast<double>(sizeof(double)) * values.size() +
           static_cast<double>(sizeof(Index)) * step_offsets.size();
}

SeriesSet SeriesSet::select(std::span<const Index> chosen) const {
    SeriesSet out{channels, {0}};
    for (const Index i : chosen) {
        const auto steps = series(i);
        out.values.insert(out.values.end(), steps.begin(), steps.end());
        out.step_offsets.push_back(out.step_offsets.back() + length(i));
    }
    return out;
}

void SeriesSet::require_finite() const {
    const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
    if (bad == values.end()) return;
    const Index position = bad - values.begin();
    const Index step = position / channels;
    const auto next = std::ranges::upper_bound(step_offsets, step);
    fail(Status::invalid_data, "value ", *bad, " in series ", next - step_offsets.begin() - 1, ", step ",
         step - *(next - 1), ", channel ", position % channels,
         " (counted from 0): every value must be finite");
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Time series of any lengths. Each step of each series has a value in each channel.
struct SeriesSet {
    Index channels = 0;
    std::vector<Index> step_offsets = {};  // Series i has steps step_offsets[i] to step_offsets[i + 1] - 1.
    std::vector<double> values = {};       // These are steps x channels values.

    Index rows() const { return std::ssize(step_offsets) - 1; }
    Index length(Index i) const { return step_offsets[i + 1] - step_offsets[i]; }
    std::span<const double> series(Index i) const {
        return std::span(values).subspan(step_offsets[i] * channels, length(i) * channels);
    }

    Index row_count() const { return rows(); }
    Index column_count() const { return channels; }
    double bytes() const;
    SeriesSet select(std::span<const Index> chosen) const;
    /// Throws Error(invalid_data) that names series, step and channel of the first value that is not finite.
    void require_finite() const;
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel/alignment/alignment.hpp"

namespace dk {

SeriesLanes series_lanes(const SeriesSet& set, std::span<const Index> rows,
                         const std::vector<Index>& channels) {
    const Index lanes = alignment_lanes();
    SeriesLanes out;
    out.channels = channels.empty() ? set.channels : std::ssize(channels);
    for (Index lane = 0; lane < lanes; ++lane) {
        out.lengths.push_back(set.length(rows[std::min(lane, std::ssize(rows) - 1)]));
        out.steps = std::max(out.steps, out.lengths.back());
    }
    out.values.resize(out.steps * out.channels * lanes);
    for (Index lane = 0; lane < lanes; ++lane) {
        const auto steps = set.series(rows[std::min(lane, std::ssize(rows) - 1)]);
        for (Index t = 0; t < out.steps; ++t) {
            const Index step = std::min(t, out.lengths[lane] - 1);
            for (Index c = 0; c < out.channels; ++c) {
                const Index channel = channels.empty() ? c : channels[c];
                out.values[(t * out.channels + c) * lanes + lane] = steps[step * set.channels + channel];
            }
        }
    }
    const Index width = out.channels * lanes;
    const auto block_values = static_cast<std::size_t>((out.steps / alignment_block + 1) * width);
    out.lows.assign(block_values, infinity);
    out.highs.assign(block_values, -infinity);
    for (Index t = 1; t <= out.steps; ++t) {
        const double* const step = out.values.data() + (t - 1) * width;
        double* const low = out.lows.data() + t / alignment_block * width;
        double* const high = out.highs.data() + t / alignment_block * width;
        for (Index e = 0; e < width; ++e) {
            low[e] = std::min(low[e], step[e]);
            high[e] = std::max(high[e], step[e]);
        }
    }
    return out;
}

}  // namespace dk

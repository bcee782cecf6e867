// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/alignment/alignment.hpp"
#include "kernel/engine/row_search.hpp"

namespace dk {

/// Searches series for those at the least distances of dynamic time warping.
class WarpingSearch final : public RowSearch {
  public:
    /// Searches these series by some of their channels, or by all where none are given.
    WarpingSearch(const Dataset& series, std::vector<Index> channels, const WarpingWindow& window,
                  Control& control);

    void find(const Dataset& data, Index row, std::span<Index> out, const Control& control) const override;

  private:
    Index reach(Index length, Index other) const;
    std::vector<double> bounds(const SeriesLanes& query, const Control& control) const;

    Dataset series_;
    std::vector<Index> channels_;
    WarpingWindow window_;
    std::vector<Index> order_;         // the series by their lengths, so that those of a group are as long
    std::vector<SeriesLanes> groups_;  // the series in this order, side by side
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Undirected graphs whose nodes have integer labels.
struct GraphSet {
    std::vector<Index> node_offsets = {};  // Graph i has nodes node_offsets[i] to node_offsets[i + 1] - 1.
    std::vector<Index> node_labels = {};
    std::vector<Index> edge_offsets = {};
    std::vector<Index> edges = {};  // Each edge has two nodes, counted from 0 within the graph.

    Index rows() const { return std::ssize(node_offsets) - 1; }
    Index nodes(Index i) const { return node_offsets[i + 1] - node_offsets[i]; }

    Index row_count() const { return rows(); }
    Index column_count() const { return 1; }
    double bytes() const;
    GraphSet select(std::span<const Index> chosen) const;
    void require_finite() const {}  // There are no real numbers.
};

}  // namespace dk

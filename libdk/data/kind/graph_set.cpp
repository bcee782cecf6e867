// SPDX-License-Identifier: Apache-2.0
#include "data/kind/graph_set.hpp"

namespace dk {

double GraphSet::bytes() const {
    return static_cast<double>(sizeof(Index)) *
           (node_offsets.size() + node_labels.size() + edge_offsets.size() + edges.size());
}

GraphSet GraphSet::select(std::span<const Index> chosen) const {
    GraphSet out{{0}, {}, {0}, {}};
    for (const Index i : chosen) {
        out.node_labels.insert(out.node_labels.end(), node_labels.begin() + node_offsets[i],
                               node_labels.begin() + node_offsets[i + 1]);
        out.node_offsets.push_back(std::ssize(out.node_labels));
        out.edges.insert(out.edges.end(), edges.begin() + 2 * edge_offsets[i],
                         edges.begin() + 2 * edge_offsets[i + 1]);
        out.edge_offsets.push_back(std::ssize(out.edges) / 2);
    }
    return out;
}

}  // namespace dk

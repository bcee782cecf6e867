// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Time series of any length, each step with the same channels.
struct SeriesSet {
    Index channels = 0;
    std::vector<Index> step_offsets = {};  // series i has steps step_offsets[i] .. step_offsets[i + 1] - 1
    std::vector<double> values = {};       // steps x channels

    Index rows() const { return std::ssize(step_offsets) - 1; }
    Index length(Index i) const { return step_offsets[i + 1] - step_offsets[i]; }
    std::span<const double> series(Index i) const {
        return std::span(values).subspan(step_offsets[i] * channels, length(i) * channels);
    }
    SeriesSet select(std::span<const Index> rows) const;
};

/// Texts, UTF-8.
struct StringSet {
    std::vector<std::string> texts = {};

    Index rows() const { return std::ssize(texts); }
    StringSet select(std::span<const Index> rows) const;
};

/// Undirected graphs whose nodes have integer labels.
struct GraphSet {
    std::vector<Index> node_offsets = {};  // graph i has nodes node_offsets[i] .. node_offsets[i + 1] - 1
    std::vector<Index> node_labels = {};
    std::vector<Index> edge_offsets = {};
    std::vector<Index> edges = {};  // two nodes an edge, counted from 0 within the graph

    Index rows() const { return std::ssize(node_offsets) - 1; }
    Index nodes(Index i) const { return node_offsets[i + 1] - node_offsets[i]; }
    GraphSet select(std::span<const Index> rows) const;
};

/// The characters of UTF-8 text; throws Error(invalid_data) where it is none.
std::u32string characters_of(std::string_view text);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
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
    SeriesSet select(std::span<const Index> rows) const;
};

/// Texts in UTF-8.
struct StringSet {
    std::vector<std::string> texts = {};

    Index rows() const { return std::ssize(texts); }
    StringSet select(std::span<const Index> rows) const;
};

/// Undirected graphs whose nodes have integer labels.
struct GraphSet {
    std::vector<Index> node_offsets = {};  // Graph i has nodes node_offsets[i] to node_offsets[i + 1] - 1.
    std::vector<Index> node_labels = {};
    std::vector<Index> edge_offsets = {};
    std::vector<Index> edges = {};  // Each edge has two nodes, counted from 0 within the graph.

    Index rows() const { return std::ssize(node_offsets) - 1; }
    Index nodes(Index i) const { return node_offsets[i + 1] - node_offsets[i]; }
    GraphSet select(std::span<const Index> rows) const;
};

/// Gives the characters of a text in UTF-8; throws Error(invalid_data) where it is not UTF-8.
std::u32string characters_of(std::string_view text);

/// Throws Error(invalid_data) where a text is no UTF-8, as characters_of() does, and gives nothing.
void require_characters(std::string_view text);

/// Gives the text in UTF-8 of some characters.
std::string text_of(std::u32string_view characters);

}  // namespace dk

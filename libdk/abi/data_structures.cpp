// SPDX-License-Identifier: Apache-2.0
// These functions make datasets of what is no vector: series, strings, graphs, and objects that only the
// caller knows.
#include <algorithm>
#include <cmath>

#include "abi/guard.hpp"
#include "abi/similarity_callbacks.hpp"
#include "data/characters.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

std::int64_t required_rows(std::int64_t rows) {
    if (rows < 1 || rows > largest_size)
        fail(Status::invalid_argument, "rows is ", rows, "; it must be 1 to 2^40");
    return rows;
}

/// Turns counts into offsets, and refuses a count less than `least`.
std::vector<Index> offsets_of(const std::int64_t* counts, std::int64_t rows, std::int64_t least,
                              const char* what, const char* row_name) {
    std::vector<Index> offsets{0};
    for (const auto count : required_array(counts, what, rows, rows)) {
        if (count < least || count > largest_size - offsets.back()) {
            fail(Status::invalid_data, row_name, " ", std::ssize(offsets) - 1, " has ", what, " ", count,
                 "; it must be at least ", least, " and all together at most 2^40");
        }
        offsets.push_back(offsets.back() + count);
    }
    return offsets;
}

SeriesSet copied_series(const double* values, const std::int64_t* lengths, std::int64_t rows,
                        std::int64_t channels) {
    required_rows(rows);
    if (channels < 1 || channels > largest_size)
        fail(Status::invalid_argument, "channels is ", channels, "; it must be 1 to 2^40");
    SeriesSet set{channels, offsets_of(lengths, rows, 1, "lengths", "series")};
    if (set.step_offsets.back() > largest_size / channels)
        fail(Status::invalid_argument, "the series have more than 2^40 values");
    const auto count = set.step_offsets.back() * channels;
    const auto all = required_array(values, "values", count, count);
    set.values.assign(all.begin(), all.end());
    return set;
}

StringSet copied_strings(const char* const* strings, std::int64_t rows) {
    StringSet set;
    for (const char* one : required_array(strings, "strings", required_rows(rows), rows)) {
        if (one == nullptr) fail(Status::invalid_argument, "string ", set.rows(), " is NULL");
        set.texts.emplace_back(one);
        try {
            characters_of(set.texts.back());
        } catch (const Error& error) {
            fail(error.status(), "string ", set.rows() - 1, ": ", error.what());
        }
    }
    return set;
}

GraphSet copied_graphs(const std::int64_t* node_counts, const std::int64_t* node_labels,
                       const std::int64_t* edge_counts, const std::int64_t* edges, std::int64_t rows) {
    required_rows(rows);
    GraphSet set;
    set.node_offsets = offsets_of(node_counts, rows, 1, "node_counts", "graph");
    set.edge_offsets = offsets_of(edge_counts, rows, 0, "edge_counts", "graph");
    const auto nodes = set.node_offsets.back();
    if (node_labels == nullptr) {
        set.node_labels.resize(nodes);
    } else {
        set.node_labels.assign(node_labels, node_labels + nodes);
    }
    const auto ends =
        required_array(edges, "edges", 2 * set.edge_offsets.back(), 2 * set.edge_offsets.back());
    set.edges.assign(ends.begin(), ends.end());
    for (Index g = 0; g < rows; ++g) {
        for (Index e = 2 * set.edge_offsets[g]; e < 2 * set.edge_offsets[g + 1]; ++e) {
            const Index node = set.edges[e];
            if (node >= 0 && node < set.nodes(g)) continue;
            fail(Status::invalid_data, "edge ", e / 2 - set.edge_offsets[g], " of graph ", g, " names node ",
                 node, "; the graph has nodes 0 to ", set.nodes(g) - 1);
        }
    }
    return set;
}

}  // namespace

dk_status dk_data_from_series(dk_data** out, const double* values, const int64_t* lengths, int64_t rows,
                              int64_t channels) {
    return guarded_create(out, [&] {
        Dataset::Features features(copied_series(values, lengths, rows, channels));
        require_finite(features);
        return Dataset(std::move(features));
    });
}

dk_status dk_data_from_strings(dk_data** out, const char* const* strings, int64_t rows) {
    return guarded_create(out, [&] { return Dataset(copied_strings(strings, rows)); });
}

dk_status dk_data_from_graphs(dk_data** out, const int64_t* node_counts, const int64_t* node_labels,
                              const int64_t* edge_counts, const int64_t* edges, int64_t rows) {
    return guarded_create(
        out, [&] { return Dataset(copied_graphs(node_counts, node_labels, edge_counts, edges, rows)); });
}

dk_status dk_data_from_similarity(dk_data** out, int64_t rows, int64_t training_rows,
                                  dk_similarity_callback callback, void* user, const double* self,
                                  int32_t concurrent) {
    return guarded_create(out, [&] {
        required_rows(rows);
        if (training_rows < 1 || training_rows > largest_size)
            fail(Status::invalid_argument, "training_rows is ", training_rows, "; it must be 1 to 2^40");
        GramMatrices gram{1, rows, training_rows};
        gram.compute = similarity_of(callback, user);
        gram.concurrent = required_concurrent(concurrent);
        if (self != nullptr) gram.self.assign(self, self + rows);
        const auto bad = std::ranges::find_if_not(gram.self, [](double v) { return std::isfinite(v); });
        if (bad != gram.self.end()) {
            fail(Status::invalid_data, "self similarity of row ", bad - gram.self.begin(), " is ", *bad,
                 "; it must be finite");
        }
        return Dataset(std::move(gram));
    });
}

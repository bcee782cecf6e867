// SPDX-License-Identifier: Apache-2.0
#include "data/joined_rows.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/error.hpp"

namespace dk {

namespace {

template <typename Value>
void append_values(std::vector<Value>& to, const std::vector<Value>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// Appends offsets that begin at 0 to offsets that end somewhere.
void append_offsets(std::vector<Index>& to, const std::vector<Index>& from) {
    const Index end = to.back();
    for (std::size_t i = 1; i < from.size(); ++i) to.push_back(end + from[i]);
}

void append(DenseMatrix& to, const DenseMatrix& from) {
    if (to.similarity || from.similarity)
        fail(Status::unsupported, "rows whose similarities a callback computes can't be joined with others");
    append_values(to.values, from.values);
    to.rows += from.rows;
    to.may_miss = to.may_miss || from.may_miss;
}

void append(SparseMatrix& to, const SparseMatrix& from) {
    append_offsets(to.row_offsets, from.row_offsets);
    append_values(to.columns, from.columns);
    append_values(to.values, from.values);
    to.rows += from.rows;
    to.cols = std::max(to.cols, from.cols);
}

void append(GramMatrices& /*to*/, const GramMatrices& /*from*/) {
    fail(Status::unsupported,
         "similarities of two sets of rows can't be joined: those between the sets are not known");
}

void append(SeriesSet& to, const SeriesSet& from) {
    append_offsets(to.step_offsets, from.step_offsets);
    append_values(to.values, from.values);
}

void append(StringSet& to, const StringSet& from) {
    append_values(to.texts, from.texts);
}

void append(GraphSet& to, const GraphSet& from) {
    append_offsets(to.node_offsets, from.node_offsets);
    append_values(to.node_labels, from.node_labels);
    append_offsets(to.edge_offsets, from.edge_offsets);
    append_values(to.edges, from.edges);
}

}  // namespace

Dataset joined_rows(const Dataset& first, const Dataset& second) {
    const bool fits =
        first.kind() == second.kind() && (first.kind() == DataKind::sparse || first.cols() == second.cols());
    if (!fits)
        fail(Status::dimension, name_of(first.kind()), " rows of ", first.cols(),
             " columns can't be joined with ", name_of(second.kind()), " rows of ", second.cols());
    Dataset::Features joined = first.features();
    std::visit(
        [&](auto& to) {
            using Kind = std::remove_reference_t<decltype(to)>;
            append(to, std::get<Kind>(second.features()));
        },
        joined);
    return Dataset(std::move(joined));
}

}  // namespace dk

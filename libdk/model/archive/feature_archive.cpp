// SPDX-License-Identifier: Apache-2.0
#include "model/archive/feature_archive.hpp"

#include <limits>

#include "base/error.hpp"
#include "data/characters.hpp"

namespace dk {

namespace {

constexpr Index largest_label = std::numeric_limits<Index>::max();

[[noreturn]] void refuse_features(const std::string& key, const std::string& why) {
    fail(Status::model_format, "damaged model: field ", in_quotes(key), " ", why);
}

void write(ArchiveWriter& out, const DenseMatrix& matrix) {
    out.text("kind", "dense");
    out.count("cols", matrix.cols);
    out.doubles("values", matrix.values);
}

void write(ArchiveWriter& out, const SparseMatrix& matrix) {
    out.text("kind", "sparse");
    out.count("cols", matrix.cols);
    out.indices("row_offsets", matrix.row_offsets);
    out.indices("columns", matrix.columns);
    out.doubles("values", matrix.values);
}

/// The rows are a whole set, as those of a model are.
void write(ArchiveWriter& out, const GramMatrices& gram) {
    out.text("kind", "gram");
    out.count("cols", gram.cols);
    out.count("matrices", gram.matrices);
    std::vector<Index> columns;
    for (Index i = 0; i < gram.rows; ++i) columns.push_back(gram.column(i));
    out.indices("row_ids", columns);
    out.doubles("self", gram.self);
    out.doubles("values", gram.values);
}

void write(ArchiveWriter& out, const SeriesSet& set) {
    out.text("kind", "series");
    out.count("cols", set.channels);
    out.indices("step_offsets", set.step_offsets);
    out.doubles("values", set.values);
}

void write(ArchiveWriter& out, const StringSet& set) {
    out.text("kind", "strings");
    out.count("cols", 1);
    out.texts("texts", set.texts);
}

void write(ArchiveWriter& out, const GraphSet& set) {
    out.text("kind", "graphs");
    out.count("cols", 1);
    out.indices("node_offsets", set.node_offsets);
    out.indices("node_labels", set.node_labels);
    out.indices("edge_offsets", set.edge_offsets);
    out.indices("edges", set.edges);
}

/// Reads rows + 1 offsets from 0 to `last`, each at least `step` above the one before.
std::vector<Index> read_offsets(const ArchiveReader& in, const std::string& key, Index rows, Index last,
                                Index step) {
    auto offsets = in.indices(key, rows + 1, 0, last);
    if (offsets.front() != 0 || offsets.back() != last) refuse_features(key, "do not fit");
    for (Index i = 0; i < rows; ++i) {
        if (offsets[i] + step > offsets[i + 1]) refuse_features(key, "decrease");
    }
    return offsets;
}

DenseMatrix read_dense(const ArchiveReader& in, Index rows, Index cols) {
    DenseMatrix matrix{rows, cols};
    if (rows > largest_count / cols) refuse_features("cols", "overflows");
    matrix.values = in.doubles("values", rows * cols);
    return matrix;
}

SeriesSet read_series(const ArchiveReader& in, Index rows, Index channels) {
    SeriesSet set{channels};
    const Index values = in.length("values");
    if (values % channels != 0) refuse_features("values", "do not fit the channels");
    set.step_offsets = read_offsets(in, "step_offsets", rows, values / channels, 1);
    set.values = in.doubles("values", values);
    return set;
}

StringSet read_strings(const ArchiveReader& in, Index rows) {
    StringSet set{in.texts("texts")};
    if (set.rows() != rows) refuse_features("texts", text("has ", set.rows(), " elements, expected ", rows));
    for (const auto& one : set.texts) require_characters(one);
    return set;
}

GraphSet read_graphs(const ArchiveReader& in, Index rows) {
    GraphSet set;
    const Index nodes = in.length("node_labels");
    const Index edges = in.length("edges") / 2;
    set.node_offsets = read_offsets(in, "node_offsets", rows, nodes, 1);
    set.edge_offsets = read_offsets(in, "edge_offsets", rows, edges, 0);
    set.node_labels = in.indices("node_labels", nodes, -largest_label - 1, largest_label);
    set.edges = in.indices("edges", 2 * edges, 0, nodes - 1);
    for (Index i = 0; i < rows; ++i) {
        for (Index e = 2 * set.edge_offsets[i]; e < 2 * set.edge_offsets[i + 1]; ++e) {
            if (set.edges[e] >= set.nodes(i)) refuse_features("edges", "name nodes that do not exist");
        }
    }
    return set;
}

SparseMatrix read_sparse(const ArchiveReader& in, Index rows, Index cols) {
    SparseMatrix matrix{rows, cols};
    const Index entries = in.length("values");
    matrix.row_offsets = read_offsets(in, "row_offsets", rows, entries, 0);
    matrix.columns = in.indices("columns", entries, 0, cols - 1);
    matrix.values = in.doubles("values", entries);
    for (Index i = 0; i < rows; ++i) {
        for (Index e = matrix.row_offsets[i] + 1; e < matrix.row_offsets[i + 1]; ++e) {
            if (matrix.columns[e - 1] >= matrix.columns[e]) refuse_features("columns", "do not increase");
        }
    }
    return matrix;
}

GramMatrices read_gram(const ArchiveReader& in, Index rows, Index cols) {
    GramMatrices gram;
    gram.cols = cols;
    gram.matrices = in.count("matrices", 1, largest_count);
    gram.rows = rows;
    gram.columns = in.indices("row_ids", rows, 0, cols - 1);
    const Index self_values = in.length("self");
    if (self_values != 0 && self_values / rows != gram.matrices)
        refuse_features("self", "does not fit the matrices");
    gram.self = in.doubles("self", self_values);
    const Index values = in.length("values");
    if (values == 0) return gram;
    if (rows > largest_count / cols || values / (rows * cols) != gram.matrices)
        refuse_features("values", "do not fit the matrices");
    gram.values = in.doubles("values", gram.matrices * rows * cols);
    return gram;
}

}  // namespace

void write_features(ArchiveWriter out, const Dataset& data) {
    std::visit([&](const auto& features) { write(out, features); }, data.features());
}

Dataset read_features(const ArchiveReader& in, Index rows) {
    const std::string kind = in.text("kind");
    const Index cols = in.count("cols", 1, largest_count);
    if (kind == "dense") return Dataset(read_dense(in, rows, cols));
    if (kind == "sparse") return Dataset(read_sparse(in, rows, cols));
    if (kind == "gram") return Dataset(read_gram(in, rows, cols));
    if (kind == "series") return Dataset(read_series(in, rows, cols));
    if (kind == "strings") return Dataset(read_strings(in, rows));
    if (kind == "graphs") return Dataset(read_graphs(in, rows));
    refuse_features("kind", "is " + in_quotes(kind));
}

Dataset read_compared_rows(const ArchiveReader& in, Index rows, const ReadingContext& context) {
    Dataset read = read_features(in, rows);
    if (read.kind() != context.kind)
        refuse_features(
            "kind", text("is ", name_of(read.kind()), ", and the model's rows are ", name_of(context.kind)));
    if (read.cols() != context.features)
        refuse_features("cols", text("is ", read.cols(), ", and the model's rows have ", context.features));
    return read;
}

}  // namespace dk

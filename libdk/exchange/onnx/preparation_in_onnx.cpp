// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/preparation_in_onnx.hpp"

#include <algorithm>
#include <array>

namespace dk {

namespace {

const std::array columns_axis{std::int64_t{1}};
const OnnxGraph::Attribute of_columns{"axes", 1, true};
const OnnxGraph::Attribute kept{"keepdims", 1};

/// Gives 1 in place of 0, so that rows of zeros stay.
std::string not_zero(OnnxGraph& graph, const std::string& values) {
    const std::string is_zero = graph.add("Equal", {values, graph.number(0)});
    return graph.add("Where", {is_zero, graph.number(1), values});
}

/// Adds ranks. On the line through the knots (v_k, r_k) of a column,
///
///     rank(x) = r_0 + sum over k of (r_k+1 - r_k) min(max((x - v_k) / (v_k+1 - v_k), 0), 1).
///
/// Columns have as many pieces as the longest line; those that a line lacks do not rise.
std::string ranked(OnnxGraph& graph, const ColumnRanks& ranks, const std::string& rows) {
    const Index columns = std::ssize(ranks.first) - 1;
    Index pieces = 1;
    for (Index j = 0; j < columns; ++j) pieces = std::max(pieces, ranks.first[j + 1] - ranks.first[j] - 1);
    Matrix starts = Matrix::Zero(columns, pieces);
    Matrix lengths = Matrix::Ones(columns, pieces);
    Matrix rises = Matrix::Zero(columns, pieces);
    std::vector<double> lowest;
    for (Index j = 0; j < columns; ++j) {
        const Index first = ranks.first[j];
        lowest.push_back(ranks.ranks[first]);
        for (Index k = first; k + 1 < ranks.first[j + 1]; ++k) {
            starts(j, k - first) = ranks.values[k];
            lengths(j, k - first) = ranks.values[k + 1] - ranks.values[k];
            rises(j, k - first) = ranks.ranks[k + 1] - ranks.ranks[k];
        }
    }
    const std::array last_axis{std::int64_t{2}};
    const std::string axis = graph.integers(last_axis);
    const std::string from_start =
        graph.add("Sub", {graph.add("Unsqueeze", {rows, axis}), graph.matrix(starts)});
    const std::string shares = graph.add("Div", {from_start, graph.matrix(lengths)});
    const std::string within =
        graph.add("Min", {graph.add("Max", {shares, graph.number(0)}), graph.number(1)});
    const std::string risen =
        graph.add("ReduceSum", {graph.add("Mul", {within, graph.matrix(rises)}), axis}, {{"keepdims", 0}});
    return graph.add("Add", {risen, graph.numbers(lowest)});
}

}  // namespace

std::string scaled_rows(OnnxGraph& graph, RowScale how, const std::string& rows) {
    const std::string largest = graph.add("ReduceMax", {graph.add("Abs", {rows})}, {of_columns, kept});
    if (how == RowScale::standard) {
        const std::string centred =
            graph.add("Sub", {rows, graph.add("ReduceMean", {rows}, {of_columns, kept})});
        const std::string variance =
            graph.add("ReduceMean", {graph.add("Mul", {centred, centred})}, {of_columns, kept});
        const std::string width = graph.add("Sqrt", {variance});
        const std::string least = graph.add("Mul", {largest, graph.number(1e-14)});
        const std::string varies = graph.add("Greater", {width, least});
        const std::string divisor = graph.add("Where", {varies, width, graph.number(1)});
        return graph.add("Where", {varies, graph.add("Div", {centred, divisor}), graph.number(0)});
    }
    std::string shorter = graph.add("Div", {rows, not_zero(graph, largest)});
    if (how == RowScale::max) return shorter;
    const std::string length =
        how == RowScale::l2
            ? graph.add("Sqrt", {graph.add("ReduceSumSquare", {shorter}, {of_columns, kept})})
            : graph.add("ReduceSum", {graph.add("Abs", {shorter}), graph.integers(columns_axis)}, {kept});
    return graph.add("Div", {shorter, not_zero(graph, length)});
}

std::string preparation_in_onnx(OnnxGraph& graph, const Scaler& scaler, std::string rows) {
    if (!scaler.fill.empty())
        rows = graph.add("Where", {graph.add("IsNaN", {rows}), graph.numbers(scaler.fill), rows});
    if (scaler.rows != RowScale::none) rows = scaled_rows(graph, scaler.rows, rows);
    if (!scaler.ranks.empty()) rows = ranked(graph, scaler.ranks, rows);
    if (scaler.shift.empty()) return rows;
    return graph.add("Div",
                     {graph.add("Sub", {rows, graph.numbers(scaler.shift)}), graph.numbers(scaler.scale)});
}

}  // namespace dk

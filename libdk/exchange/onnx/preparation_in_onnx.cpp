// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/preparation_in_onnx.hpp"

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

/// scale_row() as operators.
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
    const std::string shorter = graph.add("Div", {rows, not_zero(graph, largest)});
    if (how == RowScale::max) return shorter;
    const std::string length =
        how == RowScale::l2
            ? graph.add("Sqrt", {graph.add("ReduceSumSquare", {shorter}, {of_columns, kept})})
            : graph.add("ReduceSum", {graph.add("Abs", {shorter}), graph.integers(columns_axis)}, {kept});
    return graph.add("Div", {shorter, not_zero(graph, length)});
}

/// Adds ranks. On the line through the knots (v_k, r_k) of a column,
///
///     rank(x) = r_0 + sum over k of (r_k+1 - r_k) min(max((x - v_k) / (v_k+1 - v_k), 0), 1).
std::string ranked(OnnxGraph& graph, const ColumnRanks& ranks, const std::string& rows) {
    const Index columns = std::ssize(ranks.first) - 1;
    const Index pieces = std::ssize(ranks.values) - columns;
    std::vector<std::int64_t> column_of_piece;
    std::vector<double> starts;
    std::vector<double> lengths;
    std::vector<double> lowest;
    Matrix rises = Matrix::Zero(pieces, columns);
    for (Index j = 0; j < columns; ++j) {
        lowest.push_back(ranks.ranks[ranks.first[j]]);
        for (Index k = ranks.first[j]; k + 1 < ranks.first[j + 1]; ++k) {
            rises(std::ssize(starts), j) = ranks.ranks[k + 1] - ranks.ranks[k];
            column_of_piece.push_back(j);
            starts.push_back(ranks.values[k]);
            lengths.push_back(ranks.values[k + 1] - ranks.values[k]);
        }
    }
    if (pieces == 0)  // Every column has one value, and the rank of that.
        return graph.add("Add", {graph.add("Mul", {rows, graph.number(0)}), graph.numbers(lowest)});
    const std::string values = graph.add("Gather", {rows, graph.integers(column_of_piece)}, {{"axis", 1}});
    const std::string shares =
        graph.add("Div", {graph.add("Sub", {values, graph.numbers(starts)}), graph.numbers(lengths)});
    const std::string within =
        graph.add("Min", {graph.add("Max", {shares, graph.number(0)}), graph.number(1)});
    return graph.add("Add", {graph.add("MatMul", {within, graph.matrix(rises)}), graph.numbers(lowest)});
}

}  // namespace

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

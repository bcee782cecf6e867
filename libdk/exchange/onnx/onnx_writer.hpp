// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "exchange/formula/formula_writer.hpp"
#include "exchange/onnx/onnx_graph.hpp"

namespace dk {

/// Writes formulas as operators of ONNX. A value of pairs is rows x points, one of rows rows x 1. Sums over
/// columns that are no inner products take rows x points x columns numbers.
class OnnxWriter final : public FormulaWriter {
  public:
    /// `rows` is the name of the rows, which are in the graph.
    OnnxWriter(OnnxGraph& graph, std::string rows, ConstMatrixView points)
        : FormulaWriter(points), graph_(graph), rows_(std::move(rows)) {}

  protected:
    std::string write_number(double value, bool among_pairs) override;
    std::string write_points(std::span<const double> values) override;
    std::string write_row_sum(RowSum sum, const std::vector<Index>& columns) override;
    std::string write_pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                               const std::vector<Quantity>& factors) override;
    std::string write_operation(Operation operation, const std::vector<std::string>& values,
                                bool of_pairs) override;
    std::unique_ptr<FormulaWriter> make_writer_after(const ExportedLayer& layer, bool unit,
                                                     ConstMatrixView points) override;

  private:
    std::string rows_in(const std::vector<Index>& columns);
    std::string squares(const std::vector<Index>& columns);
    std::string scaled(const std::vector<Index>& columns, const std::vector<Quantity>& factors,
                       const char* operation);
    std::string ratio_of_sums(const std::string& numerator, const std::string& sums);
    std::string product_of_all(std::string values, Index axis, Index count);
    std::string splines(const std::vector<Index>& columns);
    std::string angle(const std::string& g, const std::string& h, bool of_pairs);

    OnnxGraph& graph_;
    std::string rows_;
    std::map<std::vector<Index>, std::string> restricted_rows_;
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/formula/formula_writer.hpp"

namespace dk {

/// Writes formulas in C99: what depends on the row alone stands before the loop over the points p, and the
/// rest in it. The row is `x`, the point `z`, and `j` counts their FEATURES columns.
class CWriter final : public FormulaWriter {
  public:
    using FormulaWriter::FormulaWriter;

    /// What the results need of all that was written: declarations for the whole file, and statements before
    /// the loop and in it.
    struct Code {
        std::string constants;
        std::string of_row;
        std::string of_pairs;
    };
    Code code_for(std::vector<std::string> results) const;

  protected:
    std::string write_number(double value, bool among_pairs) override;
    std::string write_points(std::span<const double> values) override;
    std::string write_row_sum(RowSum sum, const std::vector<Index>& columns) override;
    std::string write_pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                               const std::vector<Quantity>& factors) override;
    std::string write_operation(Operation operation, const std::vector<std::string>& values,
                                bool of_pairs) override;

  private:
    enum class Place { file, row, pairs };
    struct Statement {
        Place place;
        std::string name;
        std::string code;
        std::vector<std::string> needs = {};  // the names of other statements
    };

    std::string fresh_name(char kind);
    /// Gives the name of a list of columns, or "" for all of them, and the head of a loop over it, in which
    /// `c` is the column.
    std::string list_of(const std::vector<Index>& columns);
    static std::string loop_over(const std::string& list, std::size_t count);

    std::vector<Statement> statements_;
    std::map<std::vector<Index>, std::string> column_lists_;
    Index names_ = 0;
};

}  // namespace dk

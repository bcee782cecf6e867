// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/formula/formula_writer.hpp"

namespace dk {

/// Writes formulas in C99: what depends on the row alone stands before the loop over the points p, and the
/// rest in it. The row is `x`, the point `z`, and `c` counts their columns. All that a layer makes of the row
/// has a writer of its own, whose code stands among that of the first.
class CWriter final : public FormulaWriter {
    enum class Place { functions, file, row, pairs };
    struct Statement {
        Place place;
        std::string name;
        std::string code;
        std::vector<std::string> needs = {};  // the names of other statements
    };
    /// What the writers of one loop have together.
    struct Written {
        std::string prefix;
        std::vector<Statement> statements = {};
        Index names = 0;
    };

  public:
    /// Functions of layers have names that begin with the prefix.
    CWriter(ConstMatrixView points, const std::string& prefix);
    /// Makes the writer for what a layer makes of the row, by the names of both in column c.
    CWriter(ConstMatrixView points, std::shared_ptr<Written> written, std::string row, std::string point);

    /// What the results need of all that was written: functions and declarations for the whole file, and
    /// statements before the loop and in it.
    struct Code {
        std::string functions;
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
    std::unique_ptr<FormulaWriter> make_writer_after(const ExportedLayer& layer, bool unit,
                                                     ConstMatrixView points) override;

  private:
    std::string fresh_name(char kind);
    /// Gives the name of a list of columns, or "" for all of them, and the head of a loop over it, in which
    /// `c` is the column.
    std::string list_of(const std::vector<Index>& columns);
    std::string loop_over(const std::string& list, std::size_t count) const;

    std::shared_ptr<Written> written_;
    std::string row_;    // in column c
    std::string point_;  // in column c
    std::map<std::vector<Index>, std::string> column_lists_;
};

}  // namespace dk

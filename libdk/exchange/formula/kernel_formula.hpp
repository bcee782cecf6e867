// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "exchange/formula/formula_writer.hpp"
#include "kernel/language/expression.hpp"

namespace dk {

/// Finds the value of a parameter of a call in a kernel's expression, whose parameters are all numbers.
double parameter_of(const Expression& call, std::string_view key);

/// The two rows that a kernel compares in a formula: the row with a point, or one of them with itself.
enum class RowPair { row_and_point, row_and_row, point_and_point };

/// The sums over columns of which a kernel's formula is made, for the two rows that it compares.
struct KernelTerms {
    FormulaWriter& writer;
    std::vector<Index> columns;
    RowPair compared = RowPair::row_and_point;

    Quantity number(double value) const { return writer.number(value); }
    Quantity sum(ColumnSum sum, const std::vector<Quantity>& factors = {}) const;
    /// The same, of a row or of a point with itself.
    KernelTerms of_row() const { return {writer, columns, RowPair::row_and_row}; }
    KernelTerms of_point() const { return {writer, columns, RowPair::point_and_point}; }
};

/// Writes the value of a kernel. Throws Error(unsupported), which names the kernel and the format, where
/// there is no formula of it.
Quantity kernel_formula(const Expression& kernel, const KernelTerms& terms, std::string_view format);

/// Writes the value of arccos or neural_tangent (network_formula.cpp).
Quantity network_formula(const Expression& call, const KernelTerms& terms, bool normalised);

}  // namespace dk

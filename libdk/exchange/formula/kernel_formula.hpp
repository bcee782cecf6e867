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
    /// The same two rows as features that an operator of the kernel has learned, with `unit` of length 1.
    KernelTerms after(const LearnedFeatures& part, bool unit) const;
    /// Gives a sum of the left or of the right one of the two rows.
    Quantity left_sum(RowSum sum) const;
    Quantity right_sum(RowSum sum) const;
};

/// Writes the value of a kernel. Throws Error(unsupported), which names the kernel and the format, where
/// there is no formula of it.
Quantity kernel_formula(const ExportedKernel& kernel, const KernelTerms& terms, std::string_view format);

/// Writes the value of bessel (bessel_formula.cpp), a function of u = gamma |x - z|^2.
Quantity bessel_formula(const Quantity& u, int order);

/// Writes the value of arccos or neural_tangent (network_formula.cpp).
Quantity network_formula(const Expression& call, const KernelTerms& terms, bool normalised);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace dk {

/// How people write the numbers of a file. Beside the marks that differ between countries, a number may have
/// a currency, a per cent sign, a Unicode minus, underscores or spaces between groups of three digits, and
/// Fortran's exponent with D.
struct NumberNotation {
    char decimal = '.';     // a point or a comma
    char thousands = '\0';  // a point, a comma or an apostrophe between groups of three digits, or none

    bool operator==(const NumberNotation&) const = default;

    /// Tells the value of a field; 20 % is 20. It gives nothing where the field is no such number.
    std::optional<double> value_of(std::string_view field) const;
};

/// Tells whether a field is a number in any notation, as the fields of a header are not.
bool is_number_in_any_notation(std::string_view field);

/// Tells whether a field proves that a comma is the decimal mark, as 1,5 does and 1,500 does not.
bool proves_decimal_comma(std::string_view field);

/// Tells whether a file has what no plain number has, so that its fields are worth a second look. It is one
/// quick pass.
bool may_have_other_notations(std::string_view content, char delimiter);

}  // namespace dk

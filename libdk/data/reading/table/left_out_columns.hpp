// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "data/reading/table/csv_table.hpp"

namespace dk {

/// Tells whether a column has no name, or one that identifiers have.
bool may_be_identifier(const CsvTable& table, Index column);

/// Finds columns that say which row this is and nothing about it: an unnamed column or one named as
/// identifiers are (id, index, PassengerId) that has another integer in every row, an unnamed first column
/// with another text in every row (of more than 20 in a file without names, which it may also count), and
/// columns without a name and without any value, as delimiters at the ends of lines make them.
std::vector<Index> columns_without_meaning(const CsvTable& table, Control& control);

}  // namespace dk

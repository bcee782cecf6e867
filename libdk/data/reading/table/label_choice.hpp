// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "data/reading/table/csv_table.hpp"

namespace dk {

/// Lists the names by which the column of labels is known in lower case.
const std::vector<std::string>& usual_labels();

/// Finds the column of labels, which the option gives or which is named label, class, target or y. In a file
/// without names it is the last column where that looks like classes and the first one does not look more
/// like them: texts of which each stands twice on average, or few integers. The option `guess` takes the last
/// column of any file, where it has several values, and not another text in every row. It gives -1 where
/// there is none.
Index label_column(const CsvTable& table, const ReadingOptions& options, Control& control);

/// Finds the columns that the option `label` lists with commas between them, each of which has a target of
/// every row; none where it names one column or none. Of a file like an earlier one some may lack.
std::vector<Index> target_columns(const CsvTable& table, const ReadingOptions& options);

/// Finds the columns whose first rows look like classes, for a message to those who have to choose.
std::vector<Index> label_candidates(const CsvTable& table, const ReadingOptions& options, Control& control);

}  // namespace dk

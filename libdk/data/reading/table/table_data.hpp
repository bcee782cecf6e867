// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "data/reading/table/csv_table.hpp"
#include "data/reading/table/reading_options.hpp"

namespace dk {

/// Makes dense data of a table, with the options that say how others are read alike. The data have the
/// features of the earlier file that the options name, or else all columns. Without `may_have_notation`
/// numbers are plain where the options say nothing else.
Dataset data_of_table(CsvTable table, bool may_have_notation, const ReadingOptions& options,
                      Control& control);

}  // namespace dk

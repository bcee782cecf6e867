// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "data/reading/arff_header.hpp"
#include "data/reading/table/csv_table.hpp"

namespace dk {

/// Makes sparse data of rows {index value, ...} of an ARFF file. What such a row leaves out is 0, and the
/// first value of a nominal attribute. `columns` has the names of the attributes and no rows.
Dataset sparse_arff(const ArffHeader& header, const CsvTable& columns, const ReadingOptions& options,
                    Control& control);

}  // namespace dk

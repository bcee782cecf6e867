// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "data/reading/table/reading_options.hpp"

namespace dk {

/// Splits a line at a mark. Where the mark is a space, any blanks separate the parts.
std::vector<std::string_view> split_line(std::string_view line, char mark);

/// Says whether a value of a series is missing, as ? and NaN say.
bool is_missing_step(std::string_view value);

/// Reads a value of a series, which the place names in messages; throws Error(invalid_data).
double step_value(std::string_view value, std::string_view place);

/// Makes data of series and their labels, which may be none. Labels that lack in each row of a file to
/// predict are none either; others must not be missing.
Dataset series_with_labels(SeriesSet set, const std::vector<std::string_view>& labels,
                           const std::vector<Index>& lines, const ReadingOptions& options, Control& control);

}  // namespace dk

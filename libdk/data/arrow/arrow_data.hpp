// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/control.hpp"
#include "data/arrow/arrow_input.hpp"
#include "data/dataset.hpp"
#include "data/reading/read_file.hpp"

namespace dk {

/// Makes data of a table in Arrow's form. Columns of numbers, bool and lists of a fixed size become dense
/// rows, those of text and dictionaries indicators of their texts, as a CSV file's do; lists of any length
/// become series, a channel each. dk_data_from_arrow() documents `options`, which count where they differ
/// from those of an earlier file.
Dataset data_of_arrow(const ArrowBatches& batches, std::string_view options, const EarlierFile& earlier,
                      Control& control);

}  // namespace dk

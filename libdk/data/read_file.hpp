// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/control.hpp"
#include "data/csv_table.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Reads a CSV or LIBSVM file, gzip compressed or not; `options` as dk_data_from_file documents them.
Dataset read_file(const std::string& path, std::string_view options, std::span<const std::string> like = {});

/// `like`: names of the features that the file shall give, those of the data a model was trained on; empty:
/// all that the file has.
Dataset parse_csv(std::string_view content, const CsvOptions& options,
                  std::span<const std::string> like = {});

/// One line a step, a column `series` naming what it belongs to.
Dataset parse_series(std::string_view content, const CsvOptions& options);

/// One string a line.
Dataset parse_strings(std::string_view content, const CsvOptions& options);

/// Parts of the file are read side by side; the first mistake in the file is told.
Dataset parse_libsvm(std::string_view content, Index least_columns, Control& control);

/// Whether a field says that a value is missing or not finite: empty, NA, NaN, ?, Inf.
bool says_missing(std::string_view field);
/// Whether it says that a value is infinite.
bool says_infinite(std::string_view field);

/// Attaches labels and, where they are numbers, targets: integers become labels, decimals only
/// targets, other text label names.
void attach_label_column(Dataset& data, const std::vector<std::string>& fields);

}  // namespace dk

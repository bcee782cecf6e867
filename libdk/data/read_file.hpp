// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "data/dataset.hpp"

namespace dk {

/// Reads a CSV or LIBSVM file, gzip compressed or not; `options` as dk_data_from_file documents them.
Dataset read_file(const std::string& path, std::string_view options);

struct CsvOptions {
    std::string header = "auto";     // auto, yes, no
    std::string delimiter = "auto";  // auto or one character
    std::string label = "auto";      // auto, none, a name or an index
};

Dataset parse_csv(std::string_view content, const CsvOptions& options);
Dataset parse_libsvm(std::string_view content, Index least_columns);

/// Whether a field says that a value is missing or not finite: empty, NA, NaN, ?, Inf.
bool says_missing(std::string_view field);

/// Attaches labels and, where they are numbers, targets: integers become labels, decimals only
/// targets, other text label names.
void attach_label_column(Dataset& data, const std::vector<std::string>& fields);

}  // namespace dk

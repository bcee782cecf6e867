// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

struct CsvOptions {
    std::string header = "auto";     // auto, yes, no
    std::string delimiter = "auto";  // auto or one character
    std::string label = "auto";      // auto, none, a name or an index
    std::string text = "auto";       // of strings: auto, a name or an index
    std::string missing = "refuse";  // refuse, keep
};

struct CsvLine {
    Index number;  // in the file, from 1
    std::vector<std::string> fields;
};

/// The lines of a table, header apart; all have the same number of fields.
struct CsvTable {
    std::vector<std::string> names;  // empty without a header
    std::vector<CsvLine> lines;

    Index columns() const { return std::ssize(lines.front().fields); }
    /// "line 3, field 2 (age)"
    std::string place(const CsvLine& line, Index column) const;
};

CsvTable scan_csv(std::string_view content, const CsvOptions& options);

/// The column that an option names: by name, by index (-1 is the last), or for auto the first that bears one
/// of `usual` names, whatever its case. -1 for none. `key` names the option in messages.
Index named_column(const CsvTable& table, const std::string& key, const std::string& option,
                   const std::vector<std::string>& usual);

/// The label column: named by the option, or label, class, target or y.
Index label_column(const CsvTable& table, const CsvOptions& options);

std::string lower_case(std::string_view text);

/// The label of a line; throws Error(invalid_data) where it is missing.
std::string required_label(const CsvLine& line, Index column);

}  // namespace dk

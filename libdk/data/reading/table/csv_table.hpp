// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_hold.hpp"
#include "base/types.hpp"
#include "data/reading/table/reading_options.hpp"

namespace dk {

/// What the fields of a column are, where the file tells it. Otherwise the fields do.
enum class ColumnKind { any, number, text };

/// Writes the numbers that a column has in the given rows of the table's source, one every `stride` values. A
/// NaN stands for one that is missing.
using ColumnNumbers = std::function<void(std::span<const Index> rows, double* out, Index stride)>;

/// A table whose rows have the same number of fields. The header is not among the rows. Fields are parts of
/// the content that was scanned, which has to live as long as they do. Where the values came as numbers, a
/// column has these in place of fields.
struct CsvTable {
    std::vector<std::string> names = {};  // This is empty if the file has no header.
    char delimiter = ',';
    Index columns = 0;
    std::vector<std::string_view> fields = {};    // rows x columns
    std::vector<Index> lines = {};                // Each row begins in this line of the file, counted from 1.
    std::string_view noun = "file";               // what messages call the table,
    std::string_view line_word = "line";          // and one of those lines
    std::deque<std::string> without_quotes = {};  // Fields in which quotes stood twice are kept here.
    std::vector<ColumnKind> kinds = {};           // This is empty where the file does not tell them.
    std::vector<double> weights = {};             // of the rows; this is empty where every row has weight 1
    std::vector<ColumnNumbers> numbers = {};      // of each column, none where it has fields
    std::vector<Index> places = {};  // of each column's field among those of a row, where some have none
    Index fields_a_row = 0;          // where `places` says which
    MemoryHold memory;               // what the table takes of the budget

    Index rows() const { return std::ssize(lines); }
    bool has_numbers(Index column) const { return !numbers.empty() && numbers[column]; }
    /// Gives a field, or an empty one where the column has numbers.
    std::string_view field(Index row, Index column) const {
        if (places.empty()) return fields[row * columns + column];
        return has_numbers(column) ? std::string_view() : fields[row * fields_a_row + places[column]];
    }
    ColumnKind kind(Index column) const { return kinds.empty() ? ColumnKind::any : kinds[column]; }
    /// Names a row for a message: "line 3".
    std::string place(Index row) const;
    /// Names a field for a message: "line 3, field 2 (age)".
    std::string place(Index row, Index column) const;
};

/// Scans a file. It takes no more than 24 bytes for each byte of the content, and asks the control's memory.
CsvTable scan_csv(std::string_view content, const ReadingOptions& options, Control& control);

/// Leaves out the rows whose field in a column is missing.
void drop_rows_without(CsvTable& table, Index column, const MissingMarkers& missing);

/// Finds the column of this name or, where there is none, of this index.
std::optional<Index> find_column(const CsvTable& table, const std::string& option);

/// Says whether a column is a feature of the earlier file. Rows to predict need no label and nothing that is
/// ignored, so that a feature may stand where these stood.
bool is_earlier_feature(const CsvTable& table, Index column, const ReadingOptions& options);

/// Gives the text by which an option finds a column again in a file like this one.
std::string option_for_column(const CsvTable& table, Index column);
/// Gives the options of several columns, with commas between them.
std::string options_for_columns(const CsvTable& table, std::span<const Index> columns);

/// Finds the column that an option gives by name or by index, where -1 is the last one. For auto it finds the
/// first column that has one of the `usual` names in upper or lower case. It gives -1 if there is none.
/// Messages name the option by `key`.
Index named_column(const CsvTable& table, const std::string& key, const std::string& option,
                   const std::vector<std::string>& usual);

/// Finds the column of groups, which the option gives; -1 if there is none.
Index group_column(const CsvTable& table, const ReadingOptions& options);

/// Finds the column with the names of the rows, which the option gives; -1 if there is none.
Index id_column(const CsvTable& table, const ReadingOptions& options);

/// Finds the columns that the option `ignore` lists. Unless none is among them, columns without meaning are
/// too, where this is no file like an earlier one.
std::vector<Index> ignored_columns(const CsvTable& table, const ReadingOptions& options, Control& control);

std::string lower_case(std::string_view text);

/// Gives what a row has in a column of labels or groups, as `what` calls it; throws Error(invalid_data) where
/// it is missing or no UTF-8.
std::string_view required_field(const CsvTable& table, Index row, Index column, const char* what,
                                const MissingMarkers& missing);

/// Gives what all rows have there, and nothing where there is no such column.
std::vector<std::string_view> required_fields(const CsvTable& table, Index column, const char* what,
                                              const MissingMarkers& missing);

}  // namespace dk

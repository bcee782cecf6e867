// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/label_choice.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/label_candidates.hpp"

namespace dk {

namespace {

/// What makes a column look like the classes of rows.
struct ClassLook {
    bool is_text = false;
    Index different = 0;
};

/// Gives how the first rows of a column look like classes, or nothing where it does not: a value is missing,
/// there are too many of them, or they are numbers but no integers.
std::optional<ClassLook> class_look(const CsvTable& table, Index column, Index rows,
                                    const ReadingOptions& options, Polls& polls) {
    std::set<std::string_view> different;
    const bool is_text = table.kind(column) == ColumnKind::text;
    Index numbers = 0;
    for (Index i = 0; i < rows; ++i) {
        polls.step();
        const std::string_view field = table.field(i, column);
        if (options.missing.marks(field)) {
            if (options.skip_unlabelled) continue;
            return {};
        }
        if (!different.insert(field).second) continue;
        const auto number = is_text ? std::nullopt : parse_number(field);
        numbers += number ? 1 : 0;
        if (number && std::trunc(*number) != *number) return {};  // 1.0 is an integer, as labels are.
        const Index most = numbers > 0 ? most_integer_classes(rows) : most_classes_of_text(rows);
        if (std::ssize(different) > most) return {};
    }
    const bool is_mixed = numbers > 0 && numbers < std::ssize(different);
    if (is_mixed || different.size() < 2) return {};
    return ClassLook{numbers == 0, std::ssize(different)};
}

/// Finds the last column of a table without names, or -1 where it does not look like the labels. Delimiters
/// at the ends of lines make no column. Files that have the labels in the first column, as many have, must
/// not lose a feature for it.
Index last_column_of_classes(const CsvTable& table, const ReadingOptions& options, Control& control) {
    Polls polls(control);
    Index column = table.columns - 1;
    while (column > 0 && table.field(0, column).empty()) --column;
    if (column < 1) return -1;
    const auto last = class_look(table, column, table.rows(), options, polls);
    if (!last) return -1;
    const auto first = class_look(table, 0, table.rows(), options, polls);
    if (!first) return column;
    const bool is_first = last->is_text ? first->is_text && first->different < last->different
                                        : first->is_text || first->different <= last->different;
    return is_first ? -1 : column;
}

/// Says whether a column can have the labels where someone says that it does.
bool can_be_label(const CsvTable& table, Index column, const ReadingOptions& options) {
    if (table.columns < 2) return false;
    std::set<std::string_view> different;
    bool any_number = false;
    for (Index i = 0; i < table.rows(); ++i) {
        const std::string_view field = table.field(i, column);
        if (options.missing.marks(field)) {
            if (options.skip_unlabelled) continue;
            return false;
        }
        any_number = any_number || parse_number(field);
        different.insert(field);
    }
    return different.size() > 1 && (any_number || std::ssize(different) < table.rows());
}

}  // namespace

const std::vector<std::string>& usual_labels() {
    static const std::vector<std::string> names{"label", "class", "target", "y"};
    return names;
}

Index label_column(const CsvTable& table, const ReadingOptions& options, Control& control) {
    const bool guess = options.label == "guess";
    const std::string option = guess ? "auto" : options.label;
    const bool by_option = option != "auto" && option != "none";
    if (options.may_lack && by_option && !find_column(table, option)) return -1;
    const Index label = named_column(table, "label", option, usual_labels());
    const Index last = table.columns - 1;
    if (label < 0 && option == "auto" && options.earlier_columns == 0) {
        if (guess && can_be_label(table, last, options)) return last;
        if (!guess && table.names.empty()) return last_column_of_classes(table, options, control);
    }
    return label >= 0 && options.may_lack && is_earlier_feature(table, label, options) ? -1 : label;
}

std::vector<Index> target_columns(const CsvTable& table, const ReadingOptions& options) {
    if (options.label.find(',') == std::string::npos || find_column(table, options.label)) return {};
    std::vector<Index> columns;
    for (const std::string& name : split(options.label, ',')) {
        if (options.may_lack && !find_column(table, name)) continue;
        const Index column = named_column(table, "label", name, {});
        if (column < 0)
            fail(Status::invalid_parameter, "label lists ", in_quotes(name),
                 " among several columns; it takes their names");
        if (std::ranges::find(columns, column) != columns.end())
            fail(Status::invalid_parameter, "label lists the column ", in_quotes(name), " twice");
        if (!options.may_lack || !is_earlier_feature(table, column, options)) columns.push_back(column);
    }
    return columns;
}

std::vector<Index> label_candidates(const CsvTable& table, const ReadingOptions& options, Control& control) {
    Polls polls(control);
    const Index rows = std::min(table.rows(), rows_that_show_classes);
    std::vector<Index> candidates;
    for (Index j = 0; j < table.columns; ++j) {
        if (class_look(table, j, rows, options, polls)) candidates.push_back(j);
    }
    return candidates;
}

}  // namespace dk

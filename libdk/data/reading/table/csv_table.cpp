// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/csv_table.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "base/unicode.hpp"
#include "base/usable_name.hpp"
#include "data/characters.hpp"
#include "data/reading/table/csv_layout.hpp"
#include "data/reading/table/left_out_columns.hpp"

namespace dk {

namespace {

/// Splits the content into rows of fields. A quoted field may hold delimiters and line breaks, and a quote
/// that is written twice. Lines may end with CRLF, and blank lines are skipped.
class CsvScanner {
  public:
    CsvScanner(std::string_view content, char delimiter, CsvTable& table, Index lines_before,
               Control& control)
        : begin_(content.data()),
          at_(content.data()),
          end_(content.data() + content.size()),
          delimiter_(delimiter),
          table_(table),
          polls_(control),
          line_(lines_before) {}

    void scan() {
        while (at_ != end_) scan_row();
    }

  private:
    void scan_row() {
        const Index line = ++line_;
        const Index before = std::ssize(table_.fields);
        while (scan_field()) {
        }
        const Index count = std::ssize(table_.fields) - before;
        if (count == 1 && table_.fields.back().empty()) {  // The line is blank.
            table_.fields.pop_back();
            return;
        }
        if (table_.lines.empty()) table_.columns = count;
        if (count == table_.columns + 1 && table_.lines.size() == 1) widen_header();
        if (count + 1 == table_.columns && table_.lines.size() == 1) narrow_header();
        if (count != table_.columns) {
            fail(Status::invalid_data, "line ", line, " has ", count, " fields, line ", table_.lines.front(),
                 " has ", table_.columns);
        }
        table_.lines.push_back(line);
        row_begins_ = std::ssize(table_.fields);
    }

    /// Gives the first line another field where it has names and the second line one field more: a delimiter
    /// ends each line but that of the names, or names of rows, which R writes, have no name.
    void widen_header() {
        const auto names = std::span(table_.fields).first(table_.columns);
        if (std::ranges::any_of(names, [](auto name) { return name.empty() || parse_number(name); })) return;
        const std::string_view first = table_.fields[table_.columns];
        const bool is_quoted = first.data() > begin_ && first.data() <= end_ && first.data()[-1] == '"';
        const bool has_row_name = is_quoted || !(first.empty() || parse_number(first));
        if (!table_.fields.back().empty() && !has_row_name) return;
        const Index place = table_.fields.back().empty() ? table_.columns : 0;
        table_.fields.insert(table_.fields.begin() + place, std::string_view());
        ++table_.columns;
    }

    /// Takes a field without a name from the end of the first line, where the second line has one field less:
    /// a delimiter ends the names and no other line.
    void narrow_header() {
        if (!table_.fields[table_.columns - 1].empty()) return;
        --table_.columns;
        table_.fields.erase(table_.fields.begin() + table_.columns);
    }

    /// Reads a field and what ends it. Tells whether another field of the row follows.
    bool scan_field() {
        const char* const begin = at_;
        while (at_ != end_ && is_blank(*at_) && *at_ != '\n' && (*at_ != delimiter_ || delimiter_ == ' '))
            advance();
        // Several blanks in a row are one delimiter, and those behind the last field are none.
        const bool nothing_follows = delimiter_ == ' ' && (at_ == end_ || *at_ == '\n');
        if (nothing_follows && std::ssize(table_.fields) > row_begins_) return end_field();
        if (at_ != end_ && *at_ == '"') {
            table_.fields.push_back(quoted_field());
            skip_to_delimiter();
        } else {
            while (at_ != end_ && *at_ != '\n' && *at_ != delimiter_) advance();
            table_.fields.push_back(trimmed({begin, at_}));
        }
        return end_field();
    }

    void advance() {
        ++at_;
        polls_.step();
    }

    /// Passes the end of a field, and tells whether that is a delimiter.
    bool end_field() { return at_ != end_ && *at_++ == delimiter_; }

    void skip_to_delimiter() {
        while (at_ != end_ && *at_ != '\n' && *at_ != delimiter_) {
            if (!is_blank(*at_)) fail(Status::invalid_data, "line ", line_, ": text after a closing quote");
            advance();
        }
    }

    std::string_view quoted_field() {
        const Index line = line_;
        const char* const begin = ++at_;
        bool doubled = false;
        for (; at_ != end_; advance()) {
            if (*at_ == '\n') ++line_;
            if (*at_ != '"') continue;
            if (at_ + 1 == end_ || at_[1] != '"') {
                const std::string_view field(begin, at_++);
                return doubled ? without_doubled_quotes(field) : field;
            }
            doubled = true;
            ++at_;
        }
        fail(Status::invalid_data, "line ", line, ": a quote is never closed");
    }

    /// Takes memory for fields that are kept, of many short ones together.
    void take_memory(std::size_t bytes) {
        constexpr double at_once = 1 << 16;
        taking_ += static_cast<double>(bytes);
        if (taking_ < at_once) return;
        table_.memory.take(taking_, text("a field of ", bytes, " bytes, or several fields,"));
        taking_ = 0;
    }

    std::string_view without_doubled_quotes(std::string_view field) {
        take_memory(sizeof(std::string) + field.size());
        std::string& single = table_.without_quotes.emplace_back();
        single.reserve(field.size());
        for (const char* c = field.begin(); c != field.end(); ++c) {
            single += *c;
            if (*c == '"') ++c;
            polls_.step();
        }
        return single;
    }

    const char* begin_;
    const char* at_;
    const char* end_;
    char delimiter_;
    CsvTable& table_;
    Polls polls_;
    Index line_;
    Index row_begins_ = 0;  // the number of fields of the rows before
    double taking_ = 0;     // bytes of fields for which no memory has been taken yet
};

}  // namespace

namespace {

/// Leaves out rows of delimiters alone at the end of a table, as spreadsheets write them.
void drop_empty_rows_at_end(CsvTable& table) {
    const auto is_empty = [](std::string_view field) { return field.empty(); };
    while (table.rows() > 1 && table.columns > 1 &&
           std::ranges::all_of(std::span(table.fields).last(table.columns), is_empty)) {
        table.fields.resize(table.fields.size() - table.columns);
        table.lines.pop_back();
    }
}

/// Takes names from a comment above the table, as numpy writes them, where it has as many as there are
/// columns.
void take_names_of_comment(CsvTable& table, std::string_view comment, Control& control) {
    if (comment.empty() || comment.find('"') != std::string_view::npos) return;
    CsvTable names{.memory = MemoryHold(control)};
    CsvScanner(comment, table.delimiter, names, 0, control).scan();
    if (names.rows() != 1 || names.columns != table.columns || table.columns < 2) return;
    const auto is_name = [](std::string_view field) { return !field.empty() && !parse_number(field); };
    if (!std::ranges::all_of(names.fields, is_name)) return;
    take_header(names);
    table.names = std::move(names.names);
}

}  // namespace

CsvTable scan_csv(std::string_view content, const ReadingOptions& options, Control& control) {
    const auto told = take_delimiter_line(content);
    const Comments comments = take_comments(content);
    const char delimiter = options.delimiter != "auto" ? options.delimiter.front()
                           : told                      ? *told
                                                       : guess_delimiter(content, options.label_delimiter);
    const auto lines = std::ranges::count(content, '\n') + 1;
    const auto fields = std::ranges::count(content, delimiter) + lines;
    CsvTable table{.memory = MemoryHold(control,
                                        1.0 * fields * sizeof(std::string_view) + 1.0 * lines * sizeof(Index),
                                        text("a table of ", fields, " fields"))};
    control.check();
    table.delimiter = delimiter;
    table.fields.reserve(fields);
    table.lines.reserve(lines);
    CsvScanner(content, delimiter, table, comments.lines + (told ? 1 : 0), control).scan();
    if (table.rows() == 0) fail(Status::invalid_data, "the file is empty");
    drop_empty_rows_at_end(table);
    const bool header =
        options.header == "yes" || (options.header == "auto" && looks_like_header(table, options, control));
    if (header) take_header(table);
    if (table.rows() == 0) fail(Status::invalid_data, "the file has a header line and no rows");
    if (table.names.empty() && options.header != "no") take_names_of_comment(table, comments.last, control);
    return table;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower;
}

std::string CsvTable::place(Index row) const {
    return text(line_word, " ", lines[row]);
}

std::string CsvTable::place(Index row, Index column) const {
    constexpr std::size_t longest = 60;
    const bool named = !names.empty() && names[column].size() <= longest;
    const std::string name = named ? text(" (", names[column], ")") : "";
    return text(place(row), ", field ", column + 1, name);
}

std::optional<Index> find_column(const CsvTable& table, const std::string& option) {
    const auto named = std::ranges::find(table.names, option);
    if (named != table.names.end()) return named - table.names.begin();
    const auto index = parse_integer(option);
    if (!index || *index < -table.columns || *index >= table.columns) return {};
    return *index < 0 ? *index + table.columns : *index;
}

namespace {

[[noreturn]] void refuse_column(const CsvTable& table, const std::string& key, const std::string& option) {
    if (const auto index = parse_integer(option)) {
        fail(Status::invalid_parameter, key, "=", *index, ": the ", table.noun, " has columns 0 to ",
             table.columns - 1, " (-1 is the last)");
    }
    fail(Status::invalid_parameter, "no column is named ", in_quotes(option),
         table.names.empty() ? "; the file has no header line"
                             : "; nearest is " + in_quotes(nearest_name(option, table.names)));
}

}  // namespace

bool is_earlier_feature(const CsvTable& table, Index column, const ReadingOptions& options) {
    if (table.names.empty()) {
        const Index columns = options.earlier_features.empty()
                                  ? options.earlier_columns
                                  : std::ssize(FeatureNames::columns_of(options.earlier_features));
        return table.columns == columns;
    }
    return FeatureNames(options.earlier_features).have(table.names[column]);
}

Index named_column(const CsvTable& table, const std::string& key, const std::string& option,
                   const std::vector<std::string>& usual) {
    if (option == "none") return -1;
    if (option == "auto") {
        const auto known = std::ranges::find_if(table.names, [&](const std::string& name) {
            return std::ranges::find(usual, lower_case(name)) != usual.end();
        });
        return known == table.names.end() ? -1 : known - table.names.begin();
    }
    if (const auto column = find_column(table, option)) return *column;
    refuse_column(table, key, option);
}

namespace {

/// Finds a column that is no feature, which a file to predict may lack.
Index column_beside_features(const CsvTable& table, const std::string& key, const std::string& option,
                             bool may_lack, const ReadingOptions& options) {
    if (option == "none" || option == "auto") return -1;
    const auto column = find_column(table, option);
    if (!may_lack) {
        if (!column) refuse_column(table, key, option);
        return *column;
    }
    return column && !is_earlier_feature(table, *column, options) ? *column : -1;
}

}  // namespace

Index group_column(const CsvTable& table, const ReadingOptions& options) {
    return column_beside_features(table, "groups", options.groups, options.groups_may_lack, options);
}

Index id_column(const CsvTable& table, const ReadingOptions& options) {
    return column_beside_features(table, "id", options.id, options.id_may_lack, options);
}

std::vector<Index> ignored_columns(const CsvTable& table, const ReadingOptions& options, Control& control) {
    std::vector<Index> columns;
    bool look = options.earlier_columns == 0;
    for (const std::string& name : split(options.ignore, ',')) {
        if (name == "none") look = false;
        if (name == "none" || name == "auto") continue;
        if (options.may_lack && !find_column(table, name)) continue;
        const Index column = named_column(table, "ignore", name, {});
        if (!options.may_lack || !is_earlier_feature(table, column, options)) columns.push_back(column);
    }
    if (look) std::ranges::copy(columns_without_meaning(table, control), std::back_inserter(columns));
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

std::string option_for_column(const CsvTable& table, Index column) {
    const std::string name = table.names.empty() ? "" : table.names[column];
    const bool plain = !name.empty() && name.find(',') == std::string::npos && trimmed(name) == name &&
                       !parse_integer(name) && name != "none" && name != "auto" && name != "guess";
    return plain ? name : text(column);
}

std::string options_for_columns(const CsvTable& table, std::span<const Index> columns) {
    std::string all;
    for (const Index j : columns) all += (all.empty() ? "" : ",") + option_for_column(table, j);
    return all;
}

void drop_rows_without(CsvTable& table, Index column, const MissingMarkers& missing) {
    const Index width = table.places.empty() ? table.columns : table.fields_a_row;
    Index kept = 0;
    for (Index i = 0; i < table.rows(); ++i) {
        if (missing.marks(table.field(i, column))) continue;
        std::copy_n(table.fields.begin() + i * width, width, table.fields.begin() + kept * width);
        table.lines[kept] = table.lines[i];
        if (!table.weights.empty()) table.weights[kept] = table.weights[i];
        ++kept;
    }
    table.fields.resize(kept * width);
    table.lines.resize(kept);
    if (!table.weights.empty()) table.weights.resize(kept);
    if (kept == 0) fail(Status::invalid_data, "the label is missing in every row");
}

std::string_view required_field(const CsvTable& table, Index row, Index column, const char* what,
                                const MissingMarkers& missing) {
    const std::string_view field = table.field(row, column);
    if (missing.marks(field) || says_infinite(field)) {
        fail(Status::invalid_data, table.place(row), ": the ", what, " is missing or not finite (",
             in_quotes(field), "); unlabelled=skip leaves such rows out");
    }
    if (const std::string why = why_no_name(field); !why.empty())
        fail(Status::invalid_data, table.place(row, column), ": the ", what, " ", in_quotes(field), " ", why);
    return field;
}

std::vector<std::string_view> required_fields(const CsvTable& table, Index column, const char* what,
                                              const MissingMarkers& missing) {
    std::vector<std::string_view> fields;
    for (Index i = 0; column >= 0 && i < table.rows(); ++i)
        fields.push_back(required_field(table, i, column, what, missing));
    return fields;
}

}  // namespace dk

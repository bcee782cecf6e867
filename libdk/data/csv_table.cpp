// SPDX-License-Identifier: Apache-2.0
#include "data/csv_table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/error.hpp"

namespace dk {

namespace {

/// Splits the content into rows of fields. A quoted field may hold delimiters and line breaks, and a quote
/// that is written twice. Lines may end with CRLF, and blank lines are skipped.
class CsvScanner {
  public:
    CsvScanner(std::string_view content, char delimiter, CsvTable& table, Control& control)
        : at_(content.data()),
          end_(content.data() + content.size()),
          delimiter_(delimiter),
          table_(table),
          polls_(control) {}

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
        if (count != table_.columns) {
            fail(Status::invalid_data, "line ", line, " has ", count, " fields, line ", table_.lines.front(),
                 " has ", table_.columns);
        }
        table_.lines.push_back(line);
        row_begins_ = std::ssize(table_.fields);
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

    std::string_view without_doubled_quotes(std::string_view field) {
        std::string& single = table_.without_quotes.emplace_back();
        for (const char* c = field.begin(); c != field.end(); ++c) {
            single += *c;
            if (*c == '"') ++c;
        }
        return single;
    }

    const char* at_;
    const char* end_;
    char delimiter_;
    CsvTable& table_;
    Polls polls_;
    Index line_ = 0;
    Index row_begins_ = 0;  // the number of fields of the rows before
};

char guess_delimiter(std::string_view content) {
    const auto first_line = content.substr(0, content.find('\n'));
    for (const char candidate : {',', ';', '\t'}) {
        if (first_line.find(candidate) != std::string_view::npos) return candidate;
    }
    return trimmed(first_line).find(' ') != std::string_view::npos ? ' ' : ',';
}

/// The names of features, which may be indicators "name=text" of a column `name`.
class FeatureNames {
  public:
    explicit FeatureNames(const std::vector<std::string>& names) : sorted_(names.begin(), names.end()) {
        std::ranges::sort(sorted_);
    }
    /// Says whether a name is that of a column of the features.
    bool have(std::string_view name) const {
        if (name.empty()) return false;
        if (std::ranges::binary_search(sorted_, name)) return true;
        const std::string indicator = text(name, "=");
        const auto after = std::ranges::lower_bound(sorted_, std::string_view(indicator));
        return after != sorted_.end() && after->starts_with(indicator);
    }

  private:
    std::vector<std::string_view> sorted_;
};

/// Says whether columns of text alone have names in their first line: none of these stands again in its
/// column, though other texts do.
bool first_line_stands_alone(const CsvTable& table, Control& control) {
    Polls polls(control);
    bool any_repeats = false;
    for (Index j = 0; j < table.columns; ++j) {
        std::set<std::string_view> seen;
        for (Index i = 1; i < table.rows(); ++i) {
            polls.step();
            if (table.field(i, j) == table.field(0, j)) return false;
            any_repeats = any_repeats || !seen.insert(table.field(i, j)).second;
        }
    }
    return any_repeats;
}

/// Says whether the first line is a header: it has a name that the options or readers know, or text above a
/// number of the second line, or names of columns of text. A line that stands alone is a header if it has
/// only text.
bool looks_like_header(const CsvTable& table, const CsvOptions& options, Control& control) {
    const std::span<const std::string_view> all(table.fields);
    const auto first = all.first(table.columns);
    const auto is_text = [](std::string_view field) { return !parse_number(field).has_value(); };
    if (table.rows() == 1) return std::ranges::all_of(first, is_text);
    constexpr std::array<std::string_view, 7> known{"label", "class",  "target",  "series",
                                                    "text",  "string", "sequence"};
    const FeatureNames features(options.earlier_features);
    for (const std::string_view name : first) {
        if (std::ranges::find(known, lower_case(name)) != known.end()) return true;
        if (is_text(name) && (name == options.label || name == options.text || name == options.groups))
            return true;
        if (features.have(name)) return true;
    }
    const auto second = all.subspan(table.columns, table.columns);
    for (Index j = 0; j < table.columns; ++j) {
        if (is_text(first[j]) && !first[j].empty() && !is_text(second[j])) return true;
    }
    const bool only_text = std::ranges::all_of(first, is_text) && std::ranges::all_of(second, is_text);
    return only_text && first_line_stands_alone(table, control);
}

/// Makes the first row the names of the columns.
void take_header(CsvTable& table) {
    const auto end = table.fields.begin() + table.columns;
    table.names.assign(table.fields.begin(), end);
    table.fields.erase(table.fields.begin(), end);
    table.lines.erase(table.lines.begin());
}

}  // namespace

CsvTable scan_csv(std::string_view content, const CsvOptions& options, Control& control) {
    const char delimiter = options.delimiter == "auto" ? guess_delimiter(content) : options.delimiter.front();
    const auto lines = std::ranges::count(content, '\n') + 1;
    const auto fields = std::ranges::count(content, delimiter) + lines;
    control.memory().require(1.0 * fields * sizeof(std::string_view) + 1.0 * lines * sizeof(Index),
                             text("a table of ", fields, " fields"));
    control.check();
    CsvTable table;
    table.fields.reserve(fields);
    table.lines.reserve(lines);
    CsvScanner(content, delimiter, table, control).scan();
    if (table.rows() == 0) fail(Status::invalid_data, "the file is empty");
    const bool header =
        options.header == "yes" || (options.header == "auto" && looks_like_header(table, options, control));
    if (header) take_header(table);
    if (table.rows() == 0) fail(Status::invalid_data, "the file has a header line and no rows");
    return table;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower;
}

namespace {

/// Gives a field in lower case and without its sign.
std::string bare(std::string_view field) {
    std::string lower = lower_case(field);
    if (lower.starts_with('+') || lower.starts_with('-')) lower.erase(0, 1);
    return lower;
}

}  // namespace

bool says_infinite(std::string_view field) {
    const std::string word = bare(field);
    return word == "inf" || word == "infinity";
}

bool says_missing(std::string_view field) {
    if (field.empty() || field == "?" || lower_case(field) == "na") return true;
    return bare(field) == "nan" || says_infinite(field);
}

std::string CsvTable::place(Index row, Index column) const {
    const std::string name = names.empty() ? "" : text(" (", names[column], ")");
    return text("line ", lines[row], ", field ", column + 1, name);
}

namespace {

/// Finds the column of this name or, where there is none, of this index.
std::optional<Index> column_of(const CsvTable& table, const std::string& option) {
    const auto named = std::ranges::find(table.names, option);
    if (named != table.names.end()) return named - table.names.begin();
    const auto index = parse_integer(option);
    if (!index || *index < -table.columns || *index >= table.columns) return {};
    return *index < 0 ? *index + table.columns : *index;
}

[[noreturn]] void refuse_column(const CsvTable& table, const std::string& key, const std::string& option) {
    if (const auto index = parse_integer(option)) {
        fail(Status::invalid_parameter, key, "=", *index, ": the file has columns 0 to ", table.columns - 1,
             " (-1 is the last)");
    }
    fail(Status::invalid_parameter, "no column is named ", in_quotes(option),
         table.names.empty() ? "; the file has no header line"
                             : "; nearest is " + in_quotes(nearest_name(option, table.names)));
}

/// Says whether a column is a feature of the earlier file. Rows to predict need no label and nothing that is
/// ignored, so that a feature may stand where these stood.
bool is_earlier_feature(const CsvTable& table, Index column, const CsvOptions& options) {
    return table.names.empty() ? table.columns == options.earlier_columns
                               : FeatureNames(options.earlier_features).have(table.names[column]);
}

}  // namespace

Index named_column(const CsvTable& table, const std::string& key, const std::string& option,
                   const std::vector<std::string>& usual) {
    if (option == "none") return -1;
    if (option == "auto") {
        const auto known = std::ranges::find_if(table.names, [&](const std::string& name) {
            return std::ranges::find(usual, lower_case(name)) != usual.end();
        });
        return known == table.names.end() ? -1 : known - table.names.begin();
    }
    if (const auto column = column_of(table, option)) return *column;
    refuse_column(table, key, option);
}

Index label_column(const CsvTable& table, const CsvOptions& options) {
    const bool by_option = options.label != "auto" && options.label != "none";
    if (options.may_lack && by_option && !column_of(table, options.label)) return -1;
    const Index label = named_column(table, "label", options.label, {"label", "class", "target", "y"});
    return label >= 0 && options.may_lack && is_earlier_feature(table, label, options) ? -1 : label;
}

Index group_column(const CsvTable& table, const CsvOptions& options) {
    if (options.groups == "none") return -1;
    const auto column = column_of(table, options.groups);
    if (!options.groups_may_lack) {
        if (!column) refuse_column(table, "groups", options.groups);
        return *column;
    }
    return column && !is_earlier_feature(table, *column, options) ? *column : -1;
}

std::vector<Index> ignored_columns(const CsvTable& table, const CsvOptions& options) {
    std::vector<Index> columns;
    if (options.ignore == "none") return columns;
    for (const std::string& name : split(options.ignore, ',')) {
        if (options.may_lack && !column_of(table, name)) continue;
        const Index column = named_column(table, "ignore", name, {});
        if (!options.may_lack || !is_earlier_feature(table, column, options)) columns.push_back(column);
    }
    return columns;
}

std::string_view required_field(const CsvTable& table, Index row, Index column, const char* what) {
    const std::string_view field = table.field(row, column);
    if (says_missing(field)) {
        fail(Status::invalid_data, "line ", table.lines[row], ": the ", what, " is missing or not finite (",
             in_quotes(field), ")");
    }
    return field;
}

std::vector<std::string_view> required_fields(const CsvTable& table, Index column, const char* what) {
    std::vector<std::string_view> fields;
    for (Index i = 0; column >= 0 && i < table.rows(); ++i)
        fields.push_back(required_field(table, i, column, what));
    return fields;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "data/csv_table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "data/read_file.hpp"

namespace dk {

namespace {

/// Splits the content into lines of fields. A quoted field may hold delimiters and line breaks, and a quote
/// that is written twice. Lines may end with CRLF, and blank lines are skipped.
class CsvScanner {
  public:
    CsvScanner(std::string_view content, char delimiter) : rest_(content), delimiter_(delimiter) {}

    bool next(CsvLine& line) {
        while (!rest_.empty()) {
            line.number = ++line_number_;
            line.fields.clear();
            scan_line(line);
            if (line.fields.size() > 1 || !line.fields.front().empty()) return true;
        }
        return false;
    }

  private:
    void scan_line(CsvLine& line) {
        std::string field;
        bool was_quoted = false;
        bool blank = true;  // The field has nothing but blanks so far.
        const auto finish = [&] {
            line.fields.emplace_back(was_quoted ? field : std::string(trimmed(field)));
            field.clear();
            was_quoted = false;
            blank = true;
        };
        while (!rest_.empty()) {
            const char c = take();
            if (c == '"' && blank && !was_quoted) {
                field = quoted_field(line.number);
                was_quoted = true;
            } else if (c == delimiter_) {
                // Several blanks in a row are one delimiter.
                if (delimiter_ != ' ' || !field.empty() || was_quoted) finish();
            } else if (c == '\n') {
                break;
            } else if (!was_quoted) {
                field += c;
                blank = blank && is_blank(c);
            } else if (c != ' ' && c != '\r' && c != '\t') {
                fail(Status::invalid_data, "line ", line.number, ": text after a closing quote");
            }
        }
        const bool trailing_blank = delimiter_ == ' ' && blank && !was_quoted;
        if (!trailing_blank || line.fields.empty()) finish();
    }

    std::string quoted_field(Index line) {
        std::string field;
        while (!rest_.empty()) {
            const char c = take();
            if (c == '\n') ++line_number_;
            if (c != '"') {
                field += c;
            } else if (rest_.starts_with('"')) {
                field += take();
            } else {
                return field;
            }
        }
        fail(Status::invalid_data, "line ", line, ": a quote is never closed");
    }

    char take() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    std::string_view rest_;
    char delimiter_;
    Index line_number_ = 0;
};

char guess_delimiter(std::string_view content) {
    const auto first_line = content.substr(0, content.find('\n'));
    for (const char candidate : {',', ';', '\t'}) {
        if (first_line.find(candidate) != std::string_view::npos) return candidate;
    }
    return trimmed(first_line).find(' ') != std::string_view::npos ? ' ' : ',';
}

/// Says whether a name is that of a column of the features, which may be indicators "name=text" of it.
bool names_feature(const std::string& name, const std::vector<std::string>& features) {
    return !name.empty() && std::ranges::any_of(features, [&](const std::string& feature) {
        return feature == name || feature.starts_with(name + "=");
    });
}

/// Says whether columns of text alone have names in their first line: none of these stands again in its
/// column, though other texts do.
bool first_line_stands_alone(const std::vector<CsvLine>& lines) {
    bool any_repeats = false;
    for (std::size_t j = 0; j < lines.front().fields.size(); ++j) {
        std::set<std::string_view> seen;
        for (std::size_t i = 1; i < lines.size(); ++i) {
            if (lines[i].fields[j] == lines.front().fields[j]) return false;
            any_repeats = !seen.insert(lines[i].fields[j]).second || any_repeats;
        }
    }
    return any_repeats;
}

/// Says whether the first line is a header: it has a name that the options or readers know, or text above a
/// number of the second line, or names of columns of text. A line that stands alone is a header if it has
/// only text.
bool looks_like_header(const std::vector<CsvLine>& lines, const CsvOptions& options) {
    const std::vector<std::string>& first = lines.front().fields;
    const auto is_text = [](const std::string& field) { return !parse_number(field).has_value(); };
    if (lines.size() == 1) return std::ranges::all_of(first, is_text);
    constexpr std::array<std::string_view, 7> known{"label", "class",  "target",  "series",
                                                    "text",  "string", "sequence"};
    for (const std::string& name : first) {
        if (std::ranges::find(known, lower_case(name)) != known.end()) return true;
        if (is_text(name) && (name == options.label || name == options.text)) return true;
        if (names_feature(name, options.earlier_features)) return true;
    }
    const std::vector<std::string>& second = lines[1].fields;
    for (std::size_t j = 0; j < std::min(first.size(), second.size()); ++j) {
        if (is_text(first[j]) && !first[j].empty() && !is_text(second[j])) return true;
    }
    const bool only_text = std::ranges::all_of(first, is_text) && std::ranges::all_of(second, is_text);
    return only_text && first_line_stands_alone(lines);
}

}  // namespace

CsvTable scan_csv(std::string_view content, const CsvOptions& options) {
    const char delimiter = options.delimiter == "auto" ? guess_delimiter(content) : options.delimiter.front();
    CsvScanner scanner(content, delimiter);
    CsvTable table;
    for (CsvLine line; scanner.next(line);) {
        if (!table.lines.empty() && line.fields.size() != table.lines.front().fields.size()) {
            fail(Status::invalid_data, "line ", line.number, " has ", line.fields.size(), " fields, line ",
                 table.lines.front().number, " has ", table.lines.front().fields.size());
        }
        table.lines.push_back(line);
    }
    if (table.lines.empty()) fail(Status::invalid_data, "the file is empty");
    const bool header =
        options.header == "yes" || (options.header == "auto" && looks_like_header(table.lines, options));
    if (header) {
        table.names = table.lines.front().fields;
        table.lines.erase(table.lines.begin());
    }
    if (table.lines.empty()) fail(Status::invalid_data, "the file has a header line and no rows");
    return table;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower;
}

std::string CsvTable::place(const CsvLine& line, Index column) const {
    const std::string name = names.empty() ? "" : text(" (", names[column], ")");
    return text("line ", line.number, ", field ", column + 1, name);
}

namespace {

/// Finds the column of this name or, where there is none, of this index.
std::optional<Index> column_of(const CsvTable& table, const std::string& option) {
    const auto named = std::ranges::find(table.names, option);
    if (named != table.names.end()) return named - table.names.begin();
    const auto index = parse_integer(option);
    if (!index || *index < -table.columns() || *index >= table.columns()) return {};
    return *index < 0 ? *index + table.columns() : *index;
}

/// Says whether a column is a feature of the earlier file. Rows to predict need no label and nothing that is
/// ignored, so that a feature may stand where these stood.
bool is_earlier_feature(const CsvTable& table, Index column, const CsvOptions& options) {
    return table.names.empty() ? table.columns() == options.earlier_columns
                               : names_feature(table.names[column], options.earlier_features);
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
    if (const auto index = parse_integer(option)) {
        fail(Status::invalid_parameter, key, "=", *index, ": the file has columns 0 to ", table.columns() - 1,
             " (-1 is the last)");
    }
    fail(Status::invalid_parameter, "no column is named ", in_quotes(option),
         table.names.empty() ? "; the file has no header line"
                             : "; nearest is " + in_quotes(nearest_name(option, table.names)));
}

Index label_column(const CsvTable& table, const CsvOptions& options) {
    const bool by_option = options.label != "auto" && options.label != "none";
    if (options.may_lack && by_option && !column_of(table, options.label)) return -1;
    const Index label = named_column(table, "label", options.label, {"label", "class", "target", "y"});
    return label >= 0 && options.may_lack && is_earlier_feature(table, label, options) ? -1 : label;
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

std::string required_label(const CsvLine& line, Index column) {
    const std::string& field = line.fields[column];
    if (says_missing(field)) {
        fail(Status::invalid_data, "line ", line.number, ": the label is missing or not finite (",
             in_quotes(field), ")");
    }
    return field;
}

}  // namespace dk

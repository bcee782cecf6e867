// SPDX-License-Identifier: Apache-2.0
#include "data/csv_table.hpp"

#include <algorithm>
#include <array>

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

/// Says whether the first line is a header: it has a name that readers know, or text above a number of the
/// second line. A line that stands alone is a header if it has only text.
bool looks_like_header(const std::vector<std::string>& first, const std::vector<std::string>* second) {
    constexpr std::array<std::string_view, 7> known{"label", "class",  "target",  "series",
                                                    "text",  "string", "sequence"};
    const bool known_name = std::ranges::any_of(
        first, [&](const auto& name) { return std::ranges::find(known, lower_case(name)) != known.end(); });
    if (second && known_name) return true;
    if (!second)
        return std::ranges::none_of(first, [](const auto& f) { return parse_number(f).has_value(); });
    for (std::size_t j = 0; j < std::min(first.size(), second->size()); ++j) {
        if (!parse_number(first[j]) && !first[j].empty() && parse_number((*second)[j])) return true;
    }
    return false;
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
    const auto* second = table.lines.size() > 1 ? &table.lines[1].fields : nullptr;
    const bool header = options.header == "yes" ||
                        (options.header == "auto" && looks_like_header(table.lines.front().fields, second));
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

Index named_column(const CsvTable& table, const std::string& key, const std::string& option,
                   const std::vector<std::string>& usual) {
    if (option == "none") return -1;
    if (option == "auto") {
        const auto known = std::ranges::find_if(table.names, [&](const std::string& name) {
            return std::ranges::find(usual, lower_case(name)) != usual.end();
        });
        return known == table.names.end() ? -1 : known - table.names.begin();
    }
    const auto named = std::ranges::find(table.names, option);
    if (named != table.names.end()) return named - table.names.begin();
    const auto index = parse_integer(option);
    if (!index) {
        fail(Status::invalid_parameter, "no column is named ", in_quotes(option),
             table.names.empty() ? "; the file has no header line"
                                 : "; nearest is " + in_quotes(nearest_name(option, table.names)));
    }
    if (*index < -table.columns() || *index >= table.columns()) {
        fail(Status::invalid_parameter, key, "=", *index, ": the file has columns 0 to ", table.columns() - 1,
             " (-1 is the last)");
    }
    return *index < 0 ? *index + table.columns() : *index;
}

Index label_column(const CsvTable& table, const CsvOptions& options) {
    return named_column(table, "label", options.label, {"label", "class", "target", "y"});
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

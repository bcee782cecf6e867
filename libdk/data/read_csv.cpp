// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/error.hpp"
#include "data/read_file.hpp"

namespace dk {

namespace {

struct Line {
    Index number;  // in the file, from 1
    std::vector<std::string> fields;
};

/// Splits the content into lines of fields: quotes ("" inside quotes is one quote), CRLF, blank
/// lines skipped.
class CsvScanner {
  public:
    CsvScanner(std::string_view content, char delimiter) : rest_(content), delimiter_(delimiter) {}

    bool next(Line& line) {
        while (!rest_.empty()) {
            line.number = ++line_number_;
            line.fields.clear();
            scan_line(line);
            if (line.fields.size() > 1 || !line.fields.front().empty()) return true;
        }
        return false;
    }

  private:
    void scan_line(Line& line) {
        std::string field;
        bool was_quoted = false;
        const auto finish = [&] {
            line.fields.emplace_back(was_quoted ? field : std::string(trimmed(field)));
            field.clear();
            was_quoted = false;
        };
        while (!rest_.empty()) {
            const char c = take();
            if (c == '"' && trimmed(field).empty() && !was_quoted) {
                field = quoted_field(line.number);
                was_quoted = true;
            } else if (c == delimiter_) {
                // runs of blanks are one delimiter
                if (delimiter_ != ' ' || !field.empty() || was_quoted) finish();
            } else if (c == '\n') {
                break;
            } else if (!was_quoted) {
                field += c;
            } else if (c != ' ' && c != '\r' && c != '\t') {
                fail(Status::invalid_data, "line ", line.number, ": text after a closing quote");
            }
        }
        const bool trailing_blank = delimiter_ == ' ' && trimmed(field).empty() && !was_quoted;
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

std::string lower_case(std::string name) {
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

/// Position of the label column, -1 for none.
Index label_position(const std::string& option, const std::vector<std::string>& names, Index columns) {
    if (option == "none") return -1;
    if (option == "auto") {
        const auto known = std::ranges::find_if(names, [](const std::string& name) {
            const auto lower = lower_case(name);
            return lower == "label" || lower == "class" || lower == "target" || lower == "y";
        });
        return known == names.end() ? -1 : known - names.begin();
    }
    const auto named = std::ranges::find(names, option);
    if (named != names.end()) return named - names.begin();
    const auto index = parse_integer(option);
    if (!index) {
        fail(Status::invalid_parameter, "no column is named ", in_quotes(option),
             names.empty() ? "; the file has no header line"
                           : "; nearest is " + in_quotes(nearest_name(option, names)));
    }
    if (*index < -columns || *index >= columns) {
        fail(Status::invalid_parameter, "label=", *index, ": the file has columns 0 to ", columns - 1,
             " (-1 is the last)");
    }
    return static_cast<Index>(*index < 0 ? *index + columns : *index);
}

/// A header has text where the line below has a number; or, above no line at all, only text.
bool looks_like_header(const std::vector<std::string>& first, const std::vector<std::string>* second) {
    if (!second)
        return std::ranges::none_of(first, [](const auto& f) { return parse_number(f).has_value(); });
    for (std::size_t j = 0; j < std::min(first.size(), second->size()); ++j) {
        if (!parse_number(first[j]) && !first[j].empty() && parse_number((*second)[j])) return true;
    }
    return false;
}

double feature_value(const Line& line, std::size_t column, const std::vector<std::string>& names) {
    const std::string& field = line.fields[column];
    if (const auto number = parse_number(field)) return *number;
    const std::string name = names.empty() ? "" : text(" (", names[column], ")");
    if (says_missing(field)) {
        fail(Status::invalid_data, "line ", line.number, ", field ", column + 1, name,
             " is missing or not finite (", in_quotes(field), "); every feature needs a finite value");
    }
    fail(Status::invalid_data, "line ", line.number, ", field ", column + 1, name, " is ", in_quotes(field),
         ", expected a finite number");
}

/// The lines of the table, header apart.
struct Table {
    std::vector<std::string> names;
    std::vector<Line> lines;
};

Table scan_table(std::string_view content, const CsvOptions& options) {
    const char delimiter = options.delimiter == "auto" ? guess_delimiter(content) : options.delimiter.front();
    CsvScanner scanner(content, delimiter);
    Table table;
    for (Line line; scanner.next(line);) {
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

/// The header without the label; columns without a name are f1, f2, ... by their position.
std::vector<std::string> feature_names(const std::vector<std::string>& header, Index label) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (Index j = 0; j < size_of(header); ++j) {
        if (j == label) continue;
        const auto& name = header[unsigned_of(j)];
        names.push_back(name.empty() ? text("f", names.size() + 1) : name);
        if (!seen.insert(names.back()).second) {
            fail(Status::invalid_data, "line 1: the column name ", in_quotes(names.back()), " stands twice");
        }
    }
    return names;
}

}  // namespace

Dataset parse_csv(std::string_view content, const CsvOptions& options) {
    const Table table = scan_table(content, options);
    const Index columns = size_of(table.lines.front().fields);
    const Index label = label_position(options.label, table.names, columns);
    DenseMatrix matrix{size_of(table.lines), columns - (label >= 0 ? 1 : 0)};
    if (matrix.cols == 0) fail(Status::invalid_data, "the file has a label column and no features");
    matrix.values.reserve(unsigned_of(matrix.rows * matrix.cols));
    std::vector<std::string> label_fields;
    for (const Line& line : table.lines) {
        for (Index j = 0; j < columns; ++j) {
            if (j != label) {
                matrix.values.push_back(feature_value(line, unsigned_of(j), table.names));
                continue;
            }
            const std::string& field = line.fields[unsigned_of(j)];
            if (says_missing(field)) {
                fail(Status::invalid_data, "line ", line.number, ": the label is missing or not finite (",
                     in_quotes(field), ")");
            }
            label_fields.push_back(field);
        }
    }
    Dataset data(std::move(matrix));
    data.feature_names = feature_names(table.names, label);
    if (label >= 0) attach_label_column(data, label_fields);
    return data;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// This file prints a JSON document for programs, or the same document as lines and tables for people.
#include <algorithm>
#include <vector>

#include "output.hpp"
#include "output/table.hpp"

namespace command {
namespace {

constexpr size_t kMostInLine = 30;

bool is_record(const Json& value) {
    return value.is_object();
}
bool is_scalar(const Json& value) {
    return !value.is_structured();
}

// Says whether a value is shown in one cell: a scalar, or a list of scalars.
bool is_flat(const Json& value) {
    return is_scalar(value) || (value.is_array() && std::all_of(value.begin(), value.end(), is_scalar));
}

bool is_flat_record(const Json& value) {
    return value.is_object() && std::all_of(value.begin(), value.end(), is_flat);
}

std::string cell(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_float()) return rounded(value.get<double>());
    if (!value.is_array()) return value.dump();
    std::string list;
    for (size_t i = 0; i < std::min(value.size(), kMostInLine); ++i) {
        list += (i == 0 ? "" : ", ") + cell(value[i]);
    }
    return value.size() > kMostInLine ? list + ", ... (" + std::to_string(value.size()) + ")" : list;
}

std::string heading(std::string key) {
    std::replace(key.begin(), key.end(), '_', ' ');
    return key;
}

// Prints a list of flat objects as a table, whose head has the names of all their members.
void print_records(Output& output, const Json& records, size_t indent, LongCells long_cells) {
    std::vector<std::string> keys;
    for (const Json& record : records) {
        for (const auto& member : record.items()) {
            if (std::find(keys.begin(), keys.end(), member.key()) == keys.end()) keys.push_back(member.key());
        }
    }
    std::vector<std::string> names;
    for (const std::string& key : keys) names.push_back(heading(key));
    Table table(std::move(names));
    for (const Json& record : records) {
        std::vector<std::string> cells;
        for (size_t c = 0; c < keys.size(); ++c) {
            const Json value = record.value(keys[c], Json());
            cells.push_back(cell(value));
            if (value.is_number()) table.align_right(c);
        }
        table.add(std::move(cells));
    }
    table.print(output, indent, long_cells);
}

// Prints lists of scalars, such as the rows of a confusion matrix, below each other.
void print_lists(Output& output, const Json& lists, size_t indent) {
    Table table;
    for (const Json& list : lists) {
        std::vector<std::string> cells;
        for (const Json& entry : list) {
            table.align_right(cells.size());
            cells.push_back(cell(entry));
        }
        table.add(std::move(cells));
    }
    table.print(output, indent);
}

void print_members(Output& output, const Json& object, size_t indent, LongCells long_cells);

void print_nested(Output& output, const std::string& name, const Json& value, size_t indent,
                  LongCells long_cells) {
    output.text(std::string(indent, ' ') + toned(Tone::heading, printable(heading(name))) + "\n");
    if (value.is_array() && std::all_of(value.begin(), value.end(), is_flat_record)) {
        print_records(output, value, indent + 2, long_cells);
    } else if (value.is_array() && std::all_of(value.begin(), value.end(), is_record)) {
        for (const Json& record : value) {
            print_members(output, record, indent + 2, long_cells);
            if (&record != &value.back()) output.text("\n");
        }
    } else if (value.is_array()) {
        print_lists(output, value, indent + 2);
    } else {
        print_members(output, value, indent + 2, long_cells);
    }
}

// Prints first what fits on a line, then what needs a table or a paragraph.
void print_members(Output& output, const Json& object, size_t indent, LongCells long_cells) {
    Table lines;
    bool separate = false;
    for (const auto& member : object.items()) {
        if (!is_flat(member.value())) continue;
        lines.add({heading(member.key()), cell(member.value())});
        separate = true;
    }
    lines.print(output, indent, long_cells);
    for (const auto& member : object.items()) {
        if (is_flat(member.value()) || member.value().empty()) continue;
        if (separate) output.text("\n");
        print_nested(output, member.key(), member.value(), indent, long_cells);
        separate = true;
    }
}

}  // namespace

std::string rounded(double value, int digits) {
    char text[32];
    const int length = std::snprintf(text, sizeof text, "%.*g", digits, value);
    return std::string(text, static_cast<size_t>(length));
}

void report(const Json& document, bool as_json, LongCells long_cells) {
    Output output;
    if (as_json) {
        const int indent = terminal_columns(Stream::output) > 0 ? 2 : -1;
        output.text(document.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
    } else {
        print_members(output, document, 0, long_cells);
    }
    output.commit();
}

}  // namespace command

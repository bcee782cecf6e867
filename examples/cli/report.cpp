// SPDX-License-Identifier: Apache-2.0
// This file prints a JSON document for programs, or the same document as lines and tables for people.
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "output.hpp"

namespace command {
namespace {

using Rows = std::vector<std::vector<std::string>>;

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

// Counts the columns that a text takes on the screen: every byte that doesn't continue a UTF-8 character.
size_t width_of(const std::string& text) {
    const auto starts = [](char byte) { return (byte & 0xC0) != 0x80; };
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts));
}

void print_aligned(Output& output, const Rows& rows, const std::vector<bool>& right, size_t indent) {
    std::vector<size_t> widths(right.size(), 0);
    for (const auto& row : rows) {
        for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
    }
    for (const auto& row : rows) {
        std::string line(indent, ' ');
        for (size_t c = 0; c < row.size(); ++c) {
            const std::string padding(widths[c] - width_of(row[c]), ' ');
            line += (right[c] ? padding + row[c] : row[c] + padding) + "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        output.text(line + "\n");
    }
}

// Prints a list of flat objects as a table, whose head has the names of all their members.
void print_table(Output& output, const Json& records, size_t indent) {
    std::vector<std::string> keys;
    for (const Json& record : records) {
        for (const auto& member : record.items()) {
            if (std::find(keys.begin(), keys.end(), member.key()) == keys.end()) keys.push_back(member.key());
        }
    }
    std::vector<bool> right(keys.size(), false);
    Rows rows(1);
    for (const std::string& key : keys) rows[0].push_back(heading(key));
    for (const Json& record : records) {
        auto& row = rows.emplace_back();
        for (size_t c = 0; c < keys.size(); ++c) {
            const Json value = record.value(keys[c], Json());
            row.push_back(cell(value));
            if (value.is_number()) right[c] = true;
        }
    }
    print_aligned(output, rows, right, indent);
}

void print_members(Output& output, const Json& object, size_t indent);

void print_nested(Output& output, const std::string& name, const Json& value, size_t indent) {
    output.text(std::string(indent, ' ') + heading(name) + "\n");
    if (value.is_array() && std::all_of(value.begin(), value.end(), is_flat_record)) {
        print_table(output, value, indent + 2);
    } else if (value.is_array() && std::all_of(value.begin(), value.end(), is_record)) {
        for (const Json& record : value) {
            print_members(output, record, indent + 2);
            if (&record != &value.back()) output.text("\n");
        }
    } else if (value.is_array()) {
        Rows rows;
        size_t columns = 0;
        for (const Json& line : value) {
            auto& row = rows.emplace_back();
            for (const Json& entry : line) row.push_back(cell(entry));
            columns = std::max(columns, row.size());
        }
        print_aligned(output, rows, std::vector<bool>(columns, true), indent + 2);
    } else {
        print_members(output, value, indent + 2);
    }
}

// Prints first what fits on a line, then what needs a table or a paragraph.
void print_members(Output& output, const Json& object, size_t indent) {
    Rows lines;
    for (const auto& member : object.items()) {
        if (is_flat(member.value())) lines.push_back({heading(member.key()), cell(member.value())});
    }
    print_aligned(output, lines, {false, false}, indent);
    bool separate = !lines.empty();
    for (const auto& member : object.items()) {
        if (is_flat(member.value()) || member.value().empty()) continue;
        if (separate) output.text("\n");
        print_nested(output, member.key(), member.value(), indent);
        separate = true;
    }
}

}  // namespace

std::string rounded(double value) {
    char digits[32];
    const int length = std::snprintf(digits, sizeof digits, "%.6g", value);
    return std::string(digits, static_cast<size_t>(length));
}

void report(const Json& document, bool as_json) {
    Output output;
    if (as_json) {
        const int indent = isatty(STDOUT_FILENO) != 0 ? 2 : -1;
        output.text(document.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
    } else {
        print_members(output, document, 0);
    }
    output.commit();
}

}  // namespace command

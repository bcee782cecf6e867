// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "data/read_file.hpp"

namespace dk {

namespace {

constexpr Index most_columns = 2147483647;

/// The first word of a line; empty when there is none.
std::string_view take_word(std::string_view& line) {
    const auto blank = [](char c) { return is_blank(c); };  // a function's address would not be inlined
    const auto begin = std::ranges::find_if_not(line, blank);
    const auto end = std::find_if(begin, line.end(), blank);
    line = {end, line.end()};
    return {begin, end};
}

/// Appends one "index:value" entry; indices count from 1 and increase.
void append_entry(SparseMatrix& matrix, std::string_view word, Index line_number) {
    const auto colon = word.find(':');
    if (colon == std::string_view::npos) {
        fail(Status::invalid_data, "line ", line_number, ": expected index:value, found ", in_quotes(word));
    }
    const auto index = parse_integer(word.substr(0, colon));
    const auto value = parse_number(word.substr(colon + 1));
    if (!index || *index < 1 || *index > most_columns) {
        fail(Status::invalid_data, "line ", line_number, ": index in ", in_quotes(word),
             " must be an integer from 1 to ", most_columns);
    }
    if (!value) {
        fail(Status::invalid_data, "line ", line_number, ": value in ", in_quotes(word),
             " must be a finite number");
    }
    const Index column = static_cast<Index>(*index) - 1;
    const bool first = size_of(matrix.columns) == matrix.row_offsets.back();
    if (!first && matrix.columns.back() >= column) {
        fail(Status::invalid_data, "line ", line_number, ": indices must increase, ", *index, " follows ",
             matrix.columns.back() + 1);
    }
    matrix.columns.push_back(column);
    matrix.values.push_back(*value);
    matrix.cols = std::max(matrix.cols, column + 1);
}

}  // namespace

Dataset parse_libsvm(std::string_view content, Index least_columns) {
    SparseMatrix matrix;
    matrix.cols = std::max<Index>(least_columns, 1);
    matrix.row_offsets.push_back(0);
    const auto most_entries = static_cast<std::size_t>(std::ranges::count(content, ':'));
    matrix.columns.reserve(most_entries);
    matrix.values.reserve(most_entries);
    std::vector<std::string> labels;
    for (Index line_number = 1; !content.empty(); ++line_number) {
        const auto end = std::min(content.find('\n'), content.size());
        auto line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const auto label = take_word(line);
        if (label.find(':') != std::string_view::npos || label.find(',') != std::string_view::npos) {
            fail(Status::invalid_data, "line ", line_number, ": expected one label, found ",
                 in_quotes(label));
        }
        if (!parse_number(label)) {
            fail(Status::invalid_data, "line ", line_number, ": the label must be a finite number, it is ",
                 in_quotes(label));
        }
        labels.emplace_back(label);
        for (auto word = take_word(line); !word.empty(); word = take_word(line))
            append_entry(matrix, word, line_number);
        matrix.row_offsets.push_back(size_of(matrix.columns));
        ++matrix.rows;
    }
    if (matrix.rows == 0) fail(Status::invalid_data, "the file has no rows");
    Dataset data(std::move(matrix));
    attach_label_column(data, labels);
    return data;
}

}  // namespace dk

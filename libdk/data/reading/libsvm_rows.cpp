// SPDX-License-Identifier: Apache-2.0
#include "data/reading/libsvm_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "data/resize.hpp"

namespace dk {

namespace {

constexpr Index most_columns = 2147483647;

/// Takes the first word from a line; it is empty when there is none.
std::string_view take_word(std::string_view& line) {
    const auto blank = [](char c) { return is_blank(c); };  // A lambda is inlined, a function pointer is not.
    const auto begin = std::ranges::find_if_not(line, blank);
    const auto end = std::find_if(begin, line.end(), blank);
    line = {end, line.end()};
    return {begin, end};
}

/// Some lines of a file, which one thread reads. Messages count lines in the whole file.
struct Part {
    std::string_view file;
    std::string_view content;
    const Control* control;  // of the call, which a long line asks too

    // The entries go to the matrix of the whole file, from these places on.
    Index* columns = nullptr;
    double* values = nullptr;
    Index entries = 0;
    Index cols = 0;
    Index least_index = 0;  // A smaller index is a mistake.
    bool has_zero = false;  // The index 0 stands somewhere, and is column -1 for now.
    std::vector<std::int64_t> queries = {};
    std::vector<Index> row_ends = {};  // Entries are counted from the first of the part.
    std::vector<std::string_view> labels = {};
    std::string_view unlabelled = {};  // the first entry that stands where a label should
    bool has_sets = false;             // Some row has several labels, so that others may have none.
    std::exception_ptr failure = nullptr;

    template <typename... Words>
    [[noreturn]] void refuse(std::string_view at, const Words&... words) const {
        const auto before = file.substr(0, at.data() - file.data());
        fail(Status::invalid_data, "line ", 1 + std::ranges::count(before, '\n'), ": ", words...);
    }
};

void append_entry(Part& part, std::string_view word, Index column, double value, bool first) {
    if (!first && part.columns[part.entries - 1] >= column) {
        part.refuse(word, "indices must increase, ", column + 1, " follows ",
                    part.columns[part.entries - 1] + 1);
    }
    part.has_zero = part.has_zero || column < 0;
    part.columns[part.entries] = column;
    part.values[part.entries] = value;
    ++part.entries;
    constexpr Index entries_a_poll = Index{1} << 16U;
    if (part.entries % entries_a_poll == 0 && part.control->stopping())
        fail(Status::cancelled, "cancelled during reading");
    part.cols = std::max(part.cols, column + 1);
}

/// Appends the entry "index:value" to a part. Column 0 has the index 1 until all lines are known.
void parse_entry(Part& part, std::string_view word, bool first) {
    const auto colon = word.find(':');
    if (colon == std::string_view::npos) part.refuse(word, "expected index:value, found ", in_quotes(word));
    const auto index = parse_integer(word.substr(0, colon));
    const auto value = parse_number(word.substr(colon + 1));
    if (!index || *index < part.least_index || *index > most_columns) {
        part.refuse(word, "index in ", in_quotes(word), " must be an integer from ", part.least_index, " to ",
                    most_columns,
                    word.starts_with("0:")     ? "; index_base=0 says that indices count from 0"
                    : word.starts_with("qid:") ? "; a query stands behind the label, before the first index"
                                               : "");
    }
    if (!value) part.refuse(word, "value in ", in_quotes(word), " must be a finite number");
    append_entry(part, word, *index - 1, *value, first);
}

/// Appends the entries at the beginning of a line that are written plainly, as most are, in one quick pass.
/// The rest stays in the line for parse_entry(), which knows all ways to write an entry and reports mistakes.
void parse_plain_entries(Part& part, std::string_view& line) {
    const char* const end = line.data() + line.size();
    for (bool first = true;; first = false) {
        const char* at = line.data();
        while (at != end && is_blank(*at)) ++at;
        const char* const word = at;
        Index index = 0;
        while (at != end && *at >= '0' && *at <= '9' && index <= most_columns)
            index = 10 * index + (*at++ - '0');
        if (at == word || at == end || *at != ':' || index < part.least_index || index > most_columns) return;
        double value = 0;
        const char* stop = parse_plain_decimal(at + 1, end, value);
        if (stop == nullptr) {
            const auto [after, error] = std::from_chars(at + 1, end, value);
            if (error != std::errc{} || !std::isfinite(value)) return;
            stop = after;
        }
        if (stop != end && !is_blank(*stop)) return;
        append_entry(part, {word, stop}, index - 1, value, first);
        line = {stop, end};
    }
}

/// Takes the label from a line, or several with commas between them; none where an entry comes first.
std::string_view take_label(Part& part, std::string_view& line) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (word.find(':') != std::string_view::npos) {
        if (part.unlabelled.empty()) part.unlabelled = word;
        return {};
    }
    part.has_sets = part.has_sets || word.find(',') != std::string_view::npos;
    for (std::string_view left = word; !left.empty();) {
        const auto end = std::min(left.find(','), left.size());
        if (!parse_number(left.substr(0, end))) {
            part.refuse(word, "the label must be a finite number, it is ", in_quotes(left.substr(0, end)),
                        "; a CSV file may have names for labels");
        }
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    line = rest;
    return word;
}

/// Takes the query "qid:7" that may stand behind the label, in all lines or in none.
void parse_query(Part& part, std::string_view& line) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    constexpr std::string_view key = "qid:";
    const bool has_query = word.starts_with(key);
    const bool others_have = std::ssize(part.queries) == std::ssize(part.row_ends);
    if (!has_query && part.queries.empty()) return;
    if (!has_query || !others_have) part.refuse(line, "some lines have a query (qid:), and some have none");
    const auto query = parse_integer(word.substr(key.size()));
    if (!query) part.refuse(word, "the query in ", in_quotes(word), " must be an integer");
    part.queries.push_back(*query);
    line = rest;
}

void parse_line(Part& part, std::string_view line) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    part.labels.push_back(take_label(part, line));
    const Index begin = part.entries;
    parse_query(part, line);
    parse_plain_entries(part, line);
    for (auto word = take_word(line); !word.empty(); word = take_word(line))
        parse_entry(part, word, part.entries == begin);
    part.row_ends.push_back(part.entries);
}

void parse_lines(Part& part) {
    for (auto rest = part.content; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        parse_line(part, rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

/// Divides a file into parts of about equal size that end where lines end.
std::vector<Part> parts_of(std::string_view file, Index least_index, const Control& control) {
    constexpr std::size_t size = std::size_t{1} << 18U;
    std::vector<Part> parts;
    for (auto rest = file; !rest.empty();) {
        const auto end = rest.size() <= size ? std::string_view::npos : rest.find('\n', size);
        parts.push_back({file, rest.substr(0, end), &control});
        parts.back().least_index = least_index;
        rest.remove_prefix(std::min(end, rest.size()));
    }
    return parts;
}

/// Gives every part its place in the matrix, for which it counts colons: every entry has one.
void allocate(std::vector<Part>& parts, SparseMatrix& matrix, Control& control) {
    std::vector<Index> begins(parts.size() + 1);
    parallel_for(std::ssize(parts), control,
                 [&](Index p) { begins[p + 1] = std::ranges::count(parts[p].content, ':'); });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    Index lines = 1;
    for (const Part& part : parts) lines += std::ranges::count(part.content, '\n');
    constexpr double bytes_a_line = 96;  // for its label and its end, as text and as numbers
    control.memory().require(bytes_a_line * lines + begins.back() * (sizeof(Index) + sizeof(double)),
                             text("a file of ", lines, " lines and ", begins.back(), " entries"));
    resize_in_steps(matrix.columns, begins.back(), control);
    resize_in_steps(matrix.values, begins.back(), control);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        parts[p].columns = matrix.columns.data() + begins[p];
        parts[p].values = matrix.values.data() + begins[p];
    }
}

/// Joins the parts and counts rows and columns. Colons in comments leave gaps between the parts, which it
/// closes.
void join(const std::vector<Part>& parts, SparseMatrix& matrix) {
    matrix.row_offsets.push_back(0);
    Index entries = 0;
    for (const Part& part : parts) {
        if (part.columns != matrix.columns.data() + entries) {
            std::copy_n(part.columns, part.entries, matrix.columns.data() + entries);
            std::copy_n(part.values, part.entries, matrix.values.data() + entries);
        }
        for (const Index end : part.row_ends) matrix.row_offsets.push_back(entries + end);
        entries += part.entries;
        matrix.rows += std::ssize(part.row_ends);
        matrix.cols = std::max(matrix.cols, part.cols);
    }
    matrix.columns.resize(entries);
    matrix.values.resize(entries);
}

/// Gives what the parts know of the rows beside the matrix.
void join_answers(const std::vector<Part>& parts, LibsvmRows& rows) {
    rows.labels.reserve(rows.matrix.rows);
    for (const Part& part : parts) {
        std::ranges::copy(part.labels, std::back_inserter(rows.labels));
        std::ranges::copy(part.queries, std::back_inserter(rows.queries));
        rows.has_zero = rows.has_zero || part.has_zero;
        rows.has_sets = rows.has_sets || part.has_sets;
    }
    for (const Part& part : parts) {
        if (!rows.has_sets && !part.unlabelled.empty())
            part.refuse(part.unlabelled, "expected a label before index:value, found ",
                        in_quotes(part.unlabelled));
    }
    if (!rows.queries.empty() && std::ssize(rows.queries) != rows.matrix.rows)
        fail(Status::invalid_data, "some lines have a query (qid:), and some have none");
}

}  // namespace

LibsvmRows read_libsvm_rows(std::string_view content, Index least_index, bool are_sets, Control& control) {
    std::vector<Part> parts = parts_of(content, least_index, control);
    LibsvmRows rows{.has_sets = are_sets};
    allocate(parts, rows.matrix, control);
    parallel_for(std::ssize(parts), 4.0 * content.size(), control, [&](Index p) {
        Part& part = parts[p];
        try {
            parse_lines(part);
        } catch (...) {
            part.failure = std::current_exception();
        }
    });
    // This reports the first mistake in the file, whichever thread met one first.
    for (const Part& part : parts) {
        if (part.failure) std::rethrow_exception(part.failure);
    }
    control.check();
    join(parts, rows.matrix);
    control.check();
    if (rows.matrix.rows == 0) fail(Status::invalid_data, "the file has no rows");
    join_answers(parts, rows);
    return rows;
}

}  // namespace dk

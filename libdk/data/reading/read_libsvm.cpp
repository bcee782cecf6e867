// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "data/reading/readers.hpp"
#include "data/reading/table/label_columns.hpp"
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
    std::vector<Index> row_ends = {};  // Entries are counted from the first of the part.
    std::vector<std::string_view> labels = {};
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
    part.columns[part.entries] = column;
    part.values[part.entries] = value;
    ++part.entries;
    constexpr Index entries_a_poll = Index{1} << 16U;
    if (part.entries % entries_a_poll == 0 && part.control->stopping())
        fail(Status::cancelled, "cancelled during reading");
    part.cols = std::max(part.cols, column + 1);
}

/// Appends the entry "index:value" to a part. Indices count from 1.
void parse_entry(Part& part, std::string_view word, bool first) {
    const auto colon = word.find(':');
    if (colon == std::string_view::npos) part.refuse(word, "expected index:value, found ", in_quotes(word));
    const auto index = parse_integer(word.substr(0, colon));
    const auto value = parse_number(word.substr(colon + 1));
    if (!index || *index < 1 || *index > most_columns) {
        part.refuse(word, "index in ", in_quotes(word), " must be an integer from 1 to ", most_columns,
                    word.starts_with("0:") ? "; scikit-learn writes such files by zero_based=False"
                    : word.starts_with("qid:")
                        ? "; query numbers are groups, which a CSV file has in a column (groups=)"
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
        if (at == word || at == end || *at != ':' || index < 1 || index > most_columns) return;
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

void parse_line(Part& part, std::string_view line) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const auto label = take_word(line);
    if (label.find(':') != std::string_view::npos || label.find(',') != std::string_view::npos)
        part.refuse(label, "expected one label, found ", in_quotes(label));
    if (!parse_number(label))
        part.refuse(label, "the label must be a finite number, it is ", in_quotes(label));
    part.labels.push_back(label);
    const Index begin = part.entries;
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
std::vector<Part> parts_of(std::string_view file, const Control& control) {
    constexpr std::size_t size = std::size_t{1} << 18U;
    std::vector<Part> parts;
    for (auto rest = file; !rest.empty();) {
        const auto end = rest.size() <= size ? std::string_view::npos : rest.find('\n', size);
        parts.push_back({file, rest.substr(0, end), &control});
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

/// Reads parts of the file in several threads, and reports the first mistake in the file.
Dataset parse_libsvm(std::string_view content, const ReadingOptions& options, Control& control) {
    if (options.groups != "none" && !options.groups_may_lack)
        fail(Status::invalid_parameter, "groups=", options.groups,
             " cannot be found: files in LIBSVM's format have no columns of groups");
    std::vector<Part> parts = parts_of(content, control);
    SparseMatrix matrix;
    allocate(parts, matrix, control);
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
    matrix.cols = std::max<Index>(options.least_columns, 1);
    join(parts, matrix);
    if (matrix.rows == 0) fail(Status::invalid_data, "the file has no rows");
    std::vector<std::string_view> labels;
    labels.reserve(matrix.rows);
    for (const Part& part : parts) std::ranges::copy(part.labels, std::back_inserter(labels));
    Dataset data(std::move(matrix));
    attach_label_column(data, labels, control);
    return data;
}

Likeness likeness_of_libsvm(const FileLook& file) {
    if (file.is_named(".svm") || file.is_named(".libsvm")) return Likeness::by_name;
    const auto first_line = file.content.substr(0, file.content.find('\n'));
    const bool has_entries = first_line.find(':') != std::string_view::npos;
    return has_entries && first_line.find(',') == std::string_view::npos ? Likeness::by_look : Likeness::none;
}

}  // namespace

Reader libsvm_reader() {
    return {.name = "libsvm",
            .documentation = "LIBSVM's sparse rows, a label and index:value for what is not zero",
            .likeness = likeness_of_libsvm,
            .parse = parse_libsvm};
}

}  // namespace dk

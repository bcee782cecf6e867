// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/reading/libsvm_rows.hpp"
#include "data/reading/readers.hpp"
#include "data/reading/table/label_columns.hpp"

namespace dk {

namespace {

std::span<const Index> columns_of_row(const SparseMatrix& matrix, Index row) {
    const Index begin = matrix.row_offsets[row];
    return std::span(matrix.columns).subspan(begin, matrix.row_offsets[row + 1] - begin);
}

/// Says whether each row begins with 0:1, 0:2, ... and goes on with a value for each row, as LIBSVM's files
/// of a precomputed kernel do.
bool is_precomputed(const LibsvmRows& rows) {
    const SparseMatrix& matrix = rows.matrix;
    if (!rows.has_zero || matrix.cols != matrix.rows || matrix.rows < 2) return false;
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto columns = columns_of_row(matrix, i);
        const bool is_full = std::ssize(columns) == matrix.rows + 1;
        if (!is_full || matrix.values[matrix.row_offsets[i]] != static_cast<double>(i + 1)) return false;
    }
    return true;
}

/// Holds what rows take while others are made of them.
MemoryHold memory_of(const LibsvmRows& rows, Control& control) {
    constexpr double bytes_a_row = 96;
    const auto entries = static_cast<double>(rows.matrix.values.size());
    return {control, (sizeof(Index) + sizeof(double)) * entries + bytes_a_row * rows.matrix.rows,
            text("rows of ", entries, " entries")};
}

/// Makes similarities of lines 0:serial 1:value 2:value ..., which have a value for each training row.
GramMatrices similarities_of(const LibsvmRows& rows, const ReadingOptions& options, Control& control) {
    const SparseMatrix& matrix = rows.matrix;
    const Index cols = std::max<Index>({matrix.cols, options.least_columns, options.earlier_columns, 1});
    control.memory().require(8.0 * matrix.rows * cols,
                             text("similarities of ", matrix.rows, " rows to ", cols, " training rows"));
    GramMatrices gram{1, matrix.rows, cols};
    gram.values.resize(matrix.rows * cols);
    Polls polls(control);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto columns = columns_of_row(matrix, i);
        polls.step(std::ssize(columns) + 1);
        if (columns.empty() || columns.front() >= 0) {
            fail(Status::invalid_data, "row ", i + 1,
                 " does not begin with its number, as 0:1 says of the first row in files of precomputed "
                 "kernels");
        }
        const double* const value = matrix.values.data() + matrix.row_offsets[i];
        for (std::size_t k = 1; k < columns.size(); ++k) gram.values[i * cols + columns[k]] = value[k];
    }
    if (gram.is_symmetric()) gram.take_diagonals();
    return gram;
}

/// Makes the queries groups, which folds do not divide, unless the option says none.
void attach_queries(Dataset& data, const LibsvmRows& rows, const ReadingOptions& options) {
    const bool asked = options.groups != "auto" && options.groups != "none";
    if (asked && !options.groups_may_lack && (options.groups != "qid" || rows.queries.empty())) {
        fail(Status::invalid_parameter, "groups=", options.groups,
             " cannot be found: files in LIBSVM's format have no columns of groups, but qid where lines have "
             "a "
             "query");
    }
    const bool differ =
        std::ranges::adjacent_find(rows.queries, std::ranges::not_equal_to{}) != rows.queries.end();
    if (options.groups == "qid" || (options.groups == "auto" && differ)) data.groups = rows.queries;
}

Dataset with_answers(Dataset data, const LibsvmRows& rows, const ReadingOptions& options, Control& control) {
    if (options.label != "none" && rows.has_sets) {
        attach_label_sets(data, rows.labels, ',', control);
        data.reading.emplace_back("label_delimiter", ",");  // Later files may have rows without labels.
    } else if (options.label != "none") {
        attach_label_column(data, rows.labels, control);
    }
    attach_queries(data, rows, options);
    return data;
}

/// Counts the columns from 0, as the file does.
void shift_columns(SparseMatrix& matrix) {
    for (Index& column : matrix.columns) ++column;
    ++matrix.cols;
}

/// Leaves out columns that an earlier file did not have, of which a model knows nothing.
void drop_further_columns(SparseMatrix& matrix, Index cols) {
    if (matrix.cols <= cols) return;
    Index kept = 0;
    Index begin = 0;
    for (Index i = 0; i < matrix.rows; ++i) {
        const Index end = matrix.row_offsets[i + 1];
        for (Index k = begin; k < end && matrix.columns[k] < cols; ++k, ++kept) {
            matrix.columns[kept] = matrix.columns[k];
            matrix.values[kept] = matrix.values[k];
        }
        matrix.row_offsets[i + 1] = kept;
        begin = end;
    }
    matrix.columns.resize(kept);
    matrix.values.resize(kept);
    matrix.cols = cols;
}

/// Says whether comments at the beginning tell that indices count from 0, as those of scikit-learn do.
bool says_zero_based(std::string_view content) {
    while (content.starts_with('#')) {
        const auto end = std::min(content.find('\n'), content.size());
        if (content.substr(0, end).find("zero-based") != std::string_view::npos) return true;
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    return false;
}

Dataset parse_precomputed(std::string_view content, const ReadingOptions& options, Control& control) {
    const LibsvmRows rows = read_libsvm_rows(content, 0, options.label_delimiter != 0, control);
    const MemoryHold memory = memory_of(rows, control);
    return with_answers(Dataset(similarities_of(rows, options, control)), rows, options, control);
}

Dataset parse_libsvm(std::string_view content, const ReadingOptions& options, Control& control) {
    // What the training file did not say was counted from 1.
    const bool from_one =
        options.index_base == "1" ||
        (options.index_base == "auto" && options.earlier_columns > 0 && !says_zero_based(content));
    LibsvmRows rows = read_libsvm_rows(content, from_one ? 1 : 0, options.label_delimiter != 0, control);
    const MemoryHold memory = memory_of(rows, control);
    const bool is_open = options.index_base == "auto";
    if (is_open && is_precomputed(rows)) {
        Dataset data = with_answers(Dataset(similarities_of(rows, options, control)), rows, options, control);
        data.reading.emplace_back("format", "precomputed");
        return data;
    }
    const bool from_zero =
        options.index_base == "0" || (is_open && (rows.has_zero || says_zero_based(content)));
    SparseMatrix& matrix = rows.matrix;
    if (from_zero) shift_columns(matrix);
    if (options.earlier_columns > 0) drop_further_columns(matrix, options.earlier_columns);
    matrix.cols = std::max<Index>({matrix.cols, options.least_columns, 1});
    Dataset data = with_answers(Dataset(std::move(matrix)), rows, options, control);
    if (is_open && from_zero) data.reading.emplace_back("index_base", "0");
    return data;
}

/// Says whether a line is several integers with commas between them, as labels are, and entries without
/// commas.
bool has_labels_before_entries(std::string_view line) {
    line = trimmed(line);
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const auto are_integers = [](std::string_view labels) {
        const auto all = split(labels, ',');
        return std::ranges::all_of(all,
                                   [](const std::string& label) { return parse_integer(label).has_value(); });
    };
    const std::string_view entries = trimmed(line.substr(end));
    const auto colon = entries.find(':');
    return are_integers(line.substr(0, end)) && colon != std::string_view::npos &&
           parse_integer(entries.substr(0, colon)) && entries.find(',') == std::string_view::npos;
}

Likeness likeness_of_libsvm(const FileLook& file) {
    if (file.is_named(".svm") || file.is_named(".libsvm")) return Likeness::by_name;
    const auto first_line = file.content.substr(0, file.content.find('\n'));
    const auto entry = first_line.find(':');
    if (entry == std::string_view::npos) return Likeness::none;
    if (first_line.find(',') == std::string_view::npos) return Likeness::by_look;
    return has_labels_before_entries(first_line) ? Likeness::by_look : Likeness::none;
}

}  // namespace

Reader libsvm_reader() {
    return {.name = "libsvm",
            .documentation = "LIBSVM's sparse rows, a label and index:value for what is not zero",
            .likeness = likeness_of_libsvm,
            .parse = parse_libsvm};
}

Reader precomputed_reader() {
    return {.name = "precomputed",
            .documentation =
                "LIBSVM's rows of a precomputed kernel, 0:number and the similarities to training rows",
            .likeness = [](const FileLook&) { return Likeness::none; },
            .parse = parse_precomputed,
            .looks_like = "libsvm"};
}

}  // namespace dk

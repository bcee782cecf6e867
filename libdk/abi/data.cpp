// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "abi/guard.hpp"
#include "base/unicode.hpp"
#include "base/usable_name.hpp"
#include "data/describing/data_description.hpp"
#include "data/split.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

// Datasets use dk::DataKind and callers the constants of dk.h, which have to be the same numbers.
constexpr bool same(DataKind kind, int32_t constant) {
    return static_cast<int32_t>(kind) == constant;
}
static_assert(same(DataKind::dense, DK_KIND_DENSE));
static_assert(same(DataKind::sparse, DK_KIND_SPARSE));
static_assert(same(DataKind::gram, DK_KIND_GRAM));
static_assert(same(DataKind::series, DK_KIND_SERIES));
static_assert(same(DataKind::strings, DK_KIND_STRINGS));
static_assert(same(DataKind::graphs, DK_KIND_GRAPHS));
static_assert(all_data_kinds.size() == DK_KIND_GRAPHS + 1);

std::vector<std::string> copied_names(const char* const* names, std::int64_t length, const char* what) {
    std::vector<std::string> copied;
    for (std::int64_t i = 0; i < length; ++i) {
        if (names[i] == nullptr) fail(Status::invalid_argument, what, " ", i, " is NULL");
        if (*names[i] == '\0') fail(Status::invalid_data, what, " ", i, " is empty");
        if (!is_utf8(names[i]))
            fail(Status::invalid_data, what, " ", i, " is ", in_quotes(names[i]), ", which is no UTF-8");
        if (const std::size_t bytes = std::strlen(names[i]); bytes > longest_name)
            fail(Status::invalid_data, what, " ", i, " has ", bytes, " bytes; a name has at most ",
                 longest_name);
        copied.emplace_back(names[i]);
    }
    return copied;
}

/// Copies names of which none may stand twice.
std::vector<std::string> different_names(const char* const* names, std::int64_t length, const char* what) {
    auto copied = copied_names(names, length, what);
    std::set<std::string_view> seen;
    for (const auto& name : copied) {
        if (!seen.insert(name).second)
            fail(Status::invalid_data, what, " ", in_quotes(name), " stands twice");
    }
    return copied;
}

/// Throws Error(invalid_data) that names the row of the first value, of so many a row, that is not finite.
void require_finite_values(std::span<const double> values, const char* what, Index of_row = 1) {
    const auto bad =
        std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); }) - values.begin();
    if (bad == std::ssize(values)) return;
    fail(Status::invalid_data, what, " of row ", bad / of_row, " is ", values[bad], "; it must be finite");
}

}  // namespace

dk_status dk_data_set_labels(dk_data* data, const int64_t* labels, int64_t length) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        value.labels = labels_from_integers(required_array(labels, "labels", length, value.rows()));
        value.label_sets.reset();
    });
}

dk_status dk_data_set_label_names(dk_data* data, const char* const* labels, int64_t length) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        required_array(labels, "labels", length, value.rows());
        const auto names = copied_names(labels, length, "label");
        value.labels =
            labels_from_names(std::vector<std::string_view>(names.begin(), names.end()), MemoryBudget(0));
        value.label_sets.reset();
    });
}

dk_status dk_data_set_label_sets(dk_data* data, const int64_t* row_offsets, int64_t offsets,
                                 const int64_t* labels, int64_t length, const char* const* names,
                                 int64_t count) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        const auto starts = required_array(row_offsets, "row_offsets", offsets, value.rows() + 1);
        const auto positions =
            length == 0 ? std::span<const int64_t>() : required_array(labels, "labels", length, length);
        if (count < 1) fail(Status::invalid_argument, "count is ", count, "; there must be a label at least");
        required_array(names, "names", count, count);
        LabelSets sets{.names = different_names(names, count, "label name")};
        if (starts.front() != 0 || starts.back() != length)
            fail(Status::invalid_data, "row_offsets go from ", starts.front(), " to ", starts.back(),
                 "; they must go from 0 to length, ", length);
        for (Index i = 0; i < value.rows(); ++i) {
            if (starts[i + 1] < starts[i] || starts[i + 1] > length)
                fail(Status::invalid_data, "row_offsets of row ", i, " are ", starts[i], " and ",
                     starts[i + 1], "; they must not fall");
            const auto own = positions.subspan(starts[i], starts[i + 1] - starts[i]);
            const auto unknown = std::ranges::find_if(own, [&](int64_t p) { return p < 0 || p >= count; });
            if (unknown != own.end())
                fail(Status::invalid_data, "a label of row ", i, " is ", *unknown, "; labels are 0 to ",
                     count - 1);
            sets.add_row(std::vector<Index>(own.begin(), own.end()));
        }
        value.label_sets = std::move(sets);
        value.labels.reset();
    });
}

dk_status dk_data_set_targets(dk_data* data, const double* targets, int64_t length) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        const Index rows = value.rows();
        if (length < rows || length % rows != 0)
            fail(Status::invalid_argument, "targets has ", length, " elements; it must have ", rows,
                 ", or a multiple of that for several targets a row");
        const auto all = required_array(targets, "targets", length, length);
        require_finite_values(all, "target", length / rows);
        value.targets.assign(all.begin(), all.end());
        value.target_count = length / rows;
    });
}

dk_status dk_data_set_sample_weights(dk_data* data, const double* weights, int64_t length) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        const auto all = required_array(weights, "weights", length, value.rows());
        require_finite_values(all, "weight");
        const auto negative = std::ranges::find_if(all, [](double w) { return w < 0; }) - all.begin();
        if (negative < std::ssize(all)) {
            fail(Status::invalid_data, "weight of row ", negative, " is ", all[negative],
                 "; it must be at least 0");
        }
        if (std::ranges::all_of(all, [](double w) { return w == 0; })) {
            fail(Status::invalid_data, "all sample weights are 0; one at least must be greater");
        }
        value.sample_weights.assign(all.begin(), all.end());
    });
}

dk_status dk_data_set_groups(dk_data* data, const int64_t* groups, int64_t length) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        const auto all = required_array(groups, "groups", length, value.rows());
        value.groups.assign(all.begin(), all.end());
    });
}

dk_status dk_data_set_feature_names(dk_data* data, const char* const* names, int64_t length) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        required_array(names, "names", length, value.cols());
        value.feature_names = different_names(names, length, "feature name");
    });
}

dk_status dk_data_set_row_names(dk_data* data, const char* const* names, int64_t length) {
    return guarded([&] {
        Dataset& value = required(data, "data").value;
        required_array(names, "names", length, value.rows());
        value.row_names = copied_names(names, length, "row name");
    });
}

int64_t dk_data_rows(const dk_data* data) {
    return data == nullptr ? -1 : data->value.rows();
}

int64_t dk_data_cols(const dk_data* data) {
    return data == nullptr ? -1 : data->value.cols();
}

int32_t dk_data_kind(const dk_data* data) {
    return data == nullptr ? -1 : static_cast<int32_t>(data->value.kind());
}

dk_status dk_data_labels(int64_t* out, int64_t length, const dk_data* data) {
    return guarded([&] {
        const Dataset& value = required(data, "data").value;
        const auto labels = required_array(out, "out", length, value.rows());
        if (value.label_sets)
            fail(Status::unsupported, "rows of the data may have several labels, and this gives one a row");
        if (!value.labels) fail(Status::invalid_data, "the data have no labels");
        const auto classes = integers_of(*value.labels);
        for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = classes[value.labels->of_rows[i]];
    });
}

dk_status dk_data_values(double* out, int64_t length, const dk_data* data) {
    return guarded([&] {
        const Dataset& value = required(data, "data").value;
        if (value.kind() != DataKind::dense) {
            fail(Status::unsupported, "dk_data_values gives dense data, these are ", name_of(value.kind()));
        }
        const auto values = required_array(out, "out", length, value.rows() * value.cols());
        std::ranges::copy(value.dense().values, values.begin());
    });
}

dk_status dk_data_feature_name(char* out, int64_t capacity, int64_t* needed, const dk_data* data,
                               int64_t column) {
    return guarded([&] {
        const Dataset& value = required(data, "data").value;
        if (column < 0 || column >= value.cols()) {
            fail(Status::invalid_argument, "column is ", column, "; the data have columns 0 to ",
                 value.cols() - 1);
        }
        write_text(value.feature_name(column), out, capacity, needed);
    });
}

dk_status dk_data_row_name(char* out, int64_t capacity, int64_t* needed, const dk_data* data, int64_t row) {
    return guarded([&] {
        const Dataset& value = required(data, "data").value;
        if (row < 0 || row >= value.rows())
            fail(Status::invalid_argument, "row is ", row, "; the data have rows 0 to ", value.rows() - 1);
        write_text(value.row_names.empty() ? std::string() : value.row_names[row], out, capacity, needed);
    });
}

dk_status dk_data_describe(char* out, int64_t capacity, int64_t* needed, const dk_data* data,
                           dk_control* control) {
    return guarded([&] {
        const Dataset& value = required(data, "data").value;
        Call call(control, "describing");
        const std::string description = json_text(describe_data(value, call.control()));
        call.finish();
        write_text(description, out, capacity, needed);
    });
}

dk_status dk_data_select(dk_data** out, const dk_data* data, const int64_t* rows, int64_t count) {
    return guarded_create(out, [&] {
        const Dataset& value = required(data, "data").value;
        if (count < 1) fail(Status::invalid_argument, "count is ", count, "; it must be at least 1");
        std::vector<Index> chosen;
        for (const auto row : required_array(rows, "rows", count, count)) {
            if (row < 0 || row >= value.rows()) {
                fail(Status::invalid_argument, "row ", row, " does not exist; the data have rows 0 to ",
                     value.rows() - 1);
            }
            chosen.push_back(row);
        }
        return value.select(chosen);
    });
}

dk_status dk_data_folds(int64_t* out, int64_t length, const dk_data* data, int64_t folds, uint64_t seed) {
    return guarded([&] {
        const Dataset& value = required(data, "data").value;
        const auto fold_of = required_array(out, "out", length, value.rows());
        std::ranges::copy(stratified_folds(value, folds, seed), fold_of.begin());
    });
}

void dk_data_free(dk_data* data) {
    const std::unique_ptr<dk_data> owned(data);
}

// SPDX-License-Identifier: Apache-2.0
#include "data/dataset.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dk {

std::string_view name_of(DataKind kind) {
    constexpr std::array<std::string_view, all_data_kinds.size()> names{"dense",  "sparse",  "gram",
                                                                        "series", "strings", "graphs"};
    return names[static_cast<std::size_t>(kind)];
}

void require_memory_for_columns(const Dataset& data, const MemoryBudget& memory) {
    if (data.kind() != DataKind::sparse) return;
    constexpr double vectors = 16;
    memory.require(8 * vectors * data.cols(), text("sparse rows of ", data.cols(), " columns"));
}

namespace {

Index count_rows(const Dataset::Features& features) {
    return std::visit([](const auto& kind) { return kind.row_count(); }, features);
}

}  // namespace

Dataset::Dataset(Features features)
    : features_(std::make_shared<const Features>(std::move(features))), identity_(count_rows(*features_)) {}

Index Dataset::cols() const {
    return std::visit([](const auto& kind) { return kind.column_count(); }, *features_);
}

double Dataset::feature_bytes() const {
    return std::visit([](const auto& kind) { return kind.bytes(); }, *features_);
}

std::string Dataset::feature_name(Index column) const {
    return feature_names.empty() ? text("f", column + 1) : feature_names[column];
}

std::string Dataset::row_name(Index row) const {
    return row_names.empty() ? std::to_string(row) : row_names[row];
}

Dataset Dataset::with_features(Features features) const {
    Dataset out = *this;
    out.features_ = std::make_shared<const Features>(std::move(features));
    out.identity_ = RowIdentity(rows());
    return out;
}

Dataset Dataset::with_similarities(GramMatrices similarities) const {
    Dataset out = *this;
    out.features_ = std::make_shared<const Features>(std::move(similarities));
    return out;
}

Dataset Dataset::in_new_set() const {
    Dataset out = *this;
    out.identity_ = identity_.in_new_set();
    return out;
}

Dataset Dataset::select(std::span<const Index> rows) const {
    Dataset out(features_, identity_.select(rows));
    std::visit(
        [&](const auto& features) {
            // Similarities stand at the places of their rows, so that a selection shares them.
            if constexpr (requires { features.select(rows); })
                out.features_ = std::make_shared<const Features>(features.select(rows));
        },
        *features_);
    if (labels) {
        out.labels = *labels;
        out.labels->of_rows = select_values(labels->of_rows, rows);
    }
    if (label_sets) out.label_sets = label_sets->select(rows);
    out.targets = select_rows_of_values(targets, target_count, rows);
    out.target_count = target_count;
    out.sample_weights = select_values(sample_weights, rows);
    out.groups = select_values(groups, rows);
    out.feature_names = feature_names;
    out.row_names = select_values(row_names, rows);
    out.reading = reading;
    return out;
}

Dataset features_only(const Dataset& data) {
    Dataset rows = data;
    rows.labels.reset();
    rows.label_sets.reset();
    rows.targets.clear();
    rows.target_count = 1;
    rows.sample_weights.clear();
    rows.groups.clear();
    rows.feature_names.clear();
    rows.row_names.clear();
    rows.reading.clear();
    return rows;
}

Dataset reference_rows(const Dataset& data) {
    if (data.kind() == DataKind::dense && data.dense().similarity) {
        DenseMatrix matrix = data.dense();
        matrix.similarity = nullptr;
        return Dataset(std::move(matrix));
    }
    if (data.kind() != DataKind::gram) return features_only(data).in_new_set();
    return Dataset(data.gram().references(data.identity().places()));
}

Dataset with_dense_rows(const Dataset& data, double copies, const MemoryBudget& memory) {
    if (data.kind() != DataKind::sparse) return data;
    const SparseMatrix& matrix = data.sparse();
    memory.require(8.0 * copies * matrix.rows * matrix.cols,
                   text(matrix.rows, " sparse rows with all their zeros, whose coordinates are needed"));
    return data.with_features(matrix.densified(matrix.cols));
}

Dataset with_sparse_rows(const Dataset& data) {
    return data.kind() == DataKind::dense ? data.with_features(sparse_matrix(data.dense())) : data;
}

bool only_the_calling_thread(const Dataset& data) {
    if (data.kind() == DataKind::dense)
        return data.dense().similarity != nullptr && !data.dense().similarity->concurrent;
    return data.kind() == DataKind::gram && data.gram().compute && !data.gram().concurrent;
}

void require_finite(const Dataset::Features& features) {
    std::visit([](const auto& kind) { kind.require_finite(); }, features);
}

void require_complete(const Dataset& data) {
    if (data.kind() != DataKind::dense || !data.dense().may_miss) return;
    const auto& matrix = data.dense();
    const auto missing =
        std::ranges::find_if(matrix.values, [](double v) { return std::isnan(v); }) - matrix.values.begin();
    if (missing == std::ssize(matrix.values)) return;
    fail(Status::invalid_data, "the value at row ", missing / matrix.cols, ", column ", missing % matrix.cols,
         " (counted from 0) is missing; train with impute=mean or impute=median to fill missing values");
}

Targets targets_of(const Dataset& data) {
    if (!data.targets.empty()) return {data.targets, data.target_count};
    if (data.label_sets)
        fail(Status::invalid_data,
             "a regression needs targets; the data have several labels a row, which classifiers learn");
    if (!data.labels)
        fail(Status::invalid_data,
             "a regression needs targets; the data have none; of a file, the data option "
             "label= names their column: a name, an index from 0, or -1 for the last");
    const auto integers = integers_of(*data.labels);
    if (!data.labels->names.empty() && integers == data.labels->values)
        fail(Status::invalid_data,
             "a regression needs targets; the data have classes with names; of a file, the "
             "data option label= names another column");
    Targets targets;
    for (const Index c : data.labels->of_rows) targets.values.push_back(static_cast<double>(integers[c]));
    return targets;
}

}  // namespace dk

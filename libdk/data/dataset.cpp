// SPDX-License-Identifier: Apache-2.0
#include "data/dataset.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dk {

namespace {

DenseMatrix select_rows(const DenseMatrix& matrix, std::span<const Index> rows) {
    DenseMatrix out{std::ssize(rows), matrix.cols, {}, matrix.may_miss};
    out.values.reserve(out.rows * out.cols);
    for (const Index i : rows) {
        const auto row = matrix.row(i);
        out.values.insert(out.values.end(), row.begin(), row.end());
    }
    if (matrix.similarity) {
        out.similarity = matrix.similarity;
        out.similarity_rows = select_values(matrix.similarity_rows, rows);
    }
    return out;
}

SparseMatrix select_rows(const SparseMatrix& matrix, std::span<const Index> rows) {
    SparseMatrix out{std::ssize(rows), matrix.cols};
    Index entries = 0;
    for (const Index i : rows) entries += matrix.row_offsets[i + 1] - matrix.row_offsets[i];
    out.row_offsets.reserve(rows.size() + 1);
    out.columns.reserve(entries);
    out.values.reserve(entries);
    out.row_offsets.push_back(0);
    for (const Index i : rows) {
        const Index begin = matrix.row_offsets[i];
        const Index end = matrix.row_offsets[i + 1];
        out.columns.insert(out.columns.end(), matrix.columns.begin() + begin, matrix.columns.begin() + end);
        out.values.insert(out.values.end(), matrix.values.begin() + begin, matrix.values.begin() + end);
        out.row_offsets.push_back(std::ssize(out.columns));
    }
    return out;
}

GramMatrices select_rows(const GramMatrices& gram, std::span<const Index> rows) {
    GramMatrices out{gram.matrices, gram.cols, gram.values, gram.source_rows};
    out.row_ids = select_values(gram.row_ids, rows);
    out.source_ids = select_values(gram.source_ids, rows);
    out.compute = gram.compute;
    out.concurrent = gram.concurrent;
    if (!gram.self.empty()) {
        for (Index q = 0; q < gram.matrices; ++q) {
            for (const Index i : rows) out.self.push_back(gram.self_similarity(q, i));
        }
    }
    return out;
}

[[noreturn]] void refuse_value(double value, Index row, Index col) {
    fail(Status::invalid_data, "value ", value, " at row ", row, ", column ", col,
         " (counted from 0): every value must be finite");
}

}  // namespace

std::string Labels::class_name(Index position) const {
    return names.empty() ? std::to_string(values[position]) : names[position];
}

namespace {

/// Says whether a double, as which predictions are given, is this integer and no other.
bool fits_double(std::int64_t label) {
    constexpr std::int64_t largest = std::int64_t{1} << 53U;
    return label >= -largest && label <= largest;
}

/// Names classes of integers by their digits. They stay in the order of the integers.
void name_by_digits(Labels& labels) {
    for (std::int64_t& value : labels.values) {
        labels.names.push_back(text(value));
        value = std::ssize(labels.names) - 1;
    }
}

}  // namespace

Labels labels_from_integers(std::span<const std::int64_t> labels) {
    Labels out;
    out.values.assign(labels.begin(), labels.end());
    std::ranges::sort(out.values);
    out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
    out.of_rows.reserve(labels.size());
    for (const auto label : labels) {
        out.of_rows.push_back(std::ranges::lower_bound(out.values, label) - out.values.begin());
    }
    if (!std::ranges::all_of(out.values, fits_double)) name_by_digits(out);
    return out;
}

Labels labels_from_names(std::span<const std::string_view> labels) {
    std::vector<std::string_view> different(labels.begin(), labels.end());
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    Labels out;
    out.names.assign(different.begin(), different.end());
    out.of_rows.reserve(labels.size());
    for (const auto& label : labels) {
        out.of_rows.push_back(std::ranges::lower_bound(out.names, label) - out.names.begin());
    }
    for (Index c = 0; c < std::ssize(out.names); ++c) out.values.push_back(c);
    return out;
}

std::vector<std::int64_t> integers_of(const Labels& labels) {
    std::vector<std::int64_t> integers;
    for (const std::string& name : labels.names) {
        const auto integer = parse_integer(name);
        if (!integer || text(*integer) != name) return labels.values;
        integers.push_back(*integer);
    }
    return std::ranges::all_of(integers, fits_double) ? labels.values : integers;
}

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

Index Dataset::rows() const {
    return std::visit(
        [](const auto& features) -> Index {
            if constexpr (requires { features.rows(); }) {
                return features.rows();
            } else {
                return features.rows;
            }
        },
        *features_);
}

double Dataset::feature_bytes() const {
    const auto size = [](const auto& values) -> double { return values.size() * sizeof(values.front()); };
    switch (kind()) {
        case DataKind::dense:
            return size(dense().values);
        case DataKind::sparse:
            return size(sparse().values) + size(sparse().columns) + size(sparse().row_offsets);
        case DataKind::gram:
            return 0;
        case DataKind::series:
            return size(series().values) + size(series().step_offsets);
        case DataKind::graphs:
            return size(graphs().node_offsets) + size(graphs().node_labels) + size(graphs().edge_offsets) +
                   size(graphs().edges);
        case DataKind::strings:
            break;
    }
    double sum = size(strings().texts);
    for (const std::string& one : strings().texts) sum += one.size();
    return sum;
}

Index Dataset::cols() const {
    return std::visit(
        [](const auto& features) -> Index {
            if constexpr (requires { features.cols; }) {
                return features.cols;
            } else if constexpr (requires { features.channels; }) {
                return features.channels;
            } else {
                return 1;
            }
        },
        *features_);
}

std::string Dataset::feature_name(Index column) const {
    return feature_names.empty() ? text("f", column + 1) : feature_names[column];
}

Dataset Dataset::with_features(Features features) const {
    Dataset out = *this;
    out.features_ = std::make_shared<const Features>(std::move(features));
    out.origin = nullptr;
    return out;
}

TrainingOrigin TrainingOrigin::select(std::span<const Index> rows) const {
    TrainingOrigin selected{.memory = memory};
    selected.positions.reserve(rows.size());
    for (const Index row : rows) selected.positions.push_back(position(row));
    return selected;
}

Dataset Dataset::select(std::span<const Index> rows) const {
    Dataset out(std::visit(
        [&](const auto& features) {
            if constexpr (requires { features.select(rows); }) {
                return Features(features.select(rows));
            } else {
                return Features(select_rows(features, rows));
            }
        },
        *features_));
    if (labels) {
        out.labels = *labels;
        out.labels->of_rows = select_values(labels->of_rows, rows);
    }
    out.targets = select_values(targets, rows);
    out.sample_weights = select_values(sample_weights, rows);
    out.groups = select_values(groups, rows);
    out.feature_names = feature_names;
    out.reading = reading;
    if (origin) out.origin = std::make_shared<const TrainingOrigin>(origin->select(rows));
    return out;
}

Dataset features_only(const Dataset& data) {
    Dataset rows = data;
    rows.labels.reset();
    rows.targets.clear();
    rows.sample_weights.clear();
    rows.groups.clear();
    rows.feature_names.clear();
    rows.reading.clear();
    return rows;
}

Dataset reference_rows(const Dataset& data) {
    if (data.kind() == DataKind::dense && data.dense().similarity) {
        DenseMatrix matrix = data.dense();
        matrix.similarity = nullptr;
        matrix.similarity_rows.clear();
        return Dataset(std::move(matrix));
    }
    if (data.kind() != DataKind::gram) return features_only(data);
    GramMatrices gram = data.gram();
    gram.values = nullptr;
    gram.compute = nullptr;
    return Dataset(std::move(gram));
}

Dataset with_dense_rows(const Dataset& data, double copies, const MemoryBudget& memory) {
    if (data.kind() != DataKind::sparse) return data;
    const SparseMatrix& matrix = data.sparse();
    memory.require(8.0 * copies * matrix.rows * matrix.cols,
                   text(matrix.rows, " sparse rows with all their zeros, whose coordinates are needed"));
    DenseMatrix out{matrix.rows, matrix.cols};
    out.values.resize(matrix.rows * matrix.cols);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto row = out.row(i);
        for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e)
            row[matrix.columns[e]] = matrix.values[e];
    }
    return data.with_features(std::move(out));
}

Dataset with_sparse_rows(const Dataset& data) {
    if (data.kind() != DataKind::dense) return data;
    const DenseMatrix& matrix = data.dense();
    SparseMatrix out{matrix.rows, matrix.cols};
    out.row_offsets.push_back(0);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto row = matrix.row(i);
        for (Index j = 0; j < matrix.cols; ++j) {
            if (row[j] == 0) continue;
            out.columns.push_back(j);
            out.values.push_back(row[j]);
        }
        out.row_offsets.push_back(std::ssize(out.columns));
    }
    return data.with_features(std::move(out));
}

bool only_the_calling_thread(const Dataset& data) {
    if (data.kind() == DataKind::dense)
        return data.dense().similarity != nullptr && !data.dense().similarity->concurrent;
    return data.kind() == DataKind::gram && data.gram().compute && !data.gram().concurrent;
}

Dataset symmetrised(const Dataset& data) {
    GramMatrices gram = data.gram();
    std::vector<double> values = *gram.values;
    for (Index q = 0; q < gram.matrices; ++q) {
        const auto matrix = row_of(values, gram.cols * gram.cols, q);
        for (Index i = 0; i < gram.cols; ++i) {
            for (Index j = 0; j < i; ++j) {
                double& lower = row_of(matrix, gram.cols, i)[j];
                double& upper = row_of(matrix, gram.cols, j)[i];
                lower = upper = 0.5 * (lower + upper);
            }
        }
    }
    gram.values = std::make_shared<const std::vector<double>>(std::move(values));
    return data.with_features(std::move(gram));
}

void require_finite(const Dataset::Features& features) {
    const auto* matrix = std::get_if<DenseMatrix>(&features);
    const bool may_miss = matrix && matrix->may_miss;
    const auto finite = [may_miss](double value) {
        return std::isfinite(value) || (may_miss && std::isnan(value));
    };
    if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
        const auto bad = std::ranges::find_if_not(dense->values, finite) - dense->values.begin();
        if (bad < std::ssize(dense->values)) {
            refuse_value(dense->values[bad], bad / dense->cols, bad % dense->cols);
        }
    } else if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
        const auto bad = std::ranges::find_if_not(sparse->values, finite) - sparse->values.begin();
        if (bad < std::ssize(sparse->values)) {
            const auto next = std::ranges::upper_bound(sparse->row_offsets, bad);
            refuse_value(sparse->values[bad], next - sparse->row_offsets.begin() - 1, sparse->columns[bad]);
        }
    } else if (const auto* series = std::get_if<SeriesSet>(&features)) {
        const auto bad = std::ranges::find_if_not(series->values, finite) - series->values.begin();
        if (bad < std::ssize(series->values)) {
            const Index step = bad / series->channels;
            const auto next = std::ranges::upper_bound(series->step_offsets, step);
            fail(Status::invalid_data, "value ", series->values[bad], " in series ",
                 next - series->step_offsets.begin() - 1, ", step ", step - *(next - 1), ", channel ",
                 bad % series->channels, " (counted from 0): every value must be finite");
        }
    } else if (const auto* matrices = std::get_if<GramMatrices>(&features)) {
        const GramMatrices& gram = *matrices;
        if (!gram.values) return;
        const auto bad = std::ranges::find_if_not(*gram.values, finite) - gram.values->begin();
        if (bad < std::ssize(*gram.values)) {
            fail(Status::invalid_data, "value ", (*gram.values)[bad], " at row ",
                 bad / gram.cols % gram.source_rows, ", column ", bad % gram.cols, " of matrix ",
                 bad / gram.cols / gram.source_rows, " (counted from 0): every value must be finite");
        }
        const auto bad_self = std::ranges::find_if_not(gram.self, finite) - gram.self.begin();
        if (bad_self < std::ssize(gram.self)) {
            fail(Status::invalid_data, "self similarity ", gram.self[bad_self], " of row ",
                 bad_self % gram.rows(), " in matrix ", bad_self / gram.rows(),
                 ": every value must be finite");
        }
    }
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

void require_symmetric(const GramMatrices& gram) {
    if (gram.source_rows != gram.cols) {
        fail(Status::dimension, "training on similarities needs square matrices, these are ",
             gram.source_rows, " x ", gram.cols);
    }
    if (!gram.values) return;  // Of a matrix that is computed on demand only the upper half is read.
    for (Index q = 0; q < gram.matrices; ++q) {
        const auto matrix = row_of(*gram.values, gram.cols * gram.cols, q);
        double largest = 0;
        for (const double similarity : matrix) largest = std::max(largest, std::abs(similarity));
        for (Index i = 0; i < gram.cols; ++i) {
            for (Index j = 0; j < i; ++j) {
                const double lower = row_of(matrix, gram.cols, i)[j];
                const double upper = row_of(matrix, gram.cols, j)[i];
                if (std::abs(lower - upper) <= 1e-9 * largest) continue;
                fail(Status::invalid_data, "matrix ", q, " is not symmetric: element (", i, ", ", j, ") is ",
                     lower, ", element (", j, ", ", i, ") is ", upper);
            }
        }
    }
}

std::vector<double> targets_of(const Dataset& data) {
    if (!data.targets.empty()) return data.targets;
    if (!data.labels)
        fail(Status::invalid_data,
             "a regression needs targets; the data have none; of a file, the data option "
             "label= names their column: a name, an index from 0, or -1 for the last");
    const auto integers = integers_of(*data.labels);
    if (!data.labels->names.empty() && integers == data.labels->values)
        fail(Status::invalid_data,
             "a regression needs targets; the data have classes with names; of a file, the "
             "data option label= names another column");
    std::vector<double> targets;
    for (const Index c : data.labels->of_rows) targets.push_back(static_cast<double>(integers[c]));
    return targets;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_expansion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "model/archive.hpp"
#include "model/kernel_archive.hpp"
#include "model/predicted_values.hpp"

namespace dk {

namespace {

template <typename T>
PrototypeSet find_prototypes(const KernelPointer& kernel, const Dataset& data,
                             const KernelExpansion::Parts& parts, Index neighbours, Control& control) {
    if (neighbours > 0) {
        const GramEngine<T> engine(kernel, data, parts.support, &control, parts.support_ids);
        return canonical_prototypes(engine, parts.support_ids, parts.gamma, parts.offsets, neighbours,
                                    control);
    }
    std::vector<Index> positions;
    for (Index s = 0; s < size_of(parts.support_ids); ++s) positions.push_back(s);
    const GramEngine<T> engine(kernel, parts.support, parts.support, &control);
    return canonical_prototypes(engine, positions, parts.gamma, parts.offsets, 0, control);
}

/// Sorts the rows that functions need by group and gathers their coefficients.
void gather_support(KernelExpansion::Parts& parts, std::span<const ExpansionFunction> functions,
                    std::span<const Index> groups) {
    std::vector<char> needed(unsigned_of(parts.training_rows));
    for (const auto& function : functions) {
        for (std::size_t r = 0; r < function.rows.size(); ++r)
            if (function.gamma[r] != 0) needed[unsigned_of(function.rows[r])] = 1;
    }
    for (Index i = 0; i < parts.training_rows; ++i) {
        if (needed[unsigned_of(i)] != 0) parts.support_ids.push_back(i);
    }
    const auto group_of = [&](Index i) { return groups.empty() ? Index{0} : groups[unsigned_of(i)]; };
    std::ranges::stable_sort(parts.support_ids, {}, group_of);

    std::vector<Index> block_of(unsigned_of(parts.training_rows), -1);
    std::vector<Index> support_of(block_of.size(), -1);
    for (Index s = 0; s < size_of(parts.support_ids); ++s) {
        const Index i = parts.support_ids[unsigned_of(s)];
        if (s == 0 || group_of(i) != group_of(parts.support_ids[unsigned_of(s - 1)]))
            parts.gamma.push_back({.first = s});
        ++parts.gamma.back().rows;
        block_of[unsigned_of(i)] = size_of(parts.gamma) - 1;
        support_of[unsigned_of(i)] = s;
    }
    for (Index f = 0; f < size_of(functions); ++f) {
        const auto& function = functions[unsigned_of(f)];
        for (std::size_t r = 0; r < function.rows.size(); ++r) {
            if (function.gamma[r] == 0) continue;
            auto& columns = parts.gamma[unsigned_of(block_of[unsigned_of(function.rows[r])])].columns;
            if (columns.empty() || columns.back() != f) columns.push_back(f);
        }
    }
    for (auto& block : parts.gamma) block.weights.resize(unsigned_of(block.rows) * block.columns.size());
    for (Index f = 0; f < size_of(functions); ++f) {
        const auto& function = functions[unsigned_of(f)];
        for (std::size_t r = 0; r < function.rows.size(); ++r) {
            if (function.gamma[r] == 0) continue;
            auto& block = parts.gamma[unsigned_of(block_of[unsigned_of(function.rows[r])])];
            const auto column = std::ranges::lower_bound(block.columns, f) - block.columns.begin();
            const Index row = support_of[unsigned_of(function.rows[r])] - block.first;
            block.weights[unsigned_of(row * size_of(block.columns) + column)] = function.gamma[r];
        }
    }
}

}  // namespace

std::unique_ptr<Predictor> make_kernel_expansion(const KernelPointer& kernel, const Dataset& data,
                                                 std::span<const ExpansionFunction> functions,
                                                 std::span<const Index> groups, Precision precision,
                                                 Index neighbours, Control& control) {
    KernelExpansion::Parts parts{.kernel = kernel, .precision = precision, .support = Dataset(DenseMatrix())};
    parts.training_rows = data.rows();
    gather_support(parts, functions, groups);
    if (parts.support_ids.empty())
        fail(Status::numerical, "every decision function is constant; there are no prototypes");
    parts.support = features_only(data.select(parts.support_ids));
    for (const auto& function : functions) parts.offsets.push_back(function.offset);
    parts.prototypes = precision == Precision::real32
                           ? find_prototypes<float>(kernel, data, parts, neighbours, control)
                           : find_prototypes<double>(kernel, data, parts, neighbours, control);
    parts.support = kept_rows(*kernel, parts.support, control);
    for (const auto& function : functions) {
        parts.prototypes.classes.push_back(function.positive_class);
        parts.prototypes.classes.push_back(function.negative_class);
    }
    return std::make_unique<KernelExpansion>(std::move(parts));
}

template <typename T>
void KernelExpansion::decide_in(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const GramEngine<T> engine(parts_.kernel, data, parts_.support, &control);
    engine.product(
        parts_.gamma, decision_count(),
        [&](Index first, std::span<double> values) {
            add_offsets(values, parts_.offsets);
            require_finite_results(values, decision_count(), first);
            reader(values);
        },
        control);
}

void KernelExpansion::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    if (parts_.precision == Precision::real32) return decide_in<float>(data, reader, control);
    decide_in<double>(data, reader, control);
}

template <typename T>
void KernelExpansion::explain_in(const Dataset& data, double* out, Control& control) const {
    const auto& set = parts_.prototypes;
    const GramEngine<T> engine(parts_.kernel, data, parts_.support, &control);
    const auto weights = prototype_weights(parts_.gamma, set.scales);
    engine.product(weights, set.count(), out, control);
    const auto self = engine.self(Side::left);
    for (Index i = 0; i < data.rows(); ++i) {
        for (Index p = 0; p < set.count(); ++p) {
            double& value = out[i * set.count() + p];
            const double distance = self[unsigned_of(i)] - 2 * value + set.squared_norms[unsigned_of(p)];
            value = (p % 2 == 0 ? -distance : distance) / (2 * set.scales[unsigned_of(p / 2)]);
        }
    }
    require_finite_results({out, unsigned_of(data.rows() * set.count())}, set.count());
}

void KernelExpansion::explain(const Dataset& data, double* out, Control& control) const {
    if (parts_.precision == Precision::real32) return explain_in<float>(data, out, control);
    explain_in<double>(data, out, control);
}

namespace {

/// Runs body(support row, prototype, coefficient) where coefficients are not zero.
template <typename Body>
void for_coefficients(const KernelExpansion::Parts& parts, Body body) {
    for (const WeightBlock& block : prototype_weights(parts.gamma, parts.prototypes.scales)) {
        for (std::size_t e = 0; e < block.weights.size(); ++e) {
            if (block.weights[e] == 0) continue;
            body(block.first + static_cast<Index>(e / block.columns.size()),
                 block.columns[e % block.columns.size()], block.weights[e]);
        }
    }
}

}  // namespace

void KernelExpansion::prototype_coefficients(double* out) const {
    std::fill(out, out + parts_.prototypes.count() * parts_.training_rows, 0.0);
    for_coefficients(parts_, [&](Index s, Index p, double weight) {
        out[p * parts_.training_rows + parts_.support_ids[unsigned_of(s)]] = weight;
    });
}

void KernelExpansion::prototype_coordinates(double* out) const {
    if (!parts_.kernel->linear()) {
        fail(Status::unsupported,
             "prototypes have coordinates among the features only when the kernel is linear, not with ",
             parts_.kernel->text(), "; their training rows and coefficients exist for every kernel");
    }
    const Index cols = parts_.support.cols();
    std::fill(out, out + parts_.prototypes.count() * cols, 0.0);
    for_coefficients(parts_, [&](Index s, Index p, double weight) {
        if (parts_.support.kind() == DataKind::dense) {
            const auto row = parts_.support.dense().row(s);
            for (Index j = 0; j < cols; ++j) out[p * cols + j] += weight * row[unsigned_of(j)];
            return;
        }
        const auto& matrix = parts_.support.sparse();
        for (Index e = matrix.row_offsets[unsigned_of(s)]; e < matrix.row_offsets[unsigned_of(s + 1)]; ++e)
            out[p * cols + matrix.columns[unsigned_of(e)]] += weight * matrix.values[unsigned_of(e)];
    });
}

namespace {

nlohmann::json archive_blocks(std::span<const WeightBlock> blocks) {
    nlohmann::json list = nlohmann::json::array();
    for (const WeightBlock& one : blocks) {
        list.push_back({{"rows", one.rows},
                        {"count", size_of(one.columns)},
                        {"functions", block(one.columns)},
                        {"gamma", block(one.weights)}});
    }
    return list;
}

std::vector<WeightBlock> read_blocks(const nlohmann::json& list, Index rows, Index functions) {
    if (!list.is_array()) fail(Status::model_format, "damaged model: coefficients");
    std::vector<WeightBlock> blocks;
    Index first = 0;
    for (const auto& one : list) {
        WeightBlock block{.first = first, .rows = read_count(one, "rows", 1, rows - first)};
        const Index count = read_count(one, "count", 1, functions);
        block.columns = read_indices(one, "functions", count, 0, functions - 1);
        if (std::ranges::adjacent_find(block.columns, std::greater_equal()) != block.columns.end())
            fail(Status::model_format, "damaged model: the functions of coefficients");
        block.weights = read_doubles(one, "gamma", block.rows * count);
        first += block.rows;
        blocks.push_back(std::move(block));
    }
    if (first != rows)
        fail(Status::model_format, "damaged model: coefficients of ", first, " rows of ", rows);
    return blocks;
}

}  // namespace

nlohmann::json KernelExpansion::archive() const {
    const auto& set = parts_.prototypes;
    nlohmann::json object = archive_kernel(*parts_.kernel);
    object.update({{"precision", parts_.precision == Precision::real32 ? "single" : "double"},
                   {"support", archive_features(parts_.support)},
                   {"support_ids", block(parts_.support_ids)},
                   {"functions", decision_count()},
                   {"rows", support_count()},
                   {"coefficients", archive_blocks(parts_.gamma)},
                   {"offsets", block(parts_.offsets)},
                   {"prototypes",
                    {{"scales", block(set.scales)},
                     {"shifts", block(set.shifts)},
                     {"norms", block(set.norms)},
                     {"classes", block(set.classes)},
                     {"squared_norms", block(set.squared_norms)},
                     {"neighbours", set.neighbours},
                     {"nearest_rows", block(set.nearest_rows)},
                     {"nearest_distances", block(set.nearest_distances)}}}});
    return object;
}

std::unique_ptr<Predictor> read_kernel_expansion(const nlohmann::json& object,
                                                 const ReadingContext& context) {
    const Index rows = read_count(object, "rows", 1, context.training_rows);
    const Index functions = read_count(object, "functions", 1, largest_count / rows);
    KernelExpansion::Parts parts{.kernel = nullptr, .support = read_features(field(object, "support"), rows)};
    if (parts.support.cols() != context.features)
        fail(Status::model_format, "damaged model: features do not fit");
    parts.kernel = read_kernel(object, parts.support);
    parts.precision = read_precision(object);
    parts.training_rows = context.training_rows;
    parts.support_ids = read_indices(object, "support_ids", rows, 0, context.training_rows - 1);
    parts.gamma = read_blocks(field(object, "coefficients"), rows, functions);
    parts.offsets = read_doubles(object, "offsets", functions);
    const auto& stored = field(object, "prototypes");
    auto& set = parts.prototypes;
    set.scales = read_doubles(stored, "scales", functions);
    set.shifts = read_doubles(stored, "shifts", functions);
    set.norms = read_doubles(stored, "norms", functions);
    set.classes = read_indices(stored, "classes", 2 * functions, -1, context.classes - 1);
    set.squared_norms = read_doubles(stored, "squared_norms", 2 * functions);
    set.neighbours = read_count(stored, "neighbours", 0, context.training_rows);
    set.nearest_rows =
        read_indices(stored, "nearest_rows", 2 * functions * set.neighbours, 0, context.training_rows - 1);
    set.nearest_distances = read_doubles(stored, "nearest_distances", 2 * functions * set.neighbours);
    return std::make_unique<KernelExpansion>(std::move(parts));
}

}  // namespace dk

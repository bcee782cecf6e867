// SPDX-License-Identifier: Apache-2.0
#include "model/free_expansion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "model/archive.hpp"
#include "model/kernel_archive.hpp"
#include "model/predicted_values.hpp"
#include "prototype/nearest_rows.hpp"

namespace dk {

namespace {

/// The similarities of all rows to the points pass by, for the rows nearest to each.
template <typename T>
void find_nearest(FreeExpansion::Parts& parts, const Dataset& data, Index neighbours, Control& control) {
    const Index count = parts.points.rows();
    const GramEngine<T> engine(parts.kernel, data, parts.points, &control);
    const auto self = engine.self(Side::left);
    std::vector<double> identity(unsigned_of(count * count));
    for (Index p = 0; p < count; ++p) identity[unsigned_of(p * count + p)] = 1;
    const WeightBlock block = whole_block(identity, count, count);
    NearestRows nearest(count, neighbours);
    engine.product(
        {&block, 1}, count,
        [&](Index first, std::span<const double> products) {
            const ProgressHold hold(control);
            nearest.see(first, size_of(products) / count, std::span(self).subspan(unsigned_of(first)),
                        products.data(), control);
        },
        control);
    parts.set.neighbours = neighbours;
    nearest.write(parts.set.squared_norms, parts.set.nearest_rows, parts.set.nearest_distances);
}

/// |w_c| of each function, and k(z, z) of each point.
template <typename T>
void find_lengths(FreeExpansion::Parts& parts, Control& control) {
    const Index count = parts.points.rows();
    const Index functions = size_of(parts.offsets);
    const GramEngine<T> engine(parts.kernel, parts.points, parts.points, &control);
    parts.set.squared_norms = engine.self(Side::left);
    std::vector<double> products(unsigned_of(count * functions));
    const WeightBlock block = whole_block(parts.weights, count, functions);
    engine.product({&block, 1}, functions, products.data(), control);
    std::vector<double> squares(unsigned_of(functions));
    for (std::size_t e = 0; e < products.size(); ++e)
        squares[e % unsigned_of(functions)] += products[e] * parts.weights[e];
    for (const double square : squares) parts.set.norms.push_back(std::sqrt(std::max(square, 1e-300)));
}

/// decision = sum over the prototypes + offset, so that S / (2 t) is the offset.
void set_functions(FreeExpansion::Parts& parts) {
    parts.set.scales.assign(parts.offsets.size(), 0.5);
    parts.set.shifts = parts.offsets;
}

void find_main_terms(FreeExpansion::Parts& parts, std::span<const FunctionSides> sides) {
    const Index functions = size_of(parts.offsets);
    for (Index p = 0; p < parts.points.rows(); ++p) {
        std::vector<double> sizes;
        for (Index c = 0; c < functions; ++c)
            sizes.push_back(std::abs(parts.weights[unsigned_of(p * functions + c)]));
        const Index main = first_largest(sizes);
        parts.main_terms.push_back(main);
        const bool positive = parts.weights[unsigned_of(p * functions + main)] > 0;
        if (sides.empty()) {
            parts.set.classes.push_back(-1);
        } else {
            const FunctionSides& side = sides[unsigned_of(main)];
            parts.set.classes.push_back(positive ? side.positive : side.negative);
        }
    }
}

}  // namespace

std::unique_ptr<Predictor> make_free_expansion(FreeExpansion::Parts parts, const Dataset& data,
                                               std::span<const FunctionSides> sides, Index neighbours,
                                               Control& control) {
    find_main_terms(parts, sides);
    set_functions(parts);
    neighbours = std::min(neighbours, data.rows());
    if (parts.precision == Precision::real32) {
        find_lengths<float>(parts, control);
        find_nearest<float>(parts, data, neighbours, control);
    } else {
        find_lengths<double>(parts, control);
        find_nearest<double>(parts, data, neighbours, control);
    }
    parts.points = kept_rows(*parts.kernel, parts.points, control);
    return std::make_unique<FreeExpansion>(std::move(parts));
}

template <typename T>
void FreeExpansion::decide_in(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const GramEngine<T> engine(parts_.kernel, data, parts_.points, &control);
    const WeightBlock block = whole_block(parts_.weights, support_count(), decision_count());
    engine.product(
        {&block, 1}, decision_count(),
        [&](Index first, std::span<double> values) {
            add_offsets(values, parts_.offsets);
            require_finite_results(values, decision_count(), first);
            reader(values);
        },
        control);
}

void FreeExpansion::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    if (parts_.precision == Precision::real32) return decide_in<float>(data, reader, control);
    decide_in<double>(data, reader, control);
}

template <typename T>
void FreeExpansion::explain_in(const Dataset& data, double* out, Control& control) const {
    const GramEngine<T> engine(parts_.kernel, data, parts_.points, &control);
    std::vector<double> diagonal(unsigned_of(count() * count()));
    for (Index p = 0; p < count(); ++p)
        diagonal[unsigned_of(p * count() + p)] =
            parts_.weights[unsigned_of(p * decision_count() + parts_.main_terms[unsigned_of(p)])];
    const WeightBlock block = whole_block(diagonal, count(), count());
    engine.product({&block, 1}, count(), out, control);
    require_finite_results({out, unsigned_of(data.rows() * count())}, count(), 0);
}

void FreeExpansion::explain(const Dataset& data, double* out, Control& control) const {
    if (parts_.precision == Precision::real32) return explain_in<float>(data, out, control);
    explain_in<double>(data, out, control);
}

void FreeExpansion::prototype_coefficients(double* out) const {
    std::fill(out, out + count() * parts_.training_rows, 0.0);
    for (Index p = 0; p < count(); ++p) {
        const Index row = parts_.training_ids[unsigned_of(p)];
        if (row >= 0) out[p * parts_.training_rows + row] = 1;
    }
}

void FreeExpansion::prototype_coordinates(double* out) const {
    const Index cols = parts_.points.cols();
    std::fill(out, out + count() * cols, 0.0);
    if (parts_.points.kind() == DataKind::dense) {
        std::ranges::copy(parts_.points.dense().values, out);
        return;
    }
    if (parts_.points.kind() != DataKind::sparse)
        fail(Status::unsupported, "prototypes among ", name_of(parts_.points.kind()),
             " have no coordinates; they are training rows");
    const SparseMatrix& matrix = parts_.points.sparse();
    for (Index p = 0; p < count(); ++p) {
        for (Index e = matrix.row_offsets[unsigned_of(p)]; e < matrix.row_offsets[unsigned_of(p + 1)]; ++e)
            out[p * cols + matrix.columns[unsigned_of(e)]] = matrix.values[unsigned_of(e)];
    }
}

nlohmann::json FreeExpansion::archive() const {
    nlohmann::json object = archive_kernel(*parts_.kernel);
    object.update({{"precision", parts_.precision == Precision::real32 ? "single" : "double"},
                   {"points", archive_features(parts_.points)},
                   {"count", count()},
                   {"functions", decision_count()},
                   {"training_ids", block(parts_.training_ids)},
                   {"weights", block(parts_.weights)},
                   {"offsets", block(parts_.offsets)},
                   {"main_terms", block(parts_.main_terms)},
                   {"norms", block(parts_.set.norms)},
                   {"classes", block(parts_.set.classes)},
                   {"squared_norms", block(parts_.set.squared_norms)},
                   {"neighbours", parts_.set.neighbours},
                   {"nearest_rows", block(parts_.set.nearest_rows)},
                   {"nearest_distances", block(parts_.set.nearest_distances)}});
    return object;
}

std::unique_ptr<Predictor> read_free_expansion(const nlohmann::json& object, const ReadingContext& context) {
    const Index count = read_count(object, "count", 1, largest_count);
    const Index functions = read_count(object, "functions", 1, largest_count / count);
    FreeExpansion::Parts parts{.kernel = nullptr, .points = read_features(field(object, "points"), count)};
    if (parts.points.cols() != context.features)
        fail(Status::model_format, "damaged model: features do not fit");
    parts.kernel = read_kernel(object, parts.points);
    parts.precision = read_precision(object);
    parts.training_rows = context.training_rows;
    parts.training_ids = read_indices(object, "training_ids", count, -1, context.training_rows - 1);
    parts.weights = read_doubles(object, "weights", count * functions);
    parts.offsets = read_doubles(object, "offsets", functions);
    parts.main_terms = read_indices(object, "main_terms", count, 0, functions - 1);
    set_functions(parts);
    auto& set = parts.set;
    set.norms = read_doubles(object, "norms", functions);
    set.classes = read_indices(object, "classes", count, -1, context.classes - 1);
    set.squared_norms = read_doubles(object, "squared_norms", count);
    set.neighbours = read_count(object, "neighbours", 0, context.training_rows);
    if (set.neighbours > largest_count / count) fail(Status::model_format, "damaged model: neighbours");
    set.nearest_rows =
        read_indices(object, "nearest_rows", count * set.neighbours, 0, context.training_rows - 1);
    set.nearest_distances = read_doubles(object, "nearest_distances", count * set.neighbours);
    return std::make_unique<FreeExpansion>(std::move(parts));
}

}  // namespace dk

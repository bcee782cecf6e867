// SPDX-License-Identifier: Apache-2.0
#include "model/free_expansion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "model/archive/feature_archive.hpp"
#include "model/archive/kernel_archive.hpp"
#include "model/archive/prototype_archive.hpp"
#include "model/predicted_values.hpp"
#include "prototype/nearest_rows.hpp"

namespace dk {

namespace {

/// Calls reader(first, similarities) with those of some rows at a time to all points, rows x points.
template <typename T, typename Reader>
void read_similarities(const GramEngine<T>& engine, Control& control, Reader reader) {
    constexpr Index values_at_once = Index{1} << 21;
    const Index points = engine.cols();
    const Index at_once = std::clamp<Index>(values_at_once / points, 1, engine.rows());
    MatrixOf<T> similarities(at_once, points);
    for (Index first = 0; first < engine.rows(); first += at_once) {
        std::vector<Index> rows(std::min(at_once, engine.rows() - first));
        const double share = 1.0 / static_cast<double>(engine.rows());
        const double begin = share * static_cast<double>(first);
        const ProgressScope scope(control, begin, begin + share * static_cast<double>(std::ssize(rows)));
        std::iota(rows.begin(), rows.end(), first);
        engine.rows_of(rows, similarities.data(), control);
        reader(first, similarities.topRows(std::ssize(rows)).template cast<double>());
        control.check();
    }
}

/// Finds the rows nearest to each point, from the similarities of all rows to the points as they pass by.
template <typename T>
void find_nearest(FreeExpansion::PrototypeFunctions& learned, const Dataset& data, Index neighbours,
                  Control& control) {
    const Index count = learned.points.rows();
    const GramEngine<T> engine(learned.kernel, data, learned.points, &control);
    const auto self = engine.self(Side::left);
    NearestRows nearest(count, neighbours);
    read_similarities(engine, control, [&](Index first, const Matrix& similarities) {
        const ProgressHold hold(control);
        nearest.see(first, similarities.rows(), std::span(self).subspan(first), similarities.data(), control);
    });
    learned.set.neighbours = neighbours;
    nearest.write(learned.set.squared_norms, learned.set.nearest_rows, learned.set.nearest_distances);
}

/// Tells whether similarities of prototypes to each other can be had. Where only the caller knows those of
/// rows, there are none of points that are no rows.
bool lengths_are_known(const FreeExpansion::PrototypeFunctions& learned) {
    return !learned.kernel->asks_caller() || std::ranges::min(learned.training_ids) >= 0;
}

/// Makes NaN of what is not known.
void forget_lengths(PrototypeSet& set) {
    std::ranges::fill(set.squared_norms, std::nan(""));
    std::ranges::fill(set.norms, std::nan(""));
    std::ranges::fill(set.nearest_distances, std::nan(""));
}

/// Finds |w_c| = sqrt(sum_j W(j, c) (K W)(j, c)) of each function and k(z, z) of each point, which stay 0
/// where they are not known.
template <typename T>
void find_lengths(FreeExpansion::PrototypeFunctions& learned, const Dataset& data, Control& control) {
    const Index count = learned.points.rows();
    const Index functions = std::ssize(learned.offsets);
    if (!lengths_are_known(learned)) {
        learned.set.squared_norms.assign(count, 0.0);
        learned.set.norms.assign(functions, 0.0);
        return;
    }
    const bool asks_caller = learned.kernel->asks_caller();
    const Dataset left = asks_caller ? data.select(learned.training_ids) : learned.points;
    const GramEngine<T> engine(learned.kernel, left, asks_caller ? learned.points : left, &control);
    learned.set.squared_norms = engine.self(Side::left);
    const auto W = learned.W();
    const WeightBlock block = whole_block(W);
    Matrix KW(count, functions);
    engine.product({&block, 1}, functions, KW.data(), control);
    for (Index c = 0; c < functions; ++c)
        learned.set.norms.push_back(std::sqrt(std::max(W.col(c).dot(KW.col(c)), 1e-300)));
}

/// A decision is the sum over the prototypes plus the offset S / (2 t), so that t = 1/2 and S is the offset.
void set_functions(FreeExpansion::PrototypeFunctions& learned) {
    learned.set.scales.assign(learned.offsets.size(), 0.5);
    learned.set.shifts = learned.offsets;
}

/// Finds for each prototype the function in which its weight is largest, and the class for which it speaks
/// there.
void find_main_terms(FreeExpansion::PrototypeFunctions& learned, std::span<const FunctionSides> sides) {
    const auto W = learned.W();
    for (Index p = 0; p < W.rows(); ++p) {
        Index main = 0;
        W.row(p).cwiseAbs().maxCoeff(&main);
        learned.main_terms.push_back(main);
        const bool positive = W(p, main) > 0;
        if (sides.empty()) {
            learned.set.classes.push_back(-1);
        } else {
            const FunctionSides& side = sides[main];
            learned.set.classes.push_back(positive ? side.positive : side.negative);
        }
    }
}

}  // namespace

std::unique_ptr<Predictor> make_free_expansion(FreeExpansion::PrototypeFunctions learned, const Dataset& data,
                                               std::span<const FunctionSides> sides, Index neighbours,
                                               Control& control) {
    find_main_terms(learned, sides);
    set_functions(learned);
    neighbours = std::min(neighbours, data.rows());
    if (learned.precision == Precision::real32) {
        find_lengths<float>(learned, data, control);
        find_nearest<float>(learned, data, neighbours, control);
    } else {
        find_lengths<double>(learned, data, control);
        find_nearest<double>(learned, data, neighbours, control);
    }
    if (!lengths_are_known(learned)) forget_lengths(learned.set);
    learned.points = kept_rows(*learned.kernel, learned.points, control);
    return std::make_unique<FreeExpansion>(std::move(learned), control);
}

template <typename T>
void FreeExpansion::decide_in(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    const WeightBlock block = whole_block(learned_.W());
    engine.product(
        {&block, 1}, decision_count(),
        [&](Index first, std::span<double> values) {
            add_offsets(values, learned_.offsets);
            require_finite_results(values, decision_count(), first);
            reader(values);
        },
        control);
}

void FreeExpansion::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    if (learned_.precision == Precision::real32) return decide_in<float>(data, reader, control);
    decide_in<double>(data, reader, control);
}

/// Writes weight_j k(x, z_j) for each row x and prototype j.
template <typename T>
void FreeExpansion::weighted_similarities_in(const Dataset& data, const ConstVectorRef& weights, double* out,
                                             Control& control) const {
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    const auto weighted = view(out, data.rows(), count());
    read_similarities(engine, control, [&](Index first, const Matrix& similarities) {
        MatrixView(weighted).middleRows(first, similarities.rows()) = similarities * weights.asDiagonal();
    });
    require_finite_results(std::span(out, data.rows() * count()), count(), 0);
}

void FreeExpansion::weighted_similarities(const Dataset& data, const ConstVectorRef& weights, double* out,
                                          Control& control) const {
    if (learned_.precision == Precision::real32)
        return weighted_similarities_in<float>(data, weights, out, control);
    weighted_similarities_in<double>(data, weights, out, control);
}

void FreeExpansion::explain(const Dataset& data, double* out, Control& control) const {
    Vector main_weights(count());
    for (Index p = 0; p < count(); ++p) main_weights[p] = learned_.W()(p, learned_.main_terms[p]);
    weighted_similarities(data, main_weights, out, control);
}

/// f_c(x) = sum_j W(j, c) k(x, z_j) + b_c, each prototype in every function.
DecisionParts FreeExpansion::decision_parts(const Dataset& row, Control& control) const {
    std::vector<double> k(count());
    transform(row, k.data(), control);
    DecisionParts parts{.offsets = learned_.offsets};
    for (Index c = 0; c < decision_count(); ++c) {
        for (Index j = 0; j < count(); ++j)
            parts.terms.push_back({c, j, learned_.training_ids[j], learned_.W()(j, c) * k[j]});
    }
    return parts;
}

void FreeExpansion::transform(const Dataset& data, double* out, Control& control) const {
    weighted_similarities(data, Vector::Ones(count()), out, control);
}

void FreeExpansion::prototype_coefficients(double* out) const {
    auto coefficients = view(out, count(), learned_.training_rows);
    coefficients.setZero();
    for (Index p = 0; p < count(); ++p) {
        const Index row = learned_.training_ids[p];
        if (row >= 0) coefficients(p, row) = 1;
    }
}

void FreeExpansion::dual_coefficients(MatrixRef out) const {
    dual_offsets();  // which says where there are none
    out.setZero();
    const auto W = learned_.W();
    for (Index p = 0; p < count(); ++p) out.col(learned_.training_ids[p]) += W.row(p).transpose();
}

std::vector<double> FreeExpansion::dual_offsets() const {
    if (std::ranges::find(learned_.training_ids, -1) != learned_.training_ids.end())
        fail(Status::unsupported,
             "prototypes of this model are no training rows, so that these have no coefficients");
    return learned_.offsets;
}

void FreeExpansion::prototype_coordinates(double* out) const {
    if (learned_.points.kind() == DataKind::dense) {
        std::ranges::copy(learned_.points.dense().values, out);
        return;
    }
    if (learned_.points.kind() != DataKind::sparse)
        fail(Status::unsupported, "prototypes among ", name_of(learned_.points.kind()),
             " have no coordinates; they are training rows");
    auto coordinates = view(out, count(), learned_.points.cols());
    coordinates.setZero();
    const SparseMatrix& matrix = learned_.points.sparse();
    for (Index p = 0; p < count(); ++p) {
        for (Index e = matrix.row_offsets[p]; e < matrix.row_offsets[p + 1]; ++e)
            coordinates(p, matrix.columns[e]) = matrix.values[e];
    }
}

std::shared_ptr<const Predictor> FreeExpansion::with_threshold(double threshold, Control& control) const {
    PrototypeFunctions moved = learned_;
    moved.offsets.front() -= threshold;
    moved.set.shifts.front() -= 2 * moved.set.scales.front() * threshold;
    return std::make_shared<FreeExpansion>(std::move(moved), control);
}

void FreeExpansion::write(ArchiveWriter out) const {
    // A model file has no NaN. Its reader knows what is not known.
    PrototypeSet set = learned_.set;
    if (!lengths_are_known(learned_)) {
        std::ranges::fill(set.squared_norms, 0.0);
        std::ranges::fill(set.norms, 0.0);
        std::ranges::fill(set.nearest_distances, 0.0);
    }
    write_kernel(out, *learned_.kernel);
    write_precision(out, learned_.precision);
    write_features(out.object("points"), learned_.points);
    out.count("count", count());
    out.count("functions", decision_count());
    out.indices("training_ids", learned_.training_ids);
    out.doubles("weights", learned_.weights);
    out.doubles("offsets", learned_.offsets);
    out.indices("main_terms", learned_.main_terms);
    out.doubles("norms", set.norms);
    out.indices("classes", set.classes);
    out.doubles("squared_norms", set.squared_norms);
    write_nearest_rows(out, set);
}

std::unique_ptr<Predictor> read_free_expansion(const ArchiveReader& in, const ReadingContext& context) {
    const Index count = in.count("count", 1, largest_count);
    const Index functions = in.count("functions", 1, largest_count / count);
    FreeExpansion::PrototypeFunctions learned{
        .kernel = nullptr, .points = read_compared_rows(in.object("points"), count, context)};
    learned.kernel = read_kernel(in, learned.points, context.control);
    learned.precision = read_precision(in);
    learned.training_rows = context.training_rows;
    learned.training_ids = in.indices("training_ids", count, -1, context.training_rows - 1);
    learned.weights = in.doubles("weights", count * functions);
    learned.offsets = in.doubles("offsets", functions);
    learned.main_terms = in.indices("main_terms", count, 0, functions - 1);
    set_functions(learned);
    auto& set = learned.set;
    set.norms = in.doubles("norms", functions);
    set.classes = in.indices("classes", count, -1, context.classes - 1);
    set.squared_norms = in.doubles("squared_norms", count);
    read_nearest_rows(in, context.training_rows, set);
    if (!lengths_are_known(learned)) forget_lengths(set);
    return std::make_unique<FreeExpansion>(std::move(learned), context.control);
}

}  // namespace dk

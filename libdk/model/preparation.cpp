// SPDX-License-Identifier: Apache-2.0
#include "model/preparation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/resize.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

using ComponentsPointer = std::shared_ptr<const PrincipalComponents>;

Dataset with_scores(const Dataset& data, const PrincipalComponents& components, Control& control) {
    const ProgressHold hold(control);
    DenseMatrix scores{data.rows(), components.transform_count()};
    const Index size = scores.rows * scores.cols;
    control.memory().require(8.0 * size, text("features of ", data.rows(), " rows"));
    resize_in_steps(scores.values, size, control);
    components.transform(data, scores.values.data(), control);
    Dataset out = data.with_features(std::move(scores));
    out.feature_names.clear();
    return out;
}

}  // namespace

Dataset with_columns(const Dataset& data, const KeptColumns& kept) {
    if (data.kind() != DataKind::dense || data.cols() != kept.of)
        fail(Status::dimension, "a layer keeps some of ", kept.of, " dense columns, these are ", data.cols(),
             " of ", name_of(data.kind()), " data");
    if (kept.all()) return data;
    const DenseMatrix& all = data.dense();
    DenseMatrix chosen{all.rows, std::ssize(kept.columns)};
    chosen.values.reserve(chosen.rows * chosen.cols);
    for (Index i = 0; i < all.rows; ++i) {
        for (const Index column : kept.columns) chosen.values.push_back(all.row(i)[column]);
    }
    Dataset out = data.with_features(std::move(chosen));
    if (data.feature_names.empty()) return out;
    out.feature_names.clear();
    for (const Index column : kept.columns) out.feature_names.push_back(data.feature_names[column]);
    return out;
}

Dataset LinearMap::apply(const Dataset& data, Control& control) const {
    if (data.kind() != DataKind::dense || data.cols() != directions.cols())
        fail(Status::dimension, "a layer maps ", directions.cols(), " dense columns, these are ", data.cols(),
             " of ", name_of(data.kind()), " data");
    const ProgressHold hold(control);
    DenseMatrix mapped{data.rows(), directions.rows()};
    const Index size = mapped.rows * mapped.cols;
    control.memory().require(8.0 * size, text("mapped columns of ", data.rows(), " rows"));
    resize_in_steps(mapped.values, size, control);
    multiply_transposed(view(data.dense().values.data(), data.rows(), data.cols()), directions,
                        view(mapped.values.data(), mapped.rows, mapped.cols), Into::assign, control);
    Dataset out = data.with_features(std::move(mapped));
    out.feature_names.clear();
    return out;
}

Index Layer::outputs() const {
    if (const auto* kept = std::get_if<KeptColumns>(&step)) return std::ssize(kept->columns);
    if (const auto* map = std::get_if<LinearMap>(&step)) return map->directions.rows();
    return std::get<ComponentsPointer>(step)->transform_count();
}

Dataset Layer::apply(const Dataset& data, Control& control) const {
    if (const auto* kept = std::get_if<KeptColumns>(&step)) return with_columns(data, *kept);
    if (const auto* map = std::get_if<LinearMap>(&step)) return map->apply(data, control);
    return with_scores(data, *std::get<ComponentsPointer>(step), control);
}

Dataset Preparation::apply(const Dataset& data, Control& control) const {
    Dataset prepared = data;
    if (scaler.identity()) {
        require_complete(data);
    } else {
        prepared = scaler.apply(data);
    }
    for (const Layer& layer : layers) prepared = layer.apply(prepared, control);
    return prepared;
}

void Preparation::restore(std::span<const double> points, Index features, std::span<double> out) const {
    std::vector<Index> columns(features);  // of the data, for each column of the points
    std::iota(columns.begin(), columns.end(), Index{0});
    for (const Layer& layer : layers) {
        const auto* kept = std::get_if<KeptColumns>(&layer.step);
        if (kept == nullptr) {
            fail(Status::unsupported, "prototypes are points of the last layer, whose columns (", layer.text,
                 ") are not those of the data");
        }
        std::vector<Index> remaining;
        remaining.reserve(kept->columns.size());
        for (const Index column : kept->columns) remaining.push_back(columns[column]);
        columns = std::move(remaining);
    }
    const Index width = std::ssize(columns);
    std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
    for (Index p = 0; p < std::ssize(out) / features; ++p) {
        const auto point = row_of(out, features, p);
        for (Index j = 0; j < width; ++j) point[columns[j]] = points[p * width + j];
        scaler.restore(point);
    }
}

}  // namespace dk

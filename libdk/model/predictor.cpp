// SPDX-License-Identifier: Apache-2.0
#include "model/predictor.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "kernel/lowrank/feature_map.hpp"

namespace dk {

Index Predictor::transform_count() const {
    const FeatureMap* map = kernel()->feature_map();
    return map ? map->dimension() : 0;
}

void Predictor::transform(const Dataset& data, double* out, Control& control) const {
    // Pieces take little memory beside the result, and a cancel waits for one of them alone.
    constexpr Index at_once = 2048;
    const FeatureMap& map = *kernel()->feature_map();
    for (Index first = 0; first < data.rows(); first += at_once) {
        const Index count = std::min(at_once, data.rows() - first);
        const ProgressScope scope(control, 1.0 * first / data.rows(), 1.0 * (first + count) / data.rows());
        control.check();
        std::vector<Index> rows(count);
        std::iota(rows.begin(), rows.end(), first);
        const LargeArray<double> features = map.features(data.select(rows), control);
        out = std::copy_n(features.data(), count * map.dimension(), out);
    }
}

void Predictor::reconstruct(const Dataset& /*data*/, double* /*out*/, Control& /*control*/) const {
    fail(Status::unsupported, "models of machine kernel_pca reconstruct rows; others keep no part of them");
}

}  // namespace dk

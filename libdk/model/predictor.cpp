// SPDX-License-Identifier: Apache-2.0
#include "model/predictor.hpp"

#include <algorithm>

#include "kernel/lowrank/feature_map.hpp"

namespace dk {

Index Predictor::transform_count() const {
    const FeatureMap* map = kernel()->feature_map();
    return map ? map->dimension() : 0;
}

void Predictor::transform(const Dataset& data, double* out, Control& control) const {
    const LargeArray<double> features = kernel()->feature_map()->features(data, control);
    std::copy_n(features.data(), data.rows() * transform_count(), out);
}

}  // namespace dk

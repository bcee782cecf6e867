// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/lowrank/feature_map.hpp"

namespace dk {

/// Gives the map of a kernel, which lives as long as the kernel does; null where it has none.
std::shared_ptr<const FeatureMap> map_of(const KernelPointer& kernel);

/// Makes the map phi(x) / |phi(x)|, of the cosine-normalised kernel. It has one feature more, which is 1 for
/// rows whose features are all 0 and 0 for all others.
std::shared_ptr<const FeatureMap> unit_length_map(std::shared_ptr<const FeatureMap> map);

struct WeightedMap {
    double weight;  // at least 0
    std::shared_ptr<const FeatureMap> map;
};

/// Makes the map of the kernel sum_m weight_m phi_m(x).phi_m(z) + offset: the features sqrt(weight_m) phi_m
/// of all maps, one after the other, and the square root of the offset where it is above 0.
std::shared_ptr<const FeatureMap> joined_map(std::vector<WeightedMap> terms, double offset);

}  // namespace dk

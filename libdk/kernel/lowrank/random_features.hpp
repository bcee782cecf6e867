// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/random.hpp"
#include "kernel/lowrank/feature_map.hpp"

namespace dk {

/// Gamma deviates of any shape > 0 and scale 1 (Marsaglia and Tsang 2000).
double gamma_deviate(double shape, Random& random);

/// Cosines and sines of `count` / 2 random projections (Rahimi and Recht, Random features for large-scale
/// kernel machines, NIPS 2007); `frequency(random)` draws one coordinate, `common_factor(random)` a factor of
/// all coordinates of a projection; null for 1.
struct FrequencyLaw {
    std::function<double(Random&)> frequency;
    std::function<double(Random&)> common_factor;
};
std::shared_ptr<const FeatureMap> make_fourier_map(const Columns& columns, Index count,
                                                   const FrequencyLaw& law, std::uint64_t seed,
                                                   const Dataset& data);

/// A random network of rectifiers x^degree for x > 0, one layer a degree (Cho and Saul 2009, eq. 11).
std::shared_ptr<const FeatureMap> make_rectifier_map(const Columns& columns, Index count,
                                                     const std::vector<int>& degrees, std::uint64_t seed,
                                                     const Dataset& data);

/// The map, of either kind, that gave this state to a model file.
std::shared_ptr<const FeatureMap> restore_random_map(KernelState state);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/random.hpp"
#include "kernel/lowrank/feature_map.hpp"

namespace dk {

/// Draws a gamma deviate of any shape > 0 and of scale 1 (Marsaglia, Tsang, A simple method for generating
/// gamma variables, ACM Transactions on Mathematical Software 26, 2000).
double gamma_deviate(double shape, Random& random);

/// The law of random frequencies w = s v: `frequency` draws each coordinate of v, and `common_factor`, which
/// can be null for 1, draws s.
struct FrequencyLaw {
    std::function<double(Random&)> frequency;
    std::function<double(Random&)> common_factor;
};

/// Makes the map to the cosines and sines of w.x for `count` / 2 random frequencies w (Rahimi, Recht, Random
/// features for large-scale kernel machines, NIPS 2007).
std::shared_ptr<const FeatureMap> make_fourier_map(const Columns& columns, Index count,
                                                   const FrequencyLaw& law, std::uint64_t seed,
                                                   const Dataset& data);

/// Makes the map to the outputs of a random network of rectifiers max(x, 0)^n, which has one layer for each
/// degree n (Cho, Saul, Kernel methods for deep learning, NIPS 2009).
std::shared_ptr<const FeatureMap> make_rectifier_map(const Columns& columns, Index count,
                                                     const std::vector<int>& degrees, std::uint64_t seed,
                                                     const Dataset& data);

/// Makes the map to the outputs of `count` random sigmoid nodes, whose weights are uniform in [-1, 1] and
/// whose biases in [0, 1] (Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006).
std::shared_ptr<const FeatureMap> make_sigmoid_map(Index count, std::uint64_t seed, const Dataset& data);

/// Makes a map of any kind again from the state that collect_states() gave.
std::shared_ptr<const FeatureMap> restore_random_map(KernelState state);

/// A layer of a map to random features, which bends the products u = W x + b of a row and its directions: to
/// (cos u, sin u), to max(u, 0)^n or to 1 / (1 + exp(-u)). The first two are multiplied by the square root of
/// 2 / features.
struct RandomLayer {
    enum class Bend { fourier, rectifier, sigmoid };
    Bend bend = Bend::fourier;
    int degree = 0;                   // n
    Matrix directions = {};           // W, a row for each direction
    std::vector<double> biases = {};  // b, of sigmoids alone
};

/// What a map computes of a row's columns, layer by layer.
struct RandomNetwork {
    Columns columns = {};
    Index features = 0;
    std::vector<RandomLayer> layers = {};
};

/// Reads the layers of a map from its state.
RandomNetwork random_network_of(const KernelState& state);

}  // namespace dk

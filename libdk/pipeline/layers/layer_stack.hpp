// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/layers/layer_kind.hpp"

namespace dk {

/// The layers that were learned one after the other, and the training rows after the last.
struct LayerStack {
    std::vector<Layer> layers;
    Dataset rows;
};

/// Settings of the machine that its layers share.
struct LayerSettings {
    Precision precision;
    std::uint64_t seed;
    MemoryBudget budget;
};

/// Learns layers on training rows, which are scaled already. Throws Error(unsupported) where rows have
/// weights.
LayerStack learn_layers(std::span<const LayerSpecification> specifications, const Dataset& data,
                        const LayerSettings& settings, Control& control);

}  // namespace dk

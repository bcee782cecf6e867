// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "exchange/functions/exported_functions.hpp"

namespace dk {

/// Writes a function for each layer, and gives the statements that take a scaled row `x` through all of them
/// to `out`.
struct LayersInC {
    std::string functions;
    std::string statements;
};
LayersInC layers_in_c(std::span<const ExportedLayer> layers);

/// Writes a layer as the function `name` of a row x and of the array that it fills.
std::string layer_in_c(const ExportedLayer& layer, const std::string& name);

}  // namespace dk

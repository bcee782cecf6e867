// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/model.hpp"

namespace dk {

/// How well people can read each prototype (see prototype/measures.hpp). A measure that a prototype does not
/// have is NaN.
struct PrototypeMeasures {
    std::vector<double> purity = {};
    std::vector<double> compactness = {};
};

/// Measures the prototypes of a model by the labelled rows of which it was trained. Throws Error(dimension)
/// for another number of rows, and Error(invalid_data) for rows without labels.
PrototypeMeasures prototype_measures(const Model& model, const Dataset& training, Control& control);

}  // namespace dk

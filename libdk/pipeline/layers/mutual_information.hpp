// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

struct MutualInformationOptions {
    Index bins = 20;
    bool correct = false;  // whether what chance alone would give is subtracted
};

/// Computes how much each column of dense rows tells of their classes, in nats: at least 0, and at most the
/// entropy of the classes.
std::vector<double> mutual_information(const Dataset& data, const MutualInformationOptions& options,
                                       Control& control);

}  // namespace dk

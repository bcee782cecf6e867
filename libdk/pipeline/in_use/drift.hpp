// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/model.hpp"

namespace dk {

/// How far new rows lie from known rows, all in all.
struct Drift {
    double distance = 0;  // between the means of both in feature space
    double usual = 0;     // the median of the distance where both are mixed at random
    double p = 1;         // how likely the distance is at least as large where both come from one source
};

/// Tests whether rows come as reference rows did, by the distance of their means in the feature space of the
/// model's kernel. Without reference rows they are compared with the training rows, if the model keeps all of
/// these itself; otherwise this throws Error(unsupported). At most 2000 rows of each side take part, which
/// `seed` draws.
Drift drift(const Model& model, const Dataset& data, const Dataset* reference, std::uint64_t seed,
            Control& control);

}  // namespace dk

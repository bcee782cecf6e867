// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control.hpp"
#include "parameters.hpp"

namespace command {

// Model::train, cross_validate or compare_weights.
using Learn = Model (*)(const Data&, const libdk::Parameters&, const libdk::Control&);

inline Model learned(Control& control, const Data& data, const Settings& settings,
                     Learn learn = Model::train) {
    return control.run([&](const libdk::Control& c) { return learn(data, settings.get(), c); });
}

}  // namespace command

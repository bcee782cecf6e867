// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Chooses how many of the ranked columns serve best, among 1, 2, 4, ... and all: those with which the five
/// nearest training rows tell most classes of the held-out rows. Of equal ones it is the least.
Index best_column_count(const Dataset& training, const Dataset& held_out, std::span<const Index> ranked,
                        Control& control);

}  // namespace dk

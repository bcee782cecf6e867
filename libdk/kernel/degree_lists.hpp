// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/types.hpp"

namespace dk {

/// The lists of different degrees 0 to 3 with 1 to `layers` entries, in every order, short ones first: what
/// the thesis of deep kernels compares.
std::vector<std::vector<double>> degree_lists(Index layers);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "solve/penalised_box.hpp"

namespace dk {

/// Moves variables that are inside their bounds towards the least value on their face of the box: conjugate
/// gradients, then a search along the way they found, projected to the bounds (More and Toraldo, SIAM J.
/// Optim. 1, 1991). By how much the value fell, which never rises.
double face_step(PenalisedBox& box, std::span<const Index> inside);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "solve/box/penalised_box.hpp"

namespace dk {

/// Moves variables that are inside their bounds towards the least value on their face of the box, by
/// conjugate gradients and a search along the way that they found, projected onto the box. Gives by how much
/// the value fell. The value never rises.
double face_step(PenalisedBox& box, std::span<const Index> inside);

}  // namespace dk

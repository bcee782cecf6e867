// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/types.hpp"

namespace dk {

/// A plane rotation of rows `row` and `row + 1` of a matrix:
/// (lower, upper) <- (cosine lower - sine upper, sine lower + cosine upper).
struct Rotation {
    Index row;
    double cosine;
    double sine;
};

/// Applies rotations one after the other to columns first .. last of a row-major matrix. Vectorised.
void apply_rotations(std::span<const Rotation> rotations, double* matrix, Index stride, Index first,
                     Index last);

}  // namespace dk

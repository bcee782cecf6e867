// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "solve/box/box_program.hpp"

namespace dk {

struct CoordinateStart {
    std::vector<double> beta;  // feasible
    std::int64_t steps = 0;    // of one variable
    bool converged = false;  // whether a pass over all variables saw no more than half the tolerance violated
};

/// Finds variables near the optimum of a program whose matrix has sparse features, so that decomposition that
/// starts from them has little left to do. It never asks for an element of the matrix.
///
/// It ends at the tolerance, or after so many steps, or when its passes have cost too much: more than an
/// interior point method would where one can follow, more than a thousand passes elsewhere.
CoordinateStart coordinate_start(const BoxProgram& program, double tolerance, std::int64_t most_steps,
                                 Control& control);

}  // namespace dk

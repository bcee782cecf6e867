// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "solve/box/box_program.hpp"

namespace dk {

struct CoordinateStart {
    std::vector<double> beta;  // feasible
    std::int64_t steps = 0;    // the moves of one variable
    bool converged =
        false;  // whether the last pass over all variables saw a violation of half the tolerance at most
};

/// Finds variables near the optimum of a program whose matrix has sparse features, so that a decomposition
/// that starts from them has little left to do. It never asks for an element of the matrix.
///
/// It ends at the tolerance, after `most_steps` steps, or when its passes have cost too much. Too much is
/// more than an interior point method would cost where one can follow, and more than a thousand passes
/// elsewhere.
CoordinateStart coordinate_start(const BoxProgram& program, double tolerance, std::int64_t most_steps,
                                 Control& control);

}  // namespace dk

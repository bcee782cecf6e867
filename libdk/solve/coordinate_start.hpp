// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "solve/box_program.hpp"

namespace dk {

struct CoordinateStart {
    std::vector<double> beta;  // feasible
    std::int64_t steps = 0;    // of one variable
    bool converged = false;  // whether a pass over all variables saw no more than half the tolerance violated
};

/// Variables near the optimum of a program whose matrix has sparse features: decomposition that starts from
/// them has little left to do. Never asks for an element of the matrix.
///
/// Dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008): passes in random order over
/// the variables, of which those leave that their bounds hold. It finds soon which variables are inside their
/// bounds, and takes long for their values where many features go together; so conjugate gradients on the
/// face of the box take turns with it, as often as they pay (`face_step`). `PenalisedBox` holds the sums of
/// the groups, which these methods do not know.
///
/// Ends at the tolerance, after so many steps, or when passes cost more than an interior point method would
/// where that can follow, and more than a thousand of all variables elsewhere.
CoordinateStart coordinate_start(const BoxProgram& program, double tolerance, std::int64_t most_steps,
                                 Control& control);

}  // namespace dk

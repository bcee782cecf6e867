// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "solve/gram_matrix.hpp"

namespace dk {

/// A LocalProgram is a box program (see box_program.hpp) whose whole matrix K is at hand, in the type T: min
/// 1/2 b'Kb + 1/2 sum_t ridge_t b_t^2 + c'b over lower <= b <= upper, with the sum of b fixed over each
/// group. It does not hold the linear term c, because `descent` contains it.
template <typename T>
struct LocalProgram {
    BlockView<T> matrix;
    Index size = 0;
    Index first_group =
        0;             // the number of variables in the first group, which come first; `size` for one group
    Vector curvature;  // K_tt + ridge_t
    Vector ridge;      // empty: none
    Vector lower;
    Vector upper;
    Vector beta;     // b
    Vector descent;  // -(K b + ridge b + c), minus the gradient, kept up to date; padded behind the variables
};

struct LocalOutcome {
    std::int64_t iterations = 0;
    double gap = 0;  // the largest violation of optimality left within this program
};

/// Solves the program by sequential minimal optimisation, until no pair of variables violates optimality by
/// more than the tolerance, or for `most_iterations` steps. The solution stands in beta and descent of the
/// program.
template <typename T>
LocalOutcome solve_local(LocalProgram<T>& program, double tolerance, std::int64_t most_iterations,
                         Control& control);

extern template LocalOutcome solve_local(LocalProgram<double>&, double, std::int64_t, Control&);
extern template LocalOutcome solve_local(LocalProgram<float>&, double, std::int64_t, Control&);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "solve/gram_source.hpp"

namespace dk {

/// A quadratic program whose whole matrix is at hand: min 1/2 b'Kb + ... over lower <= b <= upper, the sum of
/// b over each of two groups fixed. `descent` is minus the gradient and kept up to date.
template <typename T>
struct LocalProgram {
    BlockView<T> matrix;
    Index size = 0;
    Index first_group = 0;          // variables of the first group come first; size where there is one group
    std::vector<double> curvature;  // diagonal with the ridge
    std::vector<double> ridge;      // empty: none
    std::vector<double> lower;
    std::vector<double> upper;
    std::vector<double> beta;
    std::vector<double> descent;
};

/// How far a stop is: iterations done, and the widest violation left, both of the program alone.
struct LocalOutcome {
    std::int64_t iterations = 0;
    double gap = 0;
};

/// Sequential minimal optimisation with second-order choice of the pair (Fan, Chen, Lin, JMLR 6, 2005) until
/// no pair violates optimality by more than the tolerance.
template <typename T>
LocalOutcome solve_local(LocalProgram<T>& program, double tolerance, std::int64_t most_iterations,
                         Control& control);

extern template LocalOutcome solve_local(LocalProgram<double>&, double, std::int64_t, Control&);
extern template LocalOutcome solve_local(LocalProgram<float>&, double, std::int64_t, Control&);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solve/ball/core_set.hpp"

namespace dk {

struct BallOptions {
    /// The method stops when no point lies farther than (1 + epsilon) radii from the centre: the core vector
    /// machine looks at all rows before, the ball vector machine at seven samples in a row.
    double epsilon = 1e-6;
    Index sample = 59;  // The farthest of 59 is among the farthest 5 % of all with probability 0.95.
    Index most_core = 50000;
    std::int64_t most_steps = 10000;
    std::uint64_t seed = 1;
    std::vector<Index> groups = {};   // the group of each row; samples come from one group after the other
    std::vector<char> excluded = {};  // whether a row is left out; empty: none is
};

/// Runs the core vector machine as published: it finds the minimum enclosing ball of a core set, and each
/// step adds the farthest of sampled points. It is here for comparison; solve_core_set is faster.
CoreSetSolution solve_core_vectors(TileSource& source, const BallOptions& options, Control& control);

/// Runs the ball vector machine, which moves the centre of a ball of fixed radius towards the farthest point
/// until the ball encloses all points. It solves no quadratic program.
CoreSetSolution solve_enclosing_ball(TileSource& source, const BallOptions& options, Control& control);

}  // namespace dk

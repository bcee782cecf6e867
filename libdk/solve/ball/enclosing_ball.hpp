// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solve/ball/core_set.hpp"

namespace dk {

struct BallOptions {
    /// The method stops when no row of some samples lies farther than (1 + epsilon) radii from the centre.
    double epsilon = 1e-6;
    Index sample = 59;  // The farthest of 59 is among the farthest 5 % of all with probability 0.95.
    Index most_core = 50000;
    std::int64_t most_steps = 10000;
    std::uint64_t seed = 1;
    std::vector<Index> groups = {};   // the group of each row; samples come from one group after the other
    std::vector<char> excluded = {};  // whether a row does not count; empty: all count
};

/// The core vector machine as published: the minimum enclosing ball of a core set, to which each step adds
/// the farthest of sampled points. It is here for comparison: solve_core_set is faster, and its result is
/// certain.
CoreSetSolution solve_core_vectors(TileSource& source, const BallOptions& options, Control& control);

/// The ball vector machine: a ball of fixed radius whose centre moves towards the farthest point until it
/// encloses all. It solves no quadratic program.
CoreSetSolution solve_enclosing_ball(TileSource& source, const BallOptions& options, Control& control);

}  // namespace dk

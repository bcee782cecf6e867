// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solve/core_set.hpp"

namespace dk {

struct BallOptions {
    /// Stops when no row of some samples lies farther than (1 + epsilon) radii from the centre.
    double epsilon = 1e-6;
    Index sample = 59;  // of these the farthest is among the farthest 5 % with probability 0.95
    Index most_core = 50000;
    std::int64_t most_steps = 10000;
    std::uint64_t seed = 1;
    std::vector<Index> groups = {};
    std::vector<char> excluded = {};
};

/// The minimum enclosing ball of the points with these inner products, each moved out along a private axis so
/// that all have the norm of the farthest, by a core set that grows by one sampled farthest point a step,
/// with the rule of the paper for stopping (Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005). For
/// reference: solve_core_set is faster and certain.
CoreSetSolution solve_core_vectors(CoreSource& source, const BallOptions& options, Control& control);

/// A ball of fixed radius whose centre moves to the farthest point until it encloses all, without any
/// quadratic program (Tsang, Kocsor, Kwok, Simpler core vector machines with enclosing balls, ICML 2007).
CoreSetSolution solve_enclosing_ball(CoreSource& source, const BallOptions& options, Control& control);

}  // namespace dk

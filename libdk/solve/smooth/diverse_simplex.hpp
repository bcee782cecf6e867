// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "matrix/matrix.hpp"

namespace dk {

/// The program min e'x + rho / 2 x'(A + kappa I) x over the simplex {x >= 0, sum x = 1}, where A is positive
/// semidefinite. Where its diagonal is 1, alike elements, whose A_ij is near 1, share one weight.
struct DiverseProgram {
    Vector e;
    /// Gives column A_:j, which stays valid. Only the columns of elements that are weighed at some time are
    /// asked for.
    std::function<const Vector&(Index j)> column;
    double rho = 0;
    double kappa = 0;
};

struct DiverseSolution {
    Vector x;
    double gap = 0;  // The objective is at most so far above its minimum.
    Index steps = 0;
    bool converged = false;
};

/// Solves the program from a point of the simplex by pairwise Frank-Wolfe until the gap is at most
/// `tolerance`, or for 20,000 steps.
DiverseSolution solve_diverse(const DiverseProgram& program, Vector start, double tolerance);

/// Gives e'x + rho / 2 x'(A + kappa I) x.
double diverse_objective(const DiverseProgram& program, const ConstVectorRef& x);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solve/box/smo.hpp"

namespace dk {

/// Solves the program by decomposition into working sets, from the program's own start. It asks the matrix
/// for blocks and for products with few columns, and uses no features. Machines call solve_smo(), which finds
/// a better start first.
SmoSolution solve_by_decomposition(const BoxProgram& program, const SmoOptions& options, Control& control);

}  // namespace dk

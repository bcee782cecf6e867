// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solve/box/smo.hpp"

namespace dk {

/// Decomposition into working sets, from the start that the program names. It asks the matrix for blocks and
/// for products with few columns, and uses no features; solve_smo() is what machines call.
SmoSolution solve_by_decomposition(const BoxProgram& program, const SmoOptions& options, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solve/smo.hpp"

namespace dk {

/// solve_smo() from where the program says, whatever its matrix has.
SmoSolution solve_by_decomposition(const BoxProgram& program, const SmoOptions& options, Control& control);

}  // namespace dk

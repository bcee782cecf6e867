// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solve/cover/prototype_cover.hpp"

namespace dk {

/// Tells whether libdk was built with COIN-OR's solver of linear programs, CLP.
bool has_linear_programs();

/// Throws Error(unsupported) where it was not.
void require_linear_programs();

/// The program of one class where prototypes and uncovered rows may be parts: 0 <= a_j <= 1.
struct CoverRelaxation {
    Vector prototypes;  // a_j of every row
    Vector uncovered;   // xi_i of the class's rows, in their order
    double cost = 0;    // of the class, which no choice can undercut
};

/// Solves the relaxed program of a class. Throws as require_linear_programs() does.
CoverRelaxation relaxed_cover(const CoverProgram& program, Index c, Control& control);

/// Makes a choice of the relaxed programs by randomised rounding, which is drawn again until it covers what
/// it says and costs at most 2 log(n_l) as much as the relaxation, for n_l rows of the class. A class for
/// which 200 draws do not get that has the greedy prototypes.
CoverChoice rounded_cover(const CoverProgram& program, std::uint64_t seed, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// A multilevel dictionary: atoms of unit length in feature space, which belong to levels.
struct LevelDictionary {
    Matrix atoms = {};                // rows x atoms
    Matrix codes = {};                // of the training rows, rows x atoms: one number a level
    std::vector<Index> begins = {0};  // with which atom each level begins, and their number
    std::vector<double> energies =
        {};  // what the levels leave of the rows, as shares: before them, after each

    Index levels() const { return std::ssize(begins) - 1; }
};

/// Learns at most `levels` levels of `atoms` atoms each from a kernel matrix, until what is left of the rows
/// has less energy than the share `enough`. The method stands at the top of hyperline_levels.cpp.
LevelDictionary learn_levels(const ConstMatrixRef& gram, Index levels, Index atoms, double enough,
                             Control& control);

}  // namespace dk

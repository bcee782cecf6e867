// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"
#include "kernel/kernel.hpp"

namespace dk {

/// A kernel made positive semidefinite on the training rows.
struct Correction {
    KernelPointer kernel;  // the given one where nothing was wrong with it
    double lowest_eigenvalue;
    double highest_eigenvalue;
    Index negative_eigenvalues;
    bool changed;
};

namespace parameter {
inline constexpr ChoiceKey<> correction{"method",
                                        {"clip", "flip", "shift", "square"},
                                        "What becomes of negative eigenvalues: 0 (clip), the other sign "
                                        "(flip), all are raised until the lowest is 0 "
                                        "(shift), or all are squared (square)."};
}

/// What becomes of negative eigenvalues of the training rows' matrix (Chen, Garcia, Gupta, Rahimi, Cazzanti,
/// Similarity-based classification, JMLR 10, 2009): clip to 0, flip the sign, square all, or shift all by
/// adding the lowest one's size to each row's similarity with itself. Test rows go the same way.
Correction corrected(const KernelPointer& kernel, const std::string& method, const Dataset& data,
                     Control& control);

}  // namespace dk

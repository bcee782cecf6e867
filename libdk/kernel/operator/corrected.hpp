// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/engine/kernel.hpp"
#include "kernel/lowrank/spectrum.hpp"

namespace dk {

/// A kernel made positive semidefinite on the training rows.
struct Correction {
    KernelPointer kernel;  // the given kernel where it has no negative eigenvalue
    double lowest_eigenvalue;
    double highest_eigenvalue;
    Index negative_eigenvalues;
    bool changed;
};

/// Makes a kernel positive semidefinite on the training rows (Chen, Garcia, Gupta, Rahimi, Cazzanti,
/// Similarity-based classification: concepts and algorithms, JMLR 10, 2009). Test rows are treated in the
/// same way, except that shift leaves them as they are.
Correction corrected(const KernelPointer& kernel, SpectrumMethod method, const Dataset& data,
                     Control& control);

}  // namespace dk

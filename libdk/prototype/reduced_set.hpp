// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

struct ReducedSetOptions {
    Index vectors = 10;   // the largest number of vectors z
    bool polish = false;  // whether all vectors move together at the end
    std::uint64_t seed = 1;
};

/// A function w' = sum_j beta_j phi(z_j) of a few free vectors that comes near to another one, w.
struct ReducedSet {
    Matrix points = {};             // z, one a row
    Vector weights = {};            // beta
    double squared_norm = 0;        // |w|^2
    std::vector<double> left = {};  // |w - w'|^2 after each vector, and after all have moved together
};

/// Throws Error(unsupported) unless the rows are dense, so that vectors can move.
void require_reducible(const Kernel& kernel, const Dataset& rows);

/// Finds a reduced set of w = sum_i alpha_i phi(x_i) for reducible rows x. There are fewer vectors than asked
/// for where nothing of w is left. Throws Error(numerical) unless the kernel is positive semidefinite on the
/// rows.
ReducedSet reduced_set(const KernelPointer& kernel, const Dataset& rows, const Vector& alpha,
                       const ReducedSetOptions& options, Control& control);

}  // namespace dk

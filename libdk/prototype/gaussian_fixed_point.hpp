// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/control.hpp"
#include "kernel/engine/kernel.hpp"
#include "kernel/engine/prepared_rows.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Tells whether a kernel is the Gaussian one on all columns alone, and no sum or product that has it.
bool is_gaussian(const Kernel& kernel);

struct FixedPointLimits {
    int most_steps = 200;
    double tolerance = 1e-13;  // Steps end that are shorter than this, relative to 1 + |z|.
};

/// Finds a point z whose image under a Gaussian kernel is nearest to sum_i c_i phi(a_i) up to its length. It
/// is a fixed point of
///
///     z <- sum_i c_i k(a_i, z) a_i / sum_i c_i k(a_i, z).
///
/// Where the sum of these weights is nearly zero the iteration leads nowhere, and there is no result.
///
/// B. Schoelkopf, S. Mika, C. J. C. Burges, P. Knirsch, K.-R. Mueller, G. Raetsch, A. J. Smola, Input space
/// versus feature space in kernel-based methods, IEEE Transactions on Neural Networks 10, 1999.
std::optional<Vector> gaussian_fixed_point(const KernelPointer& kernel, const PreparedRows<double>& a,
                                           const Vector& c, Vector z, const FixedPointLimits& limits,
                                           Control& control);

}  // namespace dk

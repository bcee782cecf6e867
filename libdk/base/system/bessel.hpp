// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dk {

/// Gives the Bessel function of the first kind J_n(x), which the C library has under a name of its own on
/// each system.
double bessel_j(int n, double x);

}  // namespace dk

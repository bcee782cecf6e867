// SPDX-License-Identifier: Apache-2.0
#include "base/system/bessel.hpp"

#include <cmath>

namespace dk {

double bessel_j(int n, double x) {
    return ::jn(n, x);
}

}  // namespace dk

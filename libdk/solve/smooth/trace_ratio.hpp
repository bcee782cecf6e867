// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "matrix/matrix.hpp"

namespace dk {

/// Maximises (b'x - rho / 2 |x|^2) / w'x over the simplex {x >= 0, sum x = 1}, where every w is positive.
struct TraceRatioSolution {
    Vector x;
    double ratio = 0;
    std::vector<double> ratios = {};  // at the start and after each step; they rise
};

TraceRatioSolution maximise_trace_ratio(const ConstVectorRef& b, const ConstVectorRef& w, double rho);

}  // namespace dk

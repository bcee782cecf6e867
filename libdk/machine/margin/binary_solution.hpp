// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/report.hpp"

namespace dk {

/// The function f(x) = sum_i gamma_i k(x_i, x) + offset, which is positive for the sign +1.
struct BinarySolution {
    std::vector<double> gamma;
    double offset = 0;
    std::optional<double> length = {};  // |w|, the square root of gamma' K gamma, where it is known
    Report report = {};
    /// These are the coefficients of prototypes that a machine found itself, at least 0 and with sum 1 over
    /// each class. Where there are none, prototypes are those of the canonical form.
    std::vector<double> prototypes = {};
};

}  // namespace dk

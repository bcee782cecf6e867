// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace dk {

/// What the errors of a machine cost, for strategies that learn the weights of kernels together with it.
enum class ErrorLoss {
    hinge,          // max(0, 1 - y f)
    squared_hinge,  // max(0, 1 - y f)^2 / 2
    squares,        // (y - f)^2 / 2
    tube,           // max(0, |y - f| - tube)
    outliers        // of a machine that learns from rows alone: max(0, rho - f)
};

struct MachineLoss {
    ErrorLoss errors = ErrorLoss::hinge;
    double cost = 0;  // C, where it is not the machine's parameter of this name; else 0
    double tube = 0.1;
    double outlier_share = 0.5;            // the largest share of rows that are outliers
    bool offset = true;                    // whether a machine of squares has an offset; the others have one
    std::vector<double> class_costs = {};  // a factor of C for each class; empty: all are 1
    bool balanced = false;                 // whether both sides of each machine cost the same
};

}  // namespace dk

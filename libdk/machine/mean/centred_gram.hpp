// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The kernel matrix H K H, H = I - 11'/n, of rows whose mean in feature space is the origin.
struct CentredGram {
    LargeMatrix values;
    Vector means;  // of the rows of K
};

CentredGram centred_gram(const ConstMatrixRef& gram, Control& control);

/// Turns sum_i gamma_i k_c(x_i, .) + offset, where k_c is the centred kernel, into the same function of k
/// itself: gamma gets the sum zero that canonical prototypes need (Graf et al. 2008, section 2).
void uncentre(std::vector<double>& gamma, double& offset, const Vector& means);

}  // namespace dk

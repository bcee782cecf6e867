// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The kernel matrix H K H, H = I - 11'/n, of the rows after their mean in feature space was subtracted.
struct CentredGram {
    LargeMatrix values;
    Vector means;  // the mean of each row of K
};

/// Centres a kernel matrix. Whoever calls this has asked the memory budget for another matrix.
CentredGram centred_gram(const ConstMatrixRef& gram, Control& control);

/// Turns sum_i gamma_i k_c(x_i, .) + offset, where k_c is the centred kernel, into the same function of k
/// itself. Then gamma has the sum 0, which canonical prototypes need (Graf et al. 2009, section 2).
void uncentre(std::vector<double>& gamma, double& offset, const Vector& means);

}  // namespace dk

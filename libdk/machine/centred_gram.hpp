// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/large_array.hpp"

namespace dk {

/// H K H, H = I - 11'/n: the kernel matrix of rows whose mean in feature space is the origin.
struct CentredGram {
    LargeArray<double> values;  // n x n
    std::vector<double> means;  // of the rows of K
};

CentredGram centred_gram(const double* gram, Index n, Control& control);

/// Turns sum_i gamma_i k_c(x_i, .) + offset into the same function of k itself: gamma gets the sum zero that
/// canonical prototypes need (Graf et al. 2008, section 2).
void uncentre(std::vector<double>& gamma, double& offset, const std::vector<double>& means);

}  // namespace dk

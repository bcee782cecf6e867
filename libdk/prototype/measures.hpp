// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "matrix/matrix.hpp"

namespace dk {

/// A combination sum_k weights_k Phi(x_rows_k) of training rows in feature space. A prototype u_i of a
/// dictionary U is one: `rows` are the positions of its non-zeros, and `weights` their values.
struct RowCombination {
    std::vector<Index> rows;
    Vector weights;

    /// |u|_1 of a combination with weights >= 0
    double mass() const { return weights.sum(); }
};

// Two measures of prototypes with weights >= 0, by Hosseini, Hammer, Interpretable multiple-kernel prototype
// learning for discriminative representation and feature selection, CIKM 2019, section 5.2. Both are means
// over the prototypes and lie between 0 and 1. `class_of` is the class of each training row. The class q to
// which a prototype u is assigned is the one with the largest sum l^q u of its weights.

/// IP, equation (13): how far each prototype is made of rows of one class that are near each other,
///     l^q u / |L u|_1 exp(-sum_st u_s u_t |Phi(x_s) - Phi(x_t)|^2),
/// for prototypes of length 1 in the feature space of a kernel with k(x, x) = 1.
double interpretability(std::span<const RowCombination> prototypes, std::span<const Index> class_of);

/// DR, equation (14): how far each prototype i is used by rows of its own class only,
///     sum_{s of class q} gamma_is / |gamma^i|_1,
/// where row s of `codes` is gamma_s. Every prototype must be used by some row.
double discrimination(std::span<const RowCombination> prototypes, const ConstMatrixRef& codes,
                      std::span<const Index> class_of);

}  // namespace dk

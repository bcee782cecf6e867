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

    /// Gives |u|_1.
    double mass() const { return weights.cwiseAbs().sum(); }
};

// These tell how well people can read prototypes, by numbers between 0 and 1; measures.cpp has the formulas
// and the reference. `class_of` is the class of each training row. A prototype belongs to the class of rows
// whose weights have the largest sum.

/// Computes the largest share of one class in the magnitudes of a prototype's weights. It is NaN where the
/// prototype is made of no row.
double purity(const RowCombination& u, std::span<const Index> class_of);

/// Computes exp(-distances among the rows of a prototype that is brought to length 1), where all rows have
/// length 1 in feature space. It is 1 for a single row, and NaN where the prototype is made of no row, has
/// negative weights, or has no known length.
double compactness(const RowCombination& u, double squared_length);

/// How far prototypes are made of rows of one class that are near each other.
struct Interpretability {
    double measure = 0;      // IP, equation (13): the mean product of the two parts
    double purity = 0;       // the mean share of a prototype's own class in its weights
    double compactness = 0;  // the mean of exp(-distances among the rows of a prototype)
};

/// Computes IP and its parts. Prototypes have length 1 in the feature space of a kernel with k(x, x) = 1.
Interpretability interpretability(std::span<const RowCombination> prototypes,
                                  std::span<const Index> class_of);

/// Computes DR, equation (14): how far each prototype is used by rows of its own class only. Row s of `codes`
/// has the weights of the prototypes in the representation of training row s. Every prototype must be used by
/// some row.
double discrimination(std::span<const RowCombination> prototypes, const ConstMatrixRef& codes,
                      std::span<const Index> class_of);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "prototype/measures.hpp"

#include <algorithm>
#include <cmath>

namespace dk {

namespace {

/// L u: the sum of the weights in each class.
Vector class_masses(const RowCombination& u, std::span<const Index> class_of) {
    Vector masses = Vector::Zero(std::ranges::max(class_of) + 1);
    for (Index k = 0; k < std::ssize(u.rows); ++k) masses[class_of[u.rows[k]]] += u.weights[k];
    return masses;
}

}  // namespace

double interpretability(std::span<const RowCombination> prototypes, std::span<const Index> class_of) {
    double sum = 0;
    for (const RowCombination& u : prototypes) {
        const double mass = u.mass();
        // sum_st u_s u_t |Phi(x_s) - Phi(x_t)|^2 = 2 (sum u)^2 - 2 |Phi u|^2, and |Phi u| = 1
        sum += class_masses(u, class_of).maxCoeff() / mass * std::exp(-2 * (mass * mass - 1));
    }
    return sum / prototypes.size();
}

double discrimination(std::span<const RowCombination> prototypes, const ConstMatrixRef& codes,
                      std::span<const Index> class_of) {
    double sum = 0;
    for (Index i = 0; i < std::ssize(prototypes); ++i) {
        Index q = 0;
        class_masses(prototypes[i], class_of).maxCoeff(&q);
        double own = 0;
        for (Index s = 0; s < codes.rows(); ++s) own += class_of[s] == q ? codes(s, i) : 0;
        sum += own / codes.col(i).sum();
    }
    return sum / prototypes.size();
}

}  // namespace dk

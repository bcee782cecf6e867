// SPDX-License-Identifier: Apache-2.0
// This file measures how well people can read prototypes. Two measures are of k prototypes u_i >= 0 of length
// 1, where the largest element of L u_i is that of the class q to which prototype i is assigned:
//
//     (13)  IP = 1/k sum_i l^q u_i / |L u_i|_1 exp(-sum_st u_si u_ti |Phi(x_s) - Phi(x_t)|^2)
//     (14)  DR = 1/k sum_i sum_{s in class q} gamma_is / |gamma^i|_1
//
//     paper          code
//     u_i            RowCombination, the non-zeros of a prototype
//     L u_i          class_masses(), where row c of L has ones for the rows of class c
//     l^q u_i        the largest element of L u_i
//     |L u_i|_1      RowCombination::mass(), the sum of magnitudes
//     gamma_is       codes(s, i)
//
// Where every row has length 1 in feature space, the distances in (13) need no kernel values: a combination c
// of length |p| has u = c / |p|, and
//
//     sum_st u_s u_t |Phi(x_s) - Phi(x_t)|^2 = 2 (sum_s u_s)^2 - 2 = 2 ((sum_s c_s)^2 / |p|^2 - 1).
//
// Reference: Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative
// representation and feature selection, CIKM 2019, section 5.2.
#include "prototype/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dk {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Computes L |u|, the sum of the weights' magnitudes in each class.
Vector class_masses(const RowCombination& u, std::span<const Index> class_of) {
    Vector masses = Vector::Zero(std::ranges::max(class_of) + 1);
    for (Index k = 0; k < std::ssize(u.rows); ++k) masses[class_of[u.rows[k]]] += std::abs(u.weights[k]);
    return masses;
}

}  // namespace

double purity(const RowCombination& u, std::span<const Index> class_of) {
    const double mass = u.mass();
    return mass > 0 ? class_masses(u, class_of).maxCoeff() / mass : unknown;
}

double compactness(const RowCombination& u, double squared_length) {
    if (u.rows.empty() || u.weights.minCoeff() < 0) return unknown;
    if (u.rows.size() == 1) return 1;
    if (!(squared_length > 0)) return unknown;
    const double mass = u.mass();
    return std::exp(-2 * std::max(0.0, mass * mass / squared_length - 1));
}

Interpretability interpretability(std::span<const RowCombination> prototypes,
                                  std::span<const Index> class_of) {
    Interpretability mean;
    for (const RowCombination& u : prototypes) {
        const double pure = purity(u, class_of);
        const double compact = compactness(u, 1);
        mean.measure += pure * compact / prototypes.size();
        mean.purity += pure / prototypes.size();
        mean.compactness += compact / prototypes.size();
    }
    return mean;
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

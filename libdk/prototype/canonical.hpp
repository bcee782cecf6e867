// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "kernel/engine/gram_engine.hpp"

namespace dk {

/// The generalised prototype view of decision functions f(x) = sum_i gamma_i k(x_i, x) + b (Graf,
/// Bousquet, Raetsch, Schoelkopf 2008). With t the inverse of the larger of the sums of positive and
/// of negative gammas, the positive and negative parts of t gamma are combinations a+ and a-,
/// prototypes p+ and p- of the rows, and
///     2 t f(x) = |x - p-|^2 - |x - p+|^2 + S,   S = 2 t b + |p+|^2 - |p-|^2.
/// Both are convex where the gammas sum to zero, as in the paper. Where they do not (a penalised offset, one
/// class), the one whose coefficients sum to less than 1 has the rest at the origin of feature space.
struct PrototypeSet {
    // one a decision function
    std::vector<double> scales = {};  // t
    std::vector<double> shifts = {};  // S
    std::vector<double> norms = {};   // |w|, the length of the normal vector in feature space
    // one a prototype; function f has prototypes 2 f (p+) and 2 f + 1 (p-)
    std::vector<Index> classes = {};  // -1: all the others
    std::vector<double> squared_norms = {};
    // prototypes x neighbours, nearest first
    Index neighbours = 0;
    std::vector<Index> nearest_rows = {};
    std::vector<double> nearest_distances = {};

    Index count() const { return std::ssize(classes); }
    Index functions() const { return std::ssize(scales); }
};

/// a+ and a- of every function from blocks of gamma (support rows x functions) and the scales t: blocks of
/// support rows x prototypes.
std::vector<WeightBlock> prototype_weights(std::span<const WeightBlock> gamma,
                                           std::span<const double> scales);

/// The canonical form of functions over support rows. `engine` has all training rows on the left and the
/// support rows on the right; support_ids are their positions on the left. Throws Error(numerical) when a
/// gamma is zero. `classes` of the result are left to the caller.
template <typename T>
PrototypeSet canonical_prototypes(const GramEngine<T>& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  Index neighbours, Control& control);

extern template PrototypeSet canonical_prototypes(const GramEngine<double>&, std::span<const Index>,
                                                  std::span<const WeightBlock>, std::span<const double>,
                                                  Index, Control&);
extern template PrototypeSet canonical_prototypes(const GramEngine<float>&, std::span<const Index>,
                                                  std::span<const WeightBlock>, std::span<const double>,
                                                  Index, Control&);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "kernel/lowrank/feature_stream.hpp"

namespace dk {

/// The prototypes of decision functions f(x) = sum_i gamma_i k(x_i, x) + b in canonical form. Each function
/// has two prototypes p+ and p- in feature space, for which t > 0 and a shift S satisfy
///
///     2 t f(x) = |x - p-|^2 - |x - p+|^2 + S.
///
/// canonical.cpp has the derivation and the reference. Machines that learn prototypes of their own fill it
/// too.
struct PrototypeSet {
    // Each decision function has one of these.
    std::vector<double> scales = {};  // These are the factors t.
    std::vector<double> shifts = {};  // These are the shifts S.
    std::vector<double> norms = {};   // These are the lengths |w| of the normal vectors in feature space.
    // Each prototype has one of these. Function f has prototypes 2 f, which is p+, and 2 f + 1, which is p-.
    std::vector<Index> classes =
        {};  // A prototype stands for this class, or for all other classes if it is -1.
    std::vector<double> squared_norms = {};
    // Each prototype has this many nearest training rows, the nearest first; prototypes x neighbours.
    Index neighbours = 0;
    std::vector<Index> nearest_rows = {};
    std::vector<double> nearest_distances = {};

    Index count() const { return std::ssize(classes); }
    Index functions() const { return std::ssize(scales); }
};

/// Computes the scale t of each function. Throws Error(numerical) where no number can hold it.
std::vector<double> canonical_scales(std::span<const WeightBlock> gamma, Index functions);

/// Computes the coefficients a+ and a- of the prototypes from gamma and the scales t. Blocks of gamma are
/// support rows x functions, and the result has blocks of support rows x prototypes.
std::vector<WeightBlock> prototype_weights(std::span<const WeightBlock> gamma,
                                           std::span<const double> scales);

/// Computes the canonical form of functions over support rows. `engine` has all training rows on the left and
/// the support rows on the right; `support_ids` are the positions of the support rows on the left. It leaves
/// `classes` to the caller. Who knows |w| of every function gives that in `lengths`. Where each function is
/// of a pair of classes and no neighbours are asked for, that saves the values between the classes.
PrototypeSet canonical_prototypes(const GramEngine<double>& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  std::span<const double> lengths, Index neighbours, Control& control);
PrototypeSet canonical_prototypes(const GramEngine<float>& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  std::span<const double> lengths, Index neighbours, Control& control);
/// The same for kernels with features.
PrototypeSet canonical_prototypes(const FeatureEngine& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  std::span<const double> lengths, Index neighbours, Control& control);

}  // namespace dk

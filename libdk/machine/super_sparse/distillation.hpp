// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"
#include "model/decision_rule.hpp"

namespace dk {

// Few prototypes that are to decide as another model does (Hinton, Vinyals, Dean, Distilling the knowledge in
// a neural network, 2015, for networks). Their coordinates may be more than small data have rows: they would
// agree with the model on these rows and not between them. A model can be asked anywhere, so copies of the
// rows, moved by noise, join them. And where the model is far from another decision, its value need not be
// met: rows near a boundary weigh more.

/// How many copies of each row there should be: what the options say, or, where that is negative, as many as
/// it takes for three rows a coordinate of the prototypes, twenty at most. Prototypes that stay rows need
/// none, and only dense rows have any.
Index perturbed_copy_count(const Dataset& data, const SuperSparseOptions& options);

/// The rows, then `copies` of each with normal noise of half a column's standard deviation; labels and
/// weights are those of the row.
Dataset with_perturbed_copies(const Dataset& data, Index copies, std::uint64_t seed, Control& control);

/// Multiplies the weight of each row by exp(-focus m / r), m the difference of its two largest decisions (or
/// twice the size of the only one) and r the root mean square of these margins; the weights' sum stays 1.
/// Votes of pairs and regressions have no such margin, and their weights stay.
void focus_on_boundary(SuperSparseTargets& targets, DecisionRule rule, double focus);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"
#include "model/decision/decision_rule.hpp"

namespace dk {

// Distillation makes few prototypes decide as another model does (G. Hinton, O. Vinyals, J. Dean, Distilling
// the knowledge in a neural network, 2015, does so for networks). Prototypes may have more coordinates than
// the data have rows. They would then agree with the model on these rows but not between them. So copies of
// the rows, moved by noise, join them, because a model can be asked anywhere. And rows near a boundary of the
// model weigh more, because its values need not be met where they are far from another decision.

/// Tells how many copies of each row there should be. A negative number in the options stands for as many as
/// bring three rows to each coordinate of the prototypes, and for no more than 20. Only prototypes that move,
/// among dense rows, get any.
Index perturbed_copy_count(const Dataset& data, const SuperSparseOptions& options);

/// Gives the rows and then `copies` of each, to whose elements normal noise of half a column's standard
/// deviation is added. A copy has its row's label and weight.
Dataset with_perturbed_copies(const Dataset& data, Index copies, std::uint64_t seed, Control& control);

/// Multiplies the weight of each row by exp(-focus m / r), where m is the row's margin and r the root mean
/// square of all margins, and divides all weights by their sum. The margin is the difference of a row's two
/// largest decisions, or twice the size of the only one. The weights stay where the rule has no such margin:
/// where pairs vote, and in regression.
void focus_on_boundary(SuperSparseTargets& targets, DecisionRule rule, double focus);

}  // namespace dk

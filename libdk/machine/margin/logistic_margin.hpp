// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/gram/training_gram.hpp"
#include "solve/smooth/logistic.hpp"

namespace dk {

/// Solves logistic regression in the features of a kernel, which are computed again in pieces of rows in
/// every step. The kernel must have a feature map.
LogisticSolution solve_logistic_in_features(const KernelPointer& kernel, const Dataset& data,
                                            const LogisticRows& rows, const LogisticOptions& options,
                                            const MemoryBudget& budget, Control& control);

/// Solves it by the kernel matrix: by its features where it is known by these and they are fewer than the
/// rows or sparse, and else by the whole matrix, of which memory must allow two.
LogisticSolution solve_logistic_by_gram(TrainingGram& gram, const LogisticRows& rows,
                                        const LogisticOptions& options, const MemoryBudget& budget,
                                        Control& control);

}  // namespace dk

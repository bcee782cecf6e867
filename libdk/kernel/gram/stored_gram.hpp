// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kernel/gram/row_source.hpp"
#include "kernel/gram/training_gram.hpp"

namespace dk {

/// A training matrix by its values: all of them where they are few or `whole` says so, else the rows that
/// solvers ask for, as many as the budget allows. `memory` as for make_training_gram(); null: its own.
template <typename T>
std::unique_ptr<TrainingGram> make_stored_gram(std::unique_ptr<const RowSource<T>> source,
                                               const MemoryBudget& budget, bool whole, LargeArray<T>* memory);

extern template std::unique_ptr<TrainingGram> make_stored_gram(std::unique_ptr<const RowSource<double>>,
                                                               const MemoryBudget&, bool,
                                                               LargeArray<double>*);
extern template std::unique_ptr<TrainingGram> make_stored_gram(std::unique_ptr<const RowSource<float>>,
                                                               const MemoryBudget&, bool, LargeArray<float>*);

}  // namespace dk

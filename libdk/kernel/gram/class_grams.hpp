// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "kernel/gram/training_gram.hpp"

namespace dk {

/// The training matrices of any two of some classes. A matrix of two classes is four blocks; those of a class
/// with itself are in the matrices of all its pairs, and are computed once for them, unless the class is
/// large.
class ClassGrams {
  public:
    ClassGrams() = default;
    virtual ~ClassGrams() = default;
    ClassGrams(const ClassGrams&) = delete;
    ClassGrams& operator=(const ClassGrams&) = delete;

    /// The matrix of two classes: its rows are those of the first, then those of the second. Any thread may
    /// ask; `memory` as for make_training_gram().
    virtual std::unique_ptr<TrainingGram> pair(Index first, Index second, const MemoryBudget& budget,
                                               Control& control, std::shared_ptr<RowMemory> memory) const = 0;
};

/// `rows_of_classes`: the rows of the data that each class has. What pairs share takes at most the budget.
std::unique_ptr<ClassGrams> make_class_grams(const KernelPointer& kernel, const Dataset& data,
                                             std::vector<std::vector<Index>> rows_of_classes,
                                             Precision precision, const MemoryBudget& budget,
                                             Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "kernel/gram/training_gram.hpp"

namespace dk {

/// ClassGrams gives the training matrices of any two of some classes. A matrix of two classes is four blocks.
/// The two blocks of a class with itself occur in the matrices of all its pairs, and are computed once for
/// all of them, unless the class is large.
class ClassGrams {
  public:
    ClassGrams() = default;
    virtual ~ClassGrams() = default;
    ClassGrams(const ClassGrams&) = delete;
    ClassGrams& operator=(const ClassGrams&) = delete;

    /// Gives the matrix of two classes: its rows are those of the first, then those of the second. Any thread
    /// may ask. `memory` is what make_training_gram() takes.
    virtual std::unique_ptr<TrainingGram> pair(Index first, Index second, const MemoryBudget& budget,
                                               Control& control, std::shared_ptr<RowMemory> memory) const = 0;
};

/// `rows_of_classes` names the rows of the data that each class has. What pairs share takes no more than the
/// budget; beyond, they share nothing. With `rough_search` solvers search in rough copies of the pairs where
/// there are any, so that those share their values.
std::unique_ptr<ClassGrams> make_class_grams(const KernelPointer& kernel, const Dataset& data,
                                             std::vector<std::vector<Index>> rows_of_classes,
                                             Precision precision, bool rough_search,
                                             const MemoryBudget& budget, Control& control);

}  // namespace dk

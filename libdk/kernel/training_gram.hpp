// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/memory.hpp"
#include "kernel/gram_engine.hpp"
#include "solve/row_source.hpp"

namespace dk {

enum class Precision { real64, real32 };

/// The kernel matrix of the training rows. The memory budget decides whether it is stored whole or
/// by least recently used rows.
class TrainingGram : public RowSource {
  public:
    TrainingGram() = default;
    /// The whole matrix in double precision, row-major, computed at the first call; throws
    /// Error(memory_budget) when it and `further_copies` of it do not fit.
    virtual const double* whole(int further_copies, Control& control) = 0;
};

/// The kernel and the data must outlive the result. `control` as for GramEngine.
std::unique_ptr<TrainingGram> make_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                 Precision precision, const MemoryBudget& budget,
                                                 Control* control = nullptr);

}  // namespace dk

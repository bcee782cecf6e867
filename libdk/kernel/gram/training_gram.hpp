// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/large_array.hpp"
#include "base/memory.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "solve/gram_matrix.hpp"

namespace dk {

enum class Precision { real64, real32 };

/// The kernel matrix of the training rows. It is stored whole where it is small, by rows as solvers ask for
/// them where it is large, and not at all where the kernel has factors.
class TrainingGram : public GramMatrix {
  public:
    TrainingGram() = default;

    /// out = K v
    virtual void product(std::span<const double> v, std::span<double> out, Control& control) = 0;

    /// The whole matrix in double precision, row-major, computed at the first call; throws
    /// Error(memory_budget) when it and `further_copies` of it do not fit.
    virtual const double* whole(int further_copies, Control& control) = 0;
};

/// Memory of one matrix after the other, so that it is not given back and cleared each time.
struct GramMemory {
    LargeArray<float> single;
    LargeArray<double> wide;

    template <typename T>
    LargeArray<T>& of() {
        if constexpr (std::is_same_v<T, float>) {
            return single;
        } else {
            return wide;
        }
    }
};

/// `memory` must outlive the result, and one at a time may use it.
/// `control` as for GramEngine.
std::unique_ptr<TrainingGram> make_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                 Precision precision, const MemoryBudget& budget,
                                                 Control* control = nullptr, GramMemory* memory = nullptr);

/// The same with the whole matrix stored at its first use, for which the caller has asked the budget. Kernels
/// with factors stay so.
std::unique_ptr<TrainingGram> make_whole_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                       Precision precision, const MemoryBudget& budget,
                                                       Control* control);

}  // namespace dk

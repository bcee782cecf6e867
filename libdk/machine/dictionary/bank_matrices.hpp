// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "kernel/engine/gram_engine.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Gives the kernel matrices of a bank one after the other, as often as it is asked. It keeps them where they
/// take little of the memory budget, and computes them each time where they do not.
class BankMatrices {
  public:
    BankMatrices(const Bank& bank, const Dataset& data, const MemoryBudget& budget, Control& control);

    Index kernels() const { return std::ssize(bank_); }
    Index rows() const { return data_.rows(); }
    Control& control() const { return control_; }

    using Reader = std::function<void(Index kernel, const ConstMatrixView& matrix)>;
    /// Gives the reader the matrices of these kernels, whose numbers ascend.
    void read(const std::vector<Index>& kernels, const Reader& reader);
    /// Gives the reader the matrices of all kernels.
    void read(const Reader& reader);
    /// Computes sum_k weights_k K_k.
    LargeMatrix combined(const ConstVectorRef& weights);

  private:
    void compute(std::span<const Index> kernels, MatrixView out);

    const Bank& bank_;
    const Dataset& data_;
    Control& control_;
    Index at_once_ = 1;
    LargeMatrix kept_;  // all matrices one below the other, or none
    bool keeps_ = false;
};

}  // namespace dk

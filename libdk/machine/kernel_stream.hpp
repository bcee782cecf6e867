// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "base/large_array.hpp"
#include "kernel/gram_engine.hpp"

namespace dk {

/// The matrices of a bank, one after the other as often as asked. They are kept where they take little of the
/// memory budget, and computed each time where they do not.
class KernelStream {
  public:
    KernelStream(const Bank& bank, const Dataset& data, const MemoryBudget& budget, Control& control);

    Index kernels() const { return size_of(bank_); }
    Index rows() const { return data_.rows(); }

    using Reader = std::function<void(Index kernel, const double* matrix)>;
    /// The kernels named, in ascending order.
    void read(const std::vector<Index>& kernels, const Reader& reader);
    /// All.
    void read(const Reader& reader);
    /// sum_k weights_k K_k
    LargeArray<double> combined(std::span<const double> weights);

  private:
    Index matrix_size() const { return rows() * rows(); }
    void compute(const std::vector<Index>& kernels, double* out);

    const Bank& bank_;
    const Dataset& data_;
    Control& control_;
    Index at_once_ = 1;
    LargeArray<double> kept_;  // all matrices, or none
    bool keeps_ = false;
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "kernel/gram/training_gram.hpp"

namespace dk {

/// A CombinedGram is the weighted sum sum_k weight_k K_k of training matrices. The weights change, while what
/// is known of each K_k stays. Values are of single precision, except where a kernel has factors.
class CombinedGram final : public GramMatrix {
  public:
    /// The data must outlive the matrix. The weights are zero until they are set.
    CombinedGram(const Bank& bank, const Dataset& data, const MemoryBudget& budget, Control& control);

    Index kernels() const { return std::ssize(grams_); }
    TrainingGram& kernel(Index k) { return *grams_[k]; }
    void set_weights(std::span<const double> weights);

    Index size() const override { return std::ssize(diagonal_); }
    std::span<const double> diagonal() const override { return diagonal_; }
    bool single() const override { return single_; }
    Index largest_block() const override;
    BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage,
                            Control& control) override;
    BlockView<float> block(std::span<const Index> rows, BlockStorage<float>& storage,
                           Control& control) override;
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override;

  private:
    template <typename T>
    BlockView<T> sum_of_blocks(std::span<const Index> rows, BlockStorage<T>& storage,
                               BlockStorage<T>& of_kernel, Control& control);
    void combine_rows(std::span<const Index> rows, Control& control);
    std::vector<const float*> combined_rows(std::span<const Index> rows) const;

    bool single_;
    std::vector<std::unique_ptr<TrainingGram>> grams_;
    std::vector<double> weights_;
    std::vector<double> diagonal_;
    BlockStorage<double> wide_;   // a block of one kernel in double precision
    BlockStorage<float> narrow_;  // a block of one kernel in single precision
    // These have the matrices where all of them fit, and the rows of their sum that are known since the
    // weights changed.
    std::vector<BlockView<float>> matrices_;
    LargeArray<float> combined_;
    std::vector<char> known_;
};

}  // namespace dk

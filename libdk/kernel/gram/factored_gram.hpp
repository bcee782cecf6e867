// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/gram/training_gram.hpp"

namespace dk {

/// A FactoredGram is a training matrix K = F F' of a kernel that maps rows to few features. It keeps only the
/// features F.
class FactoredGram final : public TrainingGram {
  public:
    using TrainingGram::block;

    /// `control` is what GramEngine takes.
    FactoredGram(KernelPointer kernel, const Dataset& data, const MemoryBudget& budget, Control* control);

    bool single() const override { return false; }
    FeatureRows features() const override { return engine_.features(Side::left); }
    Index largest_block() const override { return size(); }
    BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage,
                            Control& control) override;
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override;

  private:
    void compute_whole(double* out, Control& control) override;

    KernelPointer kernel_;
    Dataset data_;
    GramEngine<double> engine_;
};

}  // namespace dk

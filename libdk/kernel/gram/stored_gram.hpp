// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kernel/gram/training_gram.hpp"

namespace dk {

/// A StoredGram is a training matrix with all of its values, which are computed at the first use.
template <typename T>
class StoredGram final : public TrainingGram {
  public:
    using TrainingGram::block;
    using TrainingGram::whole_rows;

    StoredGram(std::unique_ptr<const RowSource<T>> source, const MemoryBudget& budget)
        : TrainingGram(budget), source_(std::move(source)) {
        this->set_diagonal(source_->diagonal());
    }

    bool single() const override { return std::is_same_v<T, float>; }
    Index largest_block() const override { return size(); }
    BlockView<T> block(std::span<const Index> rows, BlockStorage<T>& storage, Control& control) override;
    bool keeps_rows() const override { return true; }
    void whole_rows(std::span<const Index> rows, std::span<const T*> out, Control& control) override;
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override;

  private:
    void compute_whole(double* out, Control& control) override;
    const T* matrix(Control& control);
    std::vector<const T*> rows_of(std::span<const Index> rows, Control& control);

    std::unique_ptr<const RowSource<T>> source_;
    LargeArray<T> matrix_;  // empty until the first use
};

extern template class StoredGram<double>;
extern template class StoredGram<float>;

}  // namespace dk

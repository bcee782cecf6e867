// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kernel/gram/row_cache.hpp"
#include "kernel/gram/training_gram.hpp"

namespace dk {

/// A CachedGram is a training matrix that computes the rows that solvers ask for, and keeps as many as the
/// budget allows.
template <typename T>
class CachedGram final : public TrainingGram {
  public:
    using TrainingGram::block;
    using TrainingGram::whole_rows;

    /// The rows stand in `memory`, or in memory of its own where that is null.
    CachedGram(std::unique_ptr<const RowSource<T>> source, const MemoryBudget& budget,
               std::shared_ptr<RowMemory> memory);
    CachedGram(std::unique_ptr<const RowSource<T>> source, const MemoryBudget& budget, RowCache<T> cache);

    bool single() const override { return std::is_same_v<T, float>; }
    std::vector<double> rounding_bounds() const override { return source_->rounding_bounds(); }
    Index largest_block() const override { return cache_.capacity() / 2; }
    BlockView<T> block(std::span<const Index> rows, BlockStorage<T>& storage, Control& control) override;
    bool keeps_rows() const override { return cache_.capacity() >= size(); }
    void whole_rows(std::span<const Index> rows, std::span<const T*> out, Control& control) override;
    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override;
    /// There is one in any of three cases: where the cache has no room for the whole matrix, where reading
    /// and writing rows takes longer than computing their values, and where values cost little and their
    /// roundings are known. Once it is made, it has most of the memory.
    GramMatrix* rough_copy(Control& control) override;
    std::unique_ptr<GramMatrix> principal_submatrix(std::span<const Index> rows, Control& control) override;
    void add_product_at(std::span<const Index> rows, std::span<const Index> columns,
                        std::span<const double> weights, std::span<double> out,
                        Control& control) const override;

  private:
    void make_rough_copy(Control& control);
    void compute_whole(double* out, Control& control) override;
    std::vector<Index> missing_of(std::span<const Index> rows) const;
    std::vector<const T*> kept_rows(std::span<const Index> rows, Control& control);
    std::vector<const T*> passing_rows(std::span<const Index> rows, LargeArray<T>& computed,
                                       Control& control) const;

    std::unique_ptr<const RowSource<T>> source_;
    RowCache<T> cache_;
    std::unique_ptr<GramMatrix> rough_;  // It is made when it is first asked for.
};

extern template class CachedGram<double>;
extern template class CachedGram<float>;

}  // namespace dk

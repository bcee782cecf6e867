// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/memory.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/gram/row_memory.hpp"
#include "kernel/gram/row_source.hpp"
#include "solve/gram_matrix.hpp"

namespace dk {

enum class Precision { real64, real32 };

/// A TrainingGram is the kernel matrix of the training rows: a StoredGram where it is small, a CachedGram
/// where it is large, and a FactoredGram where the kernel has factors.
class TrainingGram : public GramMatrix {
  public:
    Index size() const override { return std::ssize(diagonal_); }
    std::span<const double> diagonal() const override { return diagonal_; }
    BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage,
                            Control& control) override;
    BlockView<float> block(std::span<const Index> rows, BlockStorage<float>& storage,
                           Control& control) override;

    /// Writes K v to `out`. It asks only for the rows where v is not zero, because a solver's vectors are
    /// sparse, and zero at the start.
    void product(std::span<const double> v, std::span<double> out, Control& control);

    /// Gives the whole matrix in double precision, row-major, which is computed at the first call. Throws
    /// Error(memory_budget) when it and `further_copies` more matrices of its size do not fit.
    const double* whole(int further_copies, Control& control);

  protected:
    /// A derived class must call set_diagonal() in its constructor, since the diagonal also gives the size.
    explicit TrainingGram(const MemoryBudget& budget) : budget_(budget) {}
    void set_diagonal(std::vector<double> diagonal) { diagonal_ = std::move(diagonal); }

    const MemoryBudget& budget() const { return budget_; }

  private:
    /// Writes the whole matrix, row-major.
    virtual void compute_whole(double* out, Control& control) = 0;

    MemoryBudget budget_;
    std::vector<double> diagonal_;
    LargeArray<double> whole_;
};

/// Up to this size a matrix is computed at once, by tiles. Of a larger one the rows are computed when solvers
/// ask for them, because they rarely ask for all.
inline constexpr double largest_stored_bytes = 256.0 * 1024;

/// Makes the kernel matrix of the data's rows. `control` is what GramEngine takes. The rows of a CachedGram
/// stand in `memory`, or in memory of its own where that is null.
std::unique_ptr<TrainingGram> make_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                 Precision precision, const MemoryBudget& budget,
                                                 Control* control = nullptr,
                                                 std::shared_ptr<RowMemory> memory = nullptr);

/// Makes the matrix of a row source, stored or cached.
template <typename T>
std::unique_ptr<TrainingGram> make_training_gram(std::unique_ptr<const RowSource<T>> source,
                                                 const MemoryBudget& budget,
                                                 std::shared_ptr<RowMemory> memory);

/// Makes a StoredGram of any size, for which the caller has asked the memory budget, or a FactoredGram where
/// the kernel has factors.
std::unique_ptr<TrainingGram> make_whole_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                       Precision precision, const MemoryBudget& budget,
                                                       Control* control);

extern template std::unique_ptr<TrainingGram> make_training_gram(std::unique_ptr<const RowSource<double>>,
                                                                 const MemoryBudget&,
                                                                 std::shared_ptr<RowMemory>);
extern template std::unique_ptr<TrainingGram> make_training_gram(std::unique_ptr<const RowSource<float>>,
                                                                 const MemoryBudget&,
                                                                 std::shared_ptr<RowMemory>);

}  // namespace dk

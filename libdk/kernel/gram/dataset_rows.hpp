// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/engine/gram_engine.hpp"
#include "kernel/gram/row_source.hpp"

namespace dk {

/// Tells whether the kernel's values for these rows can be computed again in single precision, which holds
/// them and the squares of the features. `diagonal` has k(x, x) of every row.
bool fits_single_precision(const Kernel& kernel, const Dataset& data, std::span<const double> diagonal);

/// DatasetRows computes the kernel matrix of a dataset's rows.
template <typename T>
class DatasetRows final : public RowSource<T> {
  public:
    /// `control` is what GramEngine takes.
    DatasetRows(KernelPointer kernel, Dataset data, Control* control);
    /// Takes some rows of another source, with the same values.
    DatasetRows(const DatasetRows& whole, std::span<const Index> rows, Control* control);

    const GramEngine<T>& engine() const { return engine_; }
    const Dataset& data() const { return data_; }
    Index size() const override { return data_.rows(); }
    std::vector<double> diagonal() const override;
    std::vector<double> rounding_bounds() const override { return engine_.rounding_bounds(Side::left); }
    void rows(std::span<const Index> rows, T* out, Control& control) const override;
    void block(std::span<const Index> rows, T* out, Control& control) const override;
    void matrix(T* out, Control& control) const override;
    std::unique_ptr<const RowSource<T>> principal_submatrix(std::span<const Index> rows,
                                                            Control& control) const override;
    bool cheap() const override { return kernel_->cheap(); }
    std::unique_ptr<const RowSource<float>> single(Control& control) const override;
    std::vector<double> product(std::span<const Index> rows, std::span<const Index> columns,
                                std::span<const double> weights, Control& control) const override;

  private:
    KernelPointer kernel_;
    Dataset data_;
    GramEngine<T> engine_;
};

extern template class DatasetRows<double>;
extern template class DatasetRows<float>;

}  // namespace dk

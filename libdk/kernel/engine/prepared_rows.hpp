// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "kernel/kernel.hpp"

namespace dk {

/// What kernels read of the rows on the right side, made once where the rows stay the same from call to call:
/// a model's, so that one row of a prediction costs what a row of a batch costs. It never changes, so that
/// any number of threads may use it.
template <typename T>
class PreparedRows {
  public:
    /// `rows` must outlive it. Kernels of other data than vectors, and kernels that have factors, prepare
    /// nothing.
    PreparedRows(const Kernel& kernel, const Dataset& rows);

    const Dataset& data() const { return *data_; }

  private:
    friend class Operands<T>;

    const Dataset* data_;
    std::shared_ptr<const DenseMatrix> dense_copy_;
    std::map<Columns, std::vector<double>> offsets_;
    std::map<std::pair<Columns, bool>, std::shared_ptr<const Panel<T>>> panels_;
};

extern template class PreparedRows<double>;
extern template class PreparedRows<float>;

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "kernel/engine/kernel.hpp"

namespace dk {

/// The panels that a kernel reads of the rows on the right side. A model makes them once for its rows, which
/// stay the same from call to call, so that predicting one row costs what a row of a batch costs. The object
/// never changes, so that any number of threads may use it at once.
template <typename T>
class PreparedRows {
  public:
    /// `rows` must outlive the object. It stays empty for kernels that have factors, and for rows that are
    /// not vectors.
    PreparedRows(const Kernel& kernel, const Dataset& rows, Control& control);

    const Dataset& data() const { return *data_; }

  private:
    friend class Operands<T>;

    const Dataset* data_;
    std::shared_ptr<const DenseMatrix> dense_copy_;
    std::map<Columns, std::vector<double>> offsets_;
    std::map<PanelKey, std::shared_ptr<const Panel<T>>> panels_;
};

extern template class PreparedRows<double>;
extern template class PreparedRows<float>;

}  // namespace dk

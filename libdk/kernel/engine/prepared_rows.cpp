// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/prepared_rows.hpp"

#include <array>

namespace dk {

template <typename T>
PreparedRows<T>::PreparedRows(const Kernel& kernel, const Dataset& rows, Control& control) : data_(&rows) {
    const bool vectors = rows.kind() == DataKind::dense || rows.kind() == DataKind::sparse;
    if (!vectors || rows.rows() == 0 || kernel.factored()) return;
    // Evaluators request their panels when they are bound. The right panels do not depend on the left rows,
    // so any row may stand there.
    const Dataset any = rows.select(std::array{Index{0}});
    Operands<T> operands(any, rows, &control);
    operands.prepares_ = true;
    kernel.bind(operands);
    dense_copy_ = std::move(operands.dense_copy_);
    offsets_ = std::move(operands.offsets_);
    for (const auto& [key, id] : operands.known_) panels_.emplace(key, operands.pairs_[id][1]);
}

template class PreparedRows<double>;
template class PreparedRows<float>;

}  // namespace dk

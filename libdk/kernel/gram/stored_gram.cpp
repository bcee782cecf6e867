// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/stored_gram.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "kernel/gram/gram_blocks.hpp"
#include "matrix/weighted_rows.hpp"

namespace dk {

template <typename T>
BlockView<T> StoredGram<T>::block(std::span<const Index> rows, BlockStorage<T>& storage, Control& control) {
    const ProgressHold hold(control);
    if (are_all_rows(rows, size())) return {matrix(control), size()};
    return gathered<T>(rows_of(rows, control), rows, storage, control);
}

template <typename T>
void StoredGram<T>::whole_rows(std::span<const Index> rows, std::span<const T*> out, Control& control) {
    const ProgressHold hold(control);
    std::ranges::copy(rows_of(rows, control), out.begin());
}

template <typename T>
void StoredGram<T>::add_product(std::span<const Index> rows, std::span<const double> weights,
                                std::span<double> out, Control& control) {
    const ProgressHold hold(control);
    add_weighted_rows<T>(rows_of(rows, control), weights, out, control);
}

template <typename T>
void StoredGram<T>::compute_whole(double* out, Control& control) {
    if constexpr (std::is_same_v<T, double>) {
        source_->matrix(out, control);
    } else {
        const T* narrow = matrix(control);
        parallel_for_rows(size(), size(), control, [&](Index i) {
            std::copy(narrow + i * size(), narrow + (i + 1) * size(), out + i * size());
        });
    }
}

template <typename T>
const T* StoredGram<T>::matrix(Control& control) {
    if (matrix_.empty()) {
        LargeArray<T> computed(size() * size() + block_slack);
        source_->matrix(computed.data(), control);
        matrix_ = std::move(computed);
    }
    return matrix_.data();
}

template <typename T>
std::vector<const T*> StoredGram<T>::rows_of(std::span<const Index> rows, Control& control) {
    std::vector<const T*> found;
    found.reserve(rows.size());
    const T* all = matrix(control);
    for (const Index i : rows) found.push_back(all + i * size());
    return found;
}

template class StoredGram<double>;
template class StoredGram<float>;

}  // namespace dk

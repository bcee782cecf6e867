// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/workspace.hpp"

#include <algorithm>
#include <utility>

#include "kernel/engine/sparse_product.hpp"

namespace dk {

namespace {

bool consecutive(std::span<const Index> rows) {
    return rows.back() - rows.front() == std::ssize(rows) - 1 &&
           std::ranges::adjacent_find(rows, [](Index a, Index b) { return b != a + 1; }) == rows.end();
}

}  // namespace

template <typename T>
void Workspace<T>::start(const Block& block) {
    block_ = block;
    for (auto& tile : cache_) tile.content.reset();
}

template <typename T>
const T* Workspace<T>::left_dense_rows(const Panel<T>& panel) {
    const auto& rows = block_.left_rows;
    if (panel.sparse == nullptr && consecutive(rows)) return panel.dense + rows.front() * panel.depth;
    if (gathered_panel_ == &panel && std::ranges::equal(gathered_rows_, rows)) return gathered_.data();
    gathered_panel_ = nullptr;
    gathered_.resize(block_.rows() * panel.depth);
    for (Index r = 0; r < block_.rows(); ++r) {
        T* out = gathered_.data() + r * panel.depth;
        if (panel.sparse != nullptr) {
            panel.densify(rows[r], out);
        } else {
            std::copy_n(panel.dense + rows[r] * panel.depth, panel.depth, out);
        }
    }
    gathered_rows_.assign(rows.begin(), rows.end());
    gathered_panel_ = &panel;
    return gathered_.data();
}

template <typename T>
void Workspace<T>::multiply(std::size_t product, T* out) {
    const auto& left = operands_.panel(Side::left, product);
    const auto& right = operands_.panel(Side::right, product);
    const MatrixViewOf<T> result = view(out, block_.rows(), block_.cols);
    if (right.sparse != nullptr) {
        sparse_product(*left.sparse, block_.left_rows.data(), block_.rows(), *right.sparse, block_.right_row,
                       block_.cols, spread_, out, block_.cols);
    } else if (right.packed && left.packed && consecutive(block_.left_rows)) {
        multiply_transposed(view(left.dense, left.rows, left.depth), *left.packed, block_.left_rows.front(),
                            *right.packed, block_.right_row, result);
    } else if (right.packed && left.dense != nullptr) {
        multiply_transposed(view(left.dense, left.rows, left.depth), block_.left_rows, *right.packed,
                            block_.right_row, result);
    } else {
        multiply_transposed(view(left_dense_rows(left), block_.rows(), left.depth),
                            view(right.dense + block_.right_row * right.depth, block_.cols, right.depth),
                            result);
    }
}

template <typename T>
template <typename Compute>
const T* Workspace<T>::cached(Content content, Compute compute) {
    for (const auto& tile : cache_) {
        if (tile.content == content) return tile.values.data();
    }
    auto& tile = cache_[oldest_];
    oldest_ = (oldest_ + 1) % cache_.size();
    tile.content.reset();
    tile.values.resize(tile_size());
    compute(tile.values.data());
    tile.content = content;
    return tile.values.data();
}

template <typename T>
const T* Workspace<T>::inner_products(std::size_t product) {
    return cached({product, {}}, [&](T* out) { multiply(product, out); });
}

template <typename T>
ConstMatrixViewOf<T> Workspace<T>::transposed_right_rows(const Panel<T>& right) {
    if (!right.transposed.empty())
        return view(right.transposed.data() + block_.right_row, right.depth, block_.cols, right.rows);
    transposed_.resize(right.depth * block_.cols);
    tile_maps<T>().transpose(right.dense + block_.right_row * right.depth, block_.cols, right.depth,
                             transposed_.data());
    return view(std::as_const(transposed_).data(), right.depth, block_.cols);
}

template <typename T>
const T* Workspace<T>::pair_sums(PairTerm term, std::size_t product) {
    return cached({product, term}, [&](T* out) {
        const auto& left = operands_.panel(Side::left, product);
        const auto& right = operands_.panel(Side::right, product);
        if (right.sparse != nullptr) {
            sparse_pair_sums(term, *left.sparse, block_.left_rows, *right.sparse, block_.right_row,
                             block_.cols, out);
            return;
        }
        const auto columns = transposed_right_rows(right);
        tile_maps<T>().pair_sums(term, left_dense_rows(left), left.depth, block_.rows(), columns.data(),
                                 columns.outerStride(), block_.cols, left.depth, out, block_.cols);
    });
}

template <typename T>
std::span<const double> Workspace<T>::squared_norms(Side side, std::size_t product) {
    const auto& norms = operands_.panel(side, product).squared_norms;
    if (side == Side::right) return std::span(norms).subspan(block_.right_row, block_.cols);
    gathered_norms_ = select_values(norms, block_.left_rows);
    return gathered_norms_;
}

template <typename T>
typename Workspace<T>::Scratch Workspace<T>::scratch() {
    std::vector<T> values;
    if (free_tiles_.empty()) {
        free_tiles_.reserve(++tiles_);  // A tile that is given back must find room.
    } else {
        values = std::move(free_tiles_.back());
        free_tiles_.pop_back();
    }
    values.resize(tile_size());
    return Scratch(*this, std::move(values));
}

template class Workspace<double>;
template class Workspace<float>;

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram_engine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/maps.hpp"
#include "kernel/product.hpp"

namespace dk {

namespace {

// A tile of inner products and one of results stay in the second-level cache.
constexpr Index tile_edge = 128;
constexpr Index tile_values = tile_edge * tile_edge;

Index tiles_for(Index count, Index edge = tile_edge) {
    return (count + edge - 1) / edge;
}

void require_matching(const Dataset& left, const Dataset& right) {
    if (left.kind() != right.kind()) {
        fail(Status::dimension, "the datasets are of different kinds, ", name_of(left.kind()), " and ",
             name_of(right.kind()));
    }
    const bool fits =
        left.kind() == DataKind::gram
            ? right.gram().row_ids.empty() || std::ranges::max(right.gram().row_ids) < left.cols()
            : left.kind() == DataKind::sparse || left.cols() == right.cols();
    if (!fits) {
        fail(Status::dimension, "the datasets have ", left.cols(), " and ", right.cols(),
             left.kind() == DataKind::gram ? " similarities a row" : " columns");
    }
}

/// Results larger than this are not found in a cache by whoever reads them, so they are written past it.
constexpr Index streamed_bytes = Index{32} << 20;

/// Writes tiles where they belong in a result: streamed when the result is large.
template <typename T>
class TileWriter {
  public:
    TileWriter(Index values, Index stride)
        : stride_(stride), streams_(values * static_cast<Index>(sizeof(T)) > streamed_bytes) {}

    void write(const T* tile, Index rows, Index cols, T* out) const {
        if (streams_) {
            tile_maps<T>().stream_rows(tile, rows, cols, out, stride_);
        } else {
            for (Index i = 0; i < rows; ++i)
                std::copy(tile + i * cols, tile + (i + 1) * cols, out + i * stride_);
        }
    }
    /// Before another thread may read what this one wrote.
    void finish() const {
        if (streams_) flush_streams();
    }

  private:
    Index stride_;
    bool streams_;
};

}  // namespace

template <typename T>
GramEngine<T>::GramEngine(Bank bank, const Dataset& left, const Dataset& right)
    : operands_(left, right), bank_(std::move(bank)) {
    require_matching(left, right);
    for (const auto& kernel : bank_) {
        if (!kernel->works_on(left.kind())) {
            fail(Status::unsupported, "kernel ", kernel->text(), " does not work on ", name_of(left.kind()),
                 " data");
        }
        evaluators_.push_back(kernel->bind(operands_));
    }
    all_rows_.resize(unsigned_of(left.rows()));
    std::iota(all_rows_.begin(), all_rows_.end(), Index{0});
    if (!operands_.symmetric()) return;
    for (std::size_t k = 0; k < evaluators_.size(); ++k) {
        diagonals_.push_back(evaluators_[k]->self(Side::left));
        const auto bad = std::ranges::find_if_not(diagonals_.back(), [](double v) {
            return std::isfinite(static_cast<double>(static_cast<T>(v)));
        });
        if (bad == diagonals_.back().end()) continue;
        fail(Status::numerical, "kernel ", bank_[k]->text(), " overflows: k(x, x) of row ",
             bad - diagonals_.back().begin(), " is ", *bad, "; scale the data or normalize the kernel");
    }
}

template <typename T>
void GramEngine<T>::evaluate(Index kernel, Workspace<T>& workspace, T* out, Index stride) const {
    evaluators_[unsigned_of(kernel)]->evaluate(workspace, out, stride);
    if (!operands_.symmetric()) return;
    // k(x, x) as self() gives it: products of a row with itself would be off by rounding
    const Block& block = workspace.block();
    for (Index i = 0; i < block.rows(); ++i) {
        const Index row = block.left_rows[unsigned_of(i)];
        const Index col = row - block.right_row;
        if (col < 0 || col >= block.cols) continue;
        out[i * stride + col] = static_cast<T>(diagonals_[unsigned_of(kernel)][unsigned_of(row)]);
    }
}

template <typename T>
void GramEngine<T>::mirrored_tile(Workspace<T>& workspace, Index row, Index col, T* out) const {
    const Index height = std::min(tile_edge, rows() - row);
    const Index width = std::min(tile_edge, cols() - col);
    const TileWriter<T> writer(kernels() * rows() * cols(), cols());
    workspace.start({std::span(all_rows_).subspan(unsigned_of(row), unsigned_of(height)), col, width});
    auto tile = workspace.scratch();
    auto transposed = workspace.scratch();
    for (Index k = 0; k < kernels(); ++k) {
        T* matrix = out + k * rows() * cols();
        evaluate(k, workspace, tile.data(), width);
        if (operands_.symmetric()) {
            tile_maps<T>().transpose(tile.data(), height, width, transposed.data());
            if (row == col) {  // the upper half decides, so that the matrix is symmetric to the last bit
                for (Index i = 0; i < height; ++i) {
                    std::copy(transposed.data() + i * width, transposed.data() + i * width + i,
                              tile.data() + i * width);
                }
            } else {
                writer.write(transposed.data(), width, height, matrix + col * cols() + row);
            }
        }
        writer.write(tile.data(), height, width, matrix + row * cols() + col);
    }
    writer.finish();
}

template <typename T>
void GramEngine<T>::matrices(T* out, Control& control) const {
    const Index tile_rows = tiles_for(rows());
    const Index tile_cols = tiles_for(cols());
    const auto workspace = [this] { return Workspace<T>(operands_); };
    if (!operands_.symmetric()) {
        parallel_for_with(tile_rows * tile_cols, control, workspace, [&](Workspace<T>& w, Index t) {
            mirrored_tile(w, t / tile_cols * tile_edge, t % tile_cols * tile_edge, out);
        });
        return;
    }
    parallel_for_with(tile_rows * (tile_rows + 1) / 2, control, workspace, [&](Workspace<T>& w, Index t) {
        // tile t of the upper triangle, counted by columns: column c holds tiles c (c + 1) / 2 ...
        auto col = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(t) + 1) - 1) / 2);
        while (col * (col + 1) / 2 > t) --col;
        while ((col + 1) * (col + 2) / 2 <= t) ++col;
        mirrored_tile(w, (t - col * (col + 1) / 2) * tile_edge, col * tile_edge, out);
    });
}

template <typename T>
void GramEngine<T>::rows_of(std::span<const Index> wanted, T* out, Control& control) const {
    const Index height = std::min(size_of(wanted), tile_edge);
    const Index width = std::max(tile_edge, tile_values / std::max<Index>(height, 1));
    const Index tile_cols = tiles_for(cols(), width);
    const Index count = tiles_for(size_of(wanted)) * tile_cols;
    const auto body = [&](Workspace<T>& workspace, Index t) {
        const Index row = t / tile_cols * tile_edge;
        const Index col = t % tile_cols * width;
        const auto block_rows =
            wanted.subspan(unsigned_of(row), unsigned_of(std::min(tile_edge, size_of(wanted) - row)));
        workspace.start({block_rows, col, std::min(width, cols() - col)});
        evaluate(0, workspace, out + row * cols() + col, cols());
    };
    parallel_for_with(
        count, control, [this] { return Workspace<T>(operands_); }, body);
}

template <typename T>
void GramEngine<T>::product(const double* v, Index v_cols, double* out, Control& control) const {
    struct State {
        Workspace<T> workspace;
        std::vector<T> tile;
        std::vector<double> widened;
    };
    const auto make_state = [this] {
        return State{Workspace<T>(operands_), std::vector<T>(tile_values), {}};
    };
    parallel_for_with(tiles_for(rows()), control, make_state, [&](State& state, Index t) {
        const Index row = t * tile_edge;
        const Index height = std::min(tile_edge, rows() - row);
        double* result = out + row * v_cols;
        std::fill(result, result + height * v_cols, 0.0);
        const Index width = std::max(tile_edge, tile_values / height);
        state.tile.resize(unsigned_of(height * width));
        for (Index col = 0; col < cols(); col += width) {
            if (control.stopping()) return;
            const Index used = std::min(width, cols() - col);
            state.workspace.start(
                {std::span(all_rows_).subspan(unsigned_of(row), unsigned_of(height)), col, used});
            evaluate(0, state.workspace, state.tile.data(), used);
            const double* values = nullptr;
            if constexpr (std::is_same_v<T, double>) {
                values = state.tile.data();
            } else {
                state.widened.assign(state.tile.begin(), state.tile.end());
                values = state.widened.data();
            }
            accumulate_product(values, used, height, used, v + col * v_cols, v_cols, v_cols, result, v_cols);
        }
    });
}

template class GramEngine<double>;
template class GramEngine<float>;

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"
#include "kernel/engine/maps.hpp"
#include "kernel/engine/operands.hpp"

namespace dk {

/// The pairs of one tile: some left rows (in any order) with consecutive right rows.
struct Block {
    std::span<const Index> left_rows;
    Index right_row = 0;
    Index cols = 0;

    Index rows() const { return std::ssize(left_rows); }
};

/// What one thread needs to evaluate kernels on tiles: the inner products of the current block,
/// computed when first asked for and shared by all kernels, and scratch tiles.
template <typename T>
class Workspace {
  public:
    explicit Workspace(const Operands<T>& operands, const Control* control = nullptr)
        : operands_(operands), control_(control) {}

    /// Moves on to another block; forgets its products.
    void start(const Block& block);

    const Block& block() const { return block_; }
    const Operands<T>& operands() const { return operands_; }
    /// Whether the work shall end; what is left of the tile may then stay as it is.
    bool stopping() const { return control_ && control_->stopping(); }

    /// Inner products of the block, rows() x cols without gaps.
    const T* inner_products(std::size_t product);

    /// Sums over the columns of each pair, rows() x cols without gaps, shared like the products. Squared
    /// distances of dense rows with few columns are faster this way than by a product, and keep all digits.
    const T* pair_sums(PairSum sum, std::size_t product);
    static bool subtracts(const Panel<T>& panel) {
        return panel.dense != nullptr && panel.depth <= most_summed_columns;
    }

    /// Squared norms of the block's rows on one side.
    std::span<const double> squared_norms(Side side, std::size_t product);

    /// A row of doubles of the block's width, for one evaluator at a time.
    std::vector<double>& row_of_doubles() {
        row_of_doubles_.resize(block_.cols);
        return row_of_doubles_;
    }

    /// Scratch of sparse products: zero before and after.
    std::vector<double>& spread() { return spread_; }

    /// A tile of the block's size for intermediate values; goes back when the holder ends.
    class Scratch {
      public:
        Scratch(Workspace& workspace, std::vector<T> values)
            : workspace_(&workspace), values_(std::move(values)) {}
        ~Scratch() { workspace_->free_tiles_.push_back(std::move(values_)); }
        Scratch(const Scratch&) = delete;
        Scratch& operator=(const Scratch&) = delete;
        T* data() { return values_.data(); }

      private:
        Workspace* workspace_;
        std::vector<T> values_;
    };
    Scratch scratch();

  private:
    struct Content {
        std::size_t product;
        std::optional<PairSum> sum;  // none: inner products
        bool operator==(const Content&) const = default;
    };
    struct CachedTile {
        std::optional<Content> content;
        std::vector<T> values;
    };

    Index tile_size() const { return block_.rows() * block_.cols; }
    const T* left_dense_rows(const Panel<T>& panel);
    /// The cached tile, or one that `compute` fills.
    template <typename Compute>
    const T* cached(Content content, Compute compute);
    void multiply(std::size_t product, T* out);
    /// Right rows of the block with columns one after the other, so that a vector holds neighbouring rows.
    ConstMatrixViewOf<T> transposed_right_rows(const Panel<T>& right);

    const Operands<T>& operands_;
    const Control* control_;
    Block block_;
    std::array<CachedTile, 2> cache_;  // a bank looks at one or two sets of columns at a time
    std::size_t oldest_ = 0;
    std::vector<T> gathered_;
    std::vector<T> transposed_;
    std::vector<double> gathered_norms_;
    std::vector<double> spread_;  // of sparse products
    std::vector<double> row_of_doubles_;
    std::vector<std::vector<T>> free_tiles_;
};

extern template class Workspace<double>;
extern template class Workspace<float>;

}  // namespace dk

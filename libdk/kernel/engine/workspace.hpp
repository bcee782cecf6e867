// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"
#include "kernel/engine/operands.hpp"
#include "kernel/maps/maps.hpp"

namespace dk {

/// The pairs of one tile, which are those of some left rows, in any order, with consecutive right rows.
struct Block {
    std::span<const Index> left_rows;
    Index right_row = 0;  // the first right row
    Index cols = 0;       // number of right rows

    Index rows() const { return std::ssize(left_rows); }
};

/// What one thread needs to evaluate kernels on tiles: the inner products of the current block, which are
/// computed when first asked for and shared by all kernels, and scratch tiles.
template <typename T>
class Workspace {
  public:
    explicit Workspace(const Operands<T>& operands) : operands_(operands) {}

    /// Lets a call's control end the work.
    void set_control(const Control& control) { control_ = &control; }

    /// Moves on to another block, and forgets the products of the last one.
    void start(const Block& block);

    const Block& block() const { return block_; }
    const Operands<T>& operands() const { return operands_; }
    /// Tells whether the work shall end. Evaluators may then leave their tile unfinished.
    bool stopping() const { return control_ && control_->stopping(); }

    /// Gives the inner products of the block's rows, rows() x cols without gaps.
    const T* inner_products(std::size_t product);

    /// Gives sums over the columns for each pair of the block, rows() x cols without gaps. Kernels share them
    /// like the products.
    const T* pair_sums(PairTerm term, std::size_t product);
    /// Tells whether pair_sums() should give the squared distances to these rows, because they are dense and
    /// have few columns: sums are then faster than a product, and keep all digits.
    static bool subtracts(const Panel<T>& panel) {
        return panel.dense != nullptr && panel.depth <= most_summed_columns;
    }

    /// Gives the squared norms of the block's rows on one side.
    std::span<const double> squared_norms(Side side, std::size_t product);

    /// Gives scratch of the block's width, which only one evaluator may use at a time.
    std::vector<double>& row_of_doubles() {
        row_of_doubles_.resize(block_.cols);
        return row_of_doubles_;
    }

    /// Gives the scratch of sparse_product(), which finds it all zero and leaves it so.
    std::vector<double>& spread() { return spread_; }

    /// A tile of the block's size for intermediate values. Its memory returns to the workspace at the end of
    /// its life, so that the next tile need not ask the system.
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
        std::optional<PairTerm> sum;  // none for inner products
        bool operator==(const Content&) const = default;
    };
    struct CachedTile {
        std::optional<Content> content;
        std::vector<T> values;
    };

    Index tile_size() const { return block_.rows() * block_.cols; }
    const T* left_dense_rows(const Panel<T>& panel);
    /// Gives the cached tile with this content, or lets `compute` fill the one that was filled first.
    template <typename Compute>
    const T* cached(Content content, Compute compute);
    void multiply(std::size_t product, T* out);
    /// Gives the right rows of the block transposed, so that a vector register holds a column's values of
    /// neighbouring rows.
    ConstMatrixViewOf<T> transposed_right_rows(const Panel<T>& right);

    const Operands<T>& operands_;
    const Control* control_ = nullptr;
    Block block_;
    std::array<CachedTile, 2> cache_;  // Neighbouring kernels of a bank look at one or two sets of columns.
    std::size_t oldest_ = 0;
    // Left rows that do not stand one after the other in memory as dense rows are gathered. Neighbouring
    // blocks often have the same left rows.
    std::vector<T> gathered_;
    std::vector<Index> gathered_rows_;
    const Panel<T>* gathered_panel_ = nullptr;
    std::vector<T> transposed_;
    std::vector<double> gathered_norms_;
    std::vector<double> spread_;  // scratch of sparse products
    std::vector<double> row_of_doubles_;
    std::vector<std::vector<T>> free_tiles_;
    std::size_t tiles_ = 0;  // This many scratch tiles were made.
};

extern template class Workspace<double>;
extern template class Workspace<float>;

}  // namespace dk

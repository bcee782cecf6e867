// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "kernel/engine/kernel.hpp"
#include "kernel/engine/prepared_rows.hpp"
#include "kernel/engine/workspace_pool.hpp"

namespace dk {

/// A part of the weights v of a product K v. It has the weights that some consecutive columns of K have in
/// some columns of the product; weights in no block are zero. Machines for many classes have many functions,
/// each of which needs only a few rows, so that whole columns of weights would be mostly zeros.
struct WeightBlock {
    Index first = 0;                   // the first column of the matrix
    Index rows = 0;                    // number of columns of the matrix
    std::vector<Index> columns = {};   // columns of the product
    std::vector<double> weights = {};  // rows x columns, row-major
};

/// Reads the rows first, first + 1, ... of a product, and may change them.
using ProductReader = std::function<void(Index first, std::span<double> rows)>;

/// Computes the values of kernels between the rows of two datasets. It works by tiles: a product gives the
/// inner products of a tile, and a vectorised map makes kernel values of them. Tiles have fixed sizes, and
/// one thread computes a whole tile, so results are the same bits for any number of threads.
template <typename T>
class GramEngine {
  public:
    /// Reads a tile whose first value stands at this row and column of the matrix.
    using TileReader = std::function<void(Index row, Index col, const ConstMatrixViewOf<T>& tile)>;

    /// Both datasets must outlive the engine. Where both are the same object, the matrix is symmetric. The
    /// constructor throws when a kernel does not work on the data, and when some k(x, x) overflows. Kernels
    /// that prepare much do so under `control`, that of the call; without one they have one thread and cannot
    /// be cancelled.
    GramEngine(Bank bank, const Dataset& left, const Dataset& right, Control* control = nullptr);
    GramEngine(KernelPointer kernel, const Dataset& left, const Dataset& right, Control* control = nullptr)
        : GramEngine(Bank{std::move(kernel)}, left, right, control) {}
    /// The rows are some of those of `whole`, which has the same kernel; values are the same to the last bit.
    GramEngine(const GramEngine& whole, const Dataset& left, const Dataset& right, Control* control)
        : operands_(left, right, control, &whole.operands_), bank_(whole.bank_), tile_edge_(usual_tile_edge) {
        bind();
    }
    /// The rows of the right side are prepared for this kernel.
    GramEngine(KernelPointer kernel, const Dataset& left, const PreparedRows<T>& right, Control* control);

    Index rows() const { return operands_.data(Side::left).rows(); }
    Index cols() const { return operands_.data(Side::right).rows(); }
    Index kernels() const { return std::ssize(evaluators_); }

    /// Tells whether both sides are the same dataset.
    bool symmetric() const { return operands_.symmetric(); }
    /// Says who computes so many pairs' values of all kernels: the calling thread alone where a kernel asks
    /// for that, all threads where a pair costs much, and else as many as the work is worth.
    Workforce workforce_for_pairs(double pairs, const Control& control) const;

    /// Gives k(x, x) for every row x of one side.
    std::vector<double> self(Side side, Index kernel = 0) const { return evaluators_[kernel]->self(side); }

    /// Gives Evaluator::rounding_bounds() of the first kernel.
    std::vector<double> rounding_bounds(Side side) const {
        return evaluators_.front()->rounding_bounds(side);
    }

    /// Writes the whole matrices of all kernels to `out`, one after the other, each row-major without gaps.
    /// Of symmetric matrices half is computed, and the other half is its mirror image.
    void matrices(T* out, Control& control) const;

    /// Writes the principal submatrices of rows first to first + count - 1 likewise. Both sides must be the
    /// same dataset.
    void matrices_within(Index first, Index count, T* out, Control& control) const;

    /// Computes the first kernel's matrix by tiles and gives each one to `reader`, which several threads call
    /// at once. Both sides must be the same dataset; the tiles are those on the diagonal and above it.
    void upper_tiles(const TileReader& reader, Control& control) const;

    /// Tells whether a pair costs much more than its product, as an alignment of two series does.
    bool costly_pairs() const { return operands_.small_tiles(); }
    /// Tells whether only the thread that called libdk may evaluate.
    bool calling_thread_only() const { return operands_.calling_thread_only(); }

    /// Writes some rows of the first kernel's matrix: row r of `out` becomes row rows[r] of the matrix.
    void rows_of(std::span<const Index> rows, T* out, Control& control) const {
        rows_of(rows, 0, cols(), out, cols(), control);
    }
    /// Writes only the columns first_col to first_col + col_count - 1 of these rows; the rows of `out` are
    /// `stride` values apart.
    void rows_of(std::span<const Index> rows, Index first_col, Index col_count, T* out, Index stride,
                 Control& control) const;

    /// Computes out = K v for the first kernel's matrix K, which is never stored, and row-major v (cols() x
    /// v_cols).
    void product(const double* v, Index v_cols, double* out, Control& control) const;

    /// Computes out = K v for v (cols() x v_cols) that is given in blocks.
    void product(std::span<const WeightBlock> v, Index v_cols, double* out, Control& control) const;
    /// Computes `count` rows of K v, from row `first` on, by values of pairs.
    void product(std::span<const WeightBlock> v, Index v_cols, Index first, Index count, double* out,
                 Control& control) const {
        product_by_tiles(v, v_cols, first, count, out, control);
    }
    /// Computes K v in pieces of some rows, which saves memory: `reader` gets each piece before the next one
    /// is computed. Readers run under the same `control`, and must hold its progress where it is.
    void product(std::span<const WeightBlock> v, Index v_cols, const ProductReader& reader,
                 Control& control) const;
    /// Tells whether products are found from factors of the matrix without a value of any pair. Such a
    /// product is best asked for as a whole, because each call repeats the work for one factor.
    bool factored() const { return bank_.front()->factored(); }

    /// Gives Evaluator::features() of the first kernel.
    FeatureRows features(Side side) const { return evaluators_.front()->features(side); }

    /// Computes out(i, :) = sum_j coefficients(i, j) grad_x k(x_i, z_j) for the first kernel; `out` has
    /// rows() rows, and the columns of the data. Throws Error(unsupported) unless the kernel is
    /// differentiable and the data are dense.
    void gradient(const double* coefficients, double* out, Control& control) const;

  private:
    // With this edge a tile of inner products and one of results stay in the second-level cache. It is a
    // multiple of the width of a packed panel (product_loops.hpp) for every set of instructions.
    static constexpr Index usual_tile_edge = 144;

    friend void normal_product(const GramEngine<double>& engine, std::span<const double> weights,
                               const double* v, Index v_cols, double* out, Control& control);
    friend void symmetric_product(const GramEngine<double>& engine, std::span<const double> v,
                                  std::span<double> out, Control& control);
    void bind();
    /// Runs body(workspace, t) for the tiles t = 0 to count - 1, which have so many pairs of rows together.
    template <typename Body>
    void for_tiles(Index count, double pairs, Control& control, Body body) const;
    /// Runs body(workspace, row, col) for the tiles of the upper triangle of a symmetric matrix of so many
    /// rows, which begin at row and column.
    template <typename Body>
    void for_upper_tiles(Index count, Control& control, Body body) const;
    void product_by_tiles(std::span<const WeightBlock> v, Index v_cols, Index first, Index count, double* out,
                          Control& control) const;
    /// A rectangular part of the matrix.
    struct Part {
        Index first_row;
        Index rows;
        Index first_col;
        Index cols;
    };
    void tile_of(const Part& part, Workspace<T>& workspace, Index row, Index col, T* out) const;
    void evaluate(Index kernel, Workspace<T>& workspace, T* out, Index stride) const;

    Operands<T> operands_;
    std::unique_ptr<WorkspacePool<T>> workspaces_ = std::make_unique<WorkspacePool<T>>();
    Bank bank_;
    std::vector<std::unique_ptr<Evaluator<T>>> evaluators_;
    Index tile_edge_;
    std::vector<Index> all_rows_;                 // 0, 1, ...: consecutive rows are a span of it
    std::vector<std::vector<double>> diagonals_;  // k(x, x) by kernels; empty unless symmetric
};

/// Computes out = K' W K v for the first kernel's matrix K, weights W of its rows, of which none stand for 1,
/// and row-major v (cols() x v_cols). Each value of K is computed once, and a strip of rows at a time is
/// stored for each thread.
void normal_product(const GramEngine<double>& engine, std::span<const double> weights, const double* v,
                    Index v_cols, double* out, Control& control);

extern template class GramEngine<double>;
extern template class GramEngine<float>;

}  // namespace dk

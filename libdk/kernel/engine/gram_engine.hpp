// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "kernel/engine/prepared_rows.hpp"
#include "kernel/kernel.hpp"

namespace dk {

/// Weights that some consecutive columns of a kernel matrix have in some columns of a product; the rest are
/// zero. Machines for many classes have many functions that each need a few of the rows.
struct WeightBlock {
    Index first = 0;                   // column of the matrix
    Index rows = 0;                    // how many columns of the matrix
    std::vector<Index> columns = {};   // of the product
    std::vector<double> weights = {};  // rows x columns, row-major
};

/// Reads rows first, first + 1, ... of a product, and may change them.
using ProductReader = std::function<void(Index first, std::span<double> rows)>;

/// All kernel values come from here, in tiles: inner products, then a vectorised map. Tiles
/// have fixed sizes and are computed by one thread each, so results are the same bits for any number
/// of threads.
template <typename T>
class GramEngine {
  public:
    /// Both datasets must outlive the engine. The same object on both sides means a symmetric matrix.
    /// Throws when a kernel does not work on the data or k(x, x) overflows.
    /// `control` is that of the call, for kernels that prepare much; null: one thread, no cancel. `twins`:
    /// the left row that each right row is, where the right side was chosen from the left.
    GramEngine(Bank bank, const Dataset& left, const Dataset& right, Control* control = nullptr,
               std::span<const Index> twins = {});
    GramEngine(KernelPointer kernel, const Dataset& left, const Dataset& right, Control* control = nullptr,
               std::span<const Index> twins = {})
        : GramEngine(Bank{std::move(kernel)}, left, right, control, twins) {}
    /// With rows on the right side that are prepared for this kernel.
    GramEngine(KernelPointer kernel, const Dataset& left, const PreparedRows<T>& right, Control* control);

    Index rows() const { return operands_.data(Side::left).rows(); }
    Index cols() const { return operands_.data(Side::right).rows(); }
    Index kernels() const { return std::ssize(evaluators_); }

    /// k(x, x) of the rows of one side.
    std::vector<double> self(Side side, Index kernel = 0) const { return evaluators_[kernel]->self(side); }

    /// The whole matrix of every kernel, one after the other, row-major without gaps. Where it is
    /// symmetric, half is computed and mirrored.
    void matrices(T* out, Control& control) const;

    /// The same of some consecutive rows with themselves, where the matrix is symmetric.
    void matrices_within(Index first, Index count, T* out, Control& control) const;

    /// Some rows of the first kernel's matrix: row r of `out` is row rows[r].
    void rows_of(std::span<const Index> rows, T* out, Control& control) const {
        rows_of(rows, 0, cols(), out, cols(), control);
    }
    /// The same of some consecutive columns only, rows of `out` at the given stride.
    void rows_of(std::span<const Index> rows, Index first_col, Index col_count, T* out, Index stride,
                 Control& control) const;

    /// out = K v for the first kernel and row-major v (cols() x v_cols), K never stored.
    void product(const double* v, Index v_cols, double* out, Control& control) const;

    /// The same with v (cols() x v_cols) in blocks.
    void product(std::span<const WeightBlock> v, Index v_cols, double* out, Control& control) const;
    /// The same for all rows, in pieces that need little memory: each, of some rows, is read before the next
    /// one is computed. Readers share `control` and keep its progress where it is.
    void product(std::span<const WeightBlock> v, Index v_cols, const ProductReader& reader,
                 Control& control) const;
    /// Whether products never see a pair; they are then best asked for in one.
    bool factored() const { return bank_.front()->factored(); }

    /// Of the first kernel, see Evaluator.
    FeatureRows features(Side side) const { return evaluators_.front()->features(side); }

    /// out(i, :) = sum_j coefficients(i, j) grad_x k(x_i, z_j) for the first kernel: rows() x columns of the
    /// data. Throws Error(unsupported) unless the kernel is differentiable and the data are dense.
    void gradient(const double* coefficients, double* out, Control& control) const;

  private:
    void bind(std::span<const Index> twins);
    /// Runs body(workspace, tile) for every tile, on as many threads as the kernels allow.
    template <typename Body>
    void for_tiles(Index count, Control& control, Body body) const;
    void product_by_tiles(std::span<const WeightBlock> v, Index v_cols, Index first, Index count, double* out,
                          Control& control) const;
    /// Part of a matrix: rows and columns from these on, so many.
    struct Part {
        Index first_row;
        Index rows;
        Index first_col;
        Index cols;
    };
    void tile_of(const Part& part, Workspace<T>& workspace, Index row, Index col, T* out) const;
    void evaluate(Index kernel, Workspace<T>& workspace, T* out, Index stride) const;

    Operands<T> operands_;
    Bank bank_;
    std::vector<std::unique_ptr<Evaluator<T>>> evaluators_;
    Index tile_edge_;
    std::vector<Index> all_rows_;                 // 0, 1, ..., so that a block of rows is a span of them
    std::vector<std::vector<double>> diagonals_;  // only where the matrix is symmetric
};

/// Throws Error(numerical) where a value between two different rows is not finite; self-similarities always
/// are.
void require_finite_matrix(const Kernel& kernel, const double* matrix, Index n, Control& control);

extern template class GramEngine<double>;
extern template class GramEngine<float>;

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/dataset.hpp"
#include "matrix/packed_rows.hpp"

namespace dk {

/// The columns a kernel looks at; empty for all.
using Columns = std::vector<Index>;

enum class Side { left = 0, right = 1 };

template <typename T>
class PreparedRows;

/// Over no more columns sums of a function of each pair of values are faster than a product, and keep all
/// digits.
inline constexpr Index most_summed_columns = 32;

/// The rows of one dataset, restricted to some columns and made ready for products: dense rows
/// (shared with the dataset where possible) or sparse ones, and their squared norms.
template <typename T>
struct Panel {
    Index rows = 0;
    Index depth = 0;           // number of columns
    const T* dense = nullptr;  // rows x depth, row-major; null when sparse
    const SparseMatrix* sparse = nullptr;
    std::vector<double> squared_norms;
    // Dense rows of the right side where many rows ask for them: packed for products, and with columns one
    // after the other for sums over few columns.
    std::unique_ptr<const PackedRows<T>> packed;
    LargeMatrixOf<T> transposed;

    std::vector<T> dense_storage;
    SparseMatrix sparse_storage;
    std::vector<double> shift;  // of the columns, where sparse rows become dense as they are asked for

    /// Writes sparse row i with its zeros, less the shift.
    void densify(Index i, T* out) const;
};

/// The two sets of rows that kernels are evaluated between. Leaves of a kernel ask for products of
/// the columns they look at; leaves that look at the same columns share panels and products.
template <typename T>
class Operands {
  public:
    /// `control` is that of the call; evaluators that prepare much when they are bound work under it.
    Operands(const Dataset& left, const Dataset& right, Control* control = nullptr)
        : data_{&left, &right}, control_(control ? control : &own_control_) {
        if (!control) own_control_.set_threads(1);
        convert_nearly_dense();
    }
    /// With a right side that is prepared.
    Operands(const Dataset& left, const PreparedRows<T>& right, Control* control);
    Operands(const Operands&) = delete;
    Operands& operator=(const Operands&) = delete;

    const Dataset& data(Side side) const { return *data_[static_cast<std::size_t>(side)]; }
    bool symmetric() const { return data_[0] == data_[1]; }
    Control& control() const { return *control_; }

    // What evaluators ask of whoever runs them, when they are bound.

    /// A pair costs so much (an alignment of series, say) that tiles must be small, for the work to be shared
    /// evenly and a cancel to be heard. Such evaluators poll Workspace::stopping().
    void ask_for_small_tiles() { small_tiles_ = true; }
    bool small_tiles() const { return small_tiles_; }
    /// Only the thread that called libdk may evaluate.
    void ask_for_calling_thread() { calling_thread_only_ = true; }
    bool calling_thread_only() const { return calling_thread_only_; }

    /// Right row j is left row twins[j]: known only while training, where one side was chosen from the other.
    void set_twins(std::span<const Index> twins) { twins_ = twins; }
    /// Whether both sides are known to be training rows.
    bool training() const { return symmetric() || !twins_.empty(); }
    /// The left row that is right row j; -1 where that is not known.
    Index left_twin(Index j) const {
        if (symmetric()) return j;
        return twins_.empty() ? -1 : twins_[j];
    }

    /// The id of the product X Z' over these columns.
    std::size_t request_product(const Columns& columns);
    /// The same for kernels of x - z: may shift both sides by a common point, which keeps the digits
    /// that an offset of the data would cancel.
    std::size_t request_centred_product(const Columns& columns);

    const Panel<T>& panel(Side side, std::size_t product) const {
        return *pairs_[product][symmetric() ? 0 : static_cast<std::size_t>(side)];
    }

  private:
    friend class PreparedRows<T>;
    using PanelPair = std::array<std::shared_ptr<const Panel<T>>, 2>;

    std::size_t request(const Columns& columns, const std::vector<double>& shift);
    /// The panel of the right side: the prepared one, or one that is packed where so many rows of the left
    /// ask for it that it pays.
    std::shared_ptr<const Panel<T>> right_panel(const Columns& columns, const std::vector<double>& shift);
    void pack(Panel<T>& right) const;
    /// The point that the columns of both sides are shifted by.
    const std::vector<double>& offset(const Columns& columns, const DenseMatrix& right);
    /// Makes dense rows of a sparse right side that holds few zeros.
    void convert_nearly_dense();
    /// Dense rows of a side with all these columns; null where there are none.
    const DenseMatrix* dense_rows(Side side, const Columns& columns) const;

    std::array<const Dataset*, 2> data_;
    const PreparedRows<T>* prepared_ = nullptr;
    bool prepares_ = false;                          // whether the right side is for many calls
    std::shared_ptr<const DenseMatrix> dense_copy_;  // of the right side
    Control own_control_;
    Control* control_;
    bool small_tiles_ = false;
    bool calling_thread_only_ = false;
    std::span<const Index> twins_;
    std::map<Columns, std::vector<double>> offsets_;
    std::map<std::pair<Columns, bool>, std::size_t> known_;
    std::vector<PanelPair> pairs_;
};

/// Throws Error(dimension) unless the columns exist in the dataset.
void require_columns(const Columns& columns, const Dataset& data);

/// |x_i - z_j|^2 by subtraction, for pairs so close that norms and product would cancel.
template <typename T>
double squared_distance(const Panel<T>& left, Index i, const Panel<T>& right, Index j, double left_factor = 1,
                        double right_factor = 1);

extern template struct Panel<double>;
extern template struct Panel<float>;
extern template class Operands<double>;
extern template class Operands<float>;
extern template double squared_distance(const Panel<double>&, Index, const Panel<double>&, Index, double,
                                        double);
extern template double squared_distance(const Panel<float>&, Index, const Panel<float>&, Index, double,
                                        double);

}  // namespace dk

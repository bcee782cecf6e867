// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/dataset.hpp"
#include "matrix/packed_rows.hpp"

namespace dk {

/// The columns that a kernel looks at. An empty list means all columns.
using Columns = std::vector<Index>;

enum class Side { left = 0, right = 1 };

template <typename T>
class PreparedRows;

/// Up to so many columns, summing the squared differences of two rows is faster than a matrix product, and it
/// keeps all digits.
inline constexpr Index most_summed_columns = 32;

/// The rows of one dataset, restricted to some columns and made ready for products. The rows are either
/// dense, and shared with the dataset where possible, or sparse. Their squared norms come with them.
template <typename T>
struct Panel {
    Index rows = 0;
    Index depth = 0;           // number of columns
    const T* dense = nullptr;  // rows x depth, row-major; null when sparse
    const SparseMatrix* sparse = nullptr;
    std::vector<double> squared_norms;
    double largest_squared_norm = 0;
    // These hold dense rows of the right side once more where enough left rows will read them: packed for
    // products, and transposed for sums over few columns.
    std::unique_ptr<const PackedRows<T>> packed;
    LargeMatrixOf<T> transposed;

    LargeArray<T> dense_storage;
    SparseMatrix sparse_storage;
    std::vector<double> shift;  // what densify() subtracts from the columns; empty for nothing

    /// Writes sparse row i as a dense row, less the shift.
    void densify(Index i, T* out) const;
};

/// What tells the panels of a side apart.
struct PanelKey {
    Columns columns;
    bool shifted;  // whether a point is subtracted from the rows
    bool summed;   // whether only sums over the columns are asked for, for which nothing is packed
    bool operator<(const PanelKey& other) const {
        return std::tie(columns, shifted, summed) < std::tie(other.columns, other.shifted, other.summed);
    }
};

/// The two sets of rows that kernels are evaluated between. A kernel expression's leaves ask for products
/// over the columns that they look at. Leaves that look at the same columns share panels and products.
template <typename T>
class Operands {
  public:
    /// Evaluators that prepare much when they are bound do so under `control`, that of the call. Without one
    /// they have one thread and cannot be cancelled.
    /// Where the rows are some of those of `whole`, what is decided by looking at all rows is decided as
    /// there, so that values are the same to the last bit.
    Operands(const Dataset& left, const Dataset& right, Control* control = nullptr,
             const Operands* whole = nullptr)
        : data_{&left, &right}, control_(control ? control : &own_control_) {
        if (!control) own_control_.set_threads(1);
        if (whole != nullptr) offsets_ = whole->offsets_;
        convert_nearly_dense(whole);
    }
    /// The right side is prepared, so that its panels need not be made.
    Operands(const Dataset& left, const PreparedRows<T>& right, Control* control);
    Operands(const Operands&) = delete;
    Operands& operator=(const Operands&) = delete;

    const Dataset& data(Side side) const { return *data_[static_cast<std::size_t>(side)]; }
    bool symmetric() const { return data_[0] == data_[1]; }
    Control& control() const { return *control_; }

    // Evaluators ask for these when they are bound, and whoever runs them obeys.

    /// An evaluator asks for small tiles when a pair costs much, as an alignment of series does. Only then is
    /// the work shared evenly, and a cancel soon answered. Such evaluators poll Workspace::stopping().
    void ask_for_small_tiles() { small_tiles_ = true; }
    bool small_tiles() const { return small_tiles_; }
    /// Asks that only the thread that called libdk evaluates.
    void ask_for_calling_thread() { calling_thread_only_ = true; }
    bool calling_thread_only() const { return calling_thread_only_; }

    /// Tells whether both sides are rows of one set, so that a row may stand on both.
    bool of_one_set() const { return data_[0]->identity().same_set(data_[1]->identity()); }

    /// Gives the id of the product X Z' over these columns, whose panels it makes at the first request.
    std::size_t request_product(const Columns& columns);
    /// Gives the id of such a product for kernels that depend on x - z only. It may shift both sides by a
    /// common point, because data far from the origin would lose digits by cancellation.
    std::size_t request_centred_product(const Columns& columns);

    const Panel<T>& panel(Side side, std::size_t product) const {
        return *pairs_[product][symmetric() ? 0 : static_cast<std::size_t>(side)];
    }

  private:
    friend class PreparedRows<T>;
    using PanelPair = std::array<std::shared_ptr<const Panel<T>>, 2>;

    std::size_t request(const PanelKey& key, const std::vector<double>& shift);
    /// Gives the prepared panel of the right side, or makes one.
    std::shared_ptr<const Panel<T>> right_panel(const PanelKey& key, const std::vector<double>& shift);
    /// Packs dense right rows where that pays, which depends on the number of left rows.
    void pack(Panel<T>& right, bool summed) const;
    /// Gives the point that is subtracted from the rows of both sides, which is empty for none.
    const std::vector<double>& offset(const Columns& columns, const DenseMatrix& right);
    /// Makes dense rows of a sparse right side that has few zeros, or where `whole` has them.
    void convert_nearly_dense(const Operands* whole = nullptr);
    /// Gives the dense rows of a side, or null where it has none with all these columns.
    const DenseMatrix* dense_rows(Side side, const Columns& columns) const;

    std::array<const Dataset*, 2> data_;
    const PreparedRows<T>* prepared_ = nullptr;
    bool prepares_ = false;                          // whether PreparedRows are being made
    std::shared_ptr<const DenseMatrix> dense_copy_;  // sparse right rows as dense ones
    Control own_control_;
    Control* control_;
    bool small_tiles_ = false;
    bool calling_thread_only_ = false;
    std::map<Columns, std::vector<double>> offsets_;
    std::map<PanelKey, std::size_t> known_;
    std::vector<PanelPair> pairs_;
};

/// Throws Error(dimension) unless the dataset has all these columns.
void require_columns(const Columns& columns, const Dataset& data);

/// Computes |a x_i - b z_j|^2 by subtraction, for the factors a of the left and b of the right row. Close
/// pairs need it, because |x|^2 + |z|^2 - 2 x.z cancels.
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

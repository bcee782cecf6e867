// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/large_array.hpp"
#include "base/types.hpp"
#include "matrix/feature_rows.hpp"

namespace dk {

/// Rows and columns of a matrix as a solver reads them. Up to `block_slack` elements after the last row may
/// be read (and mean nothing), so that vector loads need no special last one.
template <typename T>
struct BlockView {
    const T* values = nullptr;
    Index stride = 0;

    const T* row(Index i) const { return values + i * stride; }
};
inline constexpr Index block_slack = 16;

/// A symmetric matrix as decomposition methods ask for it: square blocks and products with few columns,
/// whether it is stored, cached by rows, or known by its factors only.
class GramMatrix {
  public:
    GramMatrix() = default;
    virtual ~GramMatrix() = default;
    GramMatrix(const GramMatrix&) = delete;
    GramMatrix& operator=(const GramMatrix&) = delete;

    virtual Index size() const = 0;
    virtual std::span<const double> diagonal() const = 0;
    /// Whether values are of single precision; only the block of that type may then be asked for.
    virtual bool single() const = 0;
    /// The features that the matrix is a product of; none where it is not.
    virtual FeatureRows features() const { return {}; }
    /// The largest number of rows that a block should have.
    virtual Index largest_block() const = 0;

    /// K(rows, rows), rows in any order; in `storage` where it is not stored already, valid until that
    /// changes or another member is called.
    virtual BlockView<double> block(std::span<const Index> rows, LargeArray<double>& storage,
                                    Control& control) = 0;
    virtual BlockView<float> block(std::span<const Index> rows, LargeArray<float>& storage,
                                   Control& control) = 0;

    /// out += K(:, rows) weights
    virtual void add_product(std::span<const Index> rows, std::span<const double> weights,
                             std::span<double> out, Control& control) = 0;

    /// The principal submatrix of these rows, ascending, as a matrix of its own. Both may be used at any
    /// time. They share the memory for rows, and with it what is stored: the one that was used last has it.
    /// Null where a smaller matrix would be no cheaper.
    virtual std::unique_ptr<GramMatrix> principal_submatrix(std::span<const Index> /*rows*/,
                                                            Control& /*control*/) {
        return nullptr;
    }
    /// out(rows) += K(rows, columns) weights from values that are computed for this alone. Matrices that have
    /// submatrices answer it.
    virtual void add_product_at(std::span<const Index> /*rows*/, std::span<const Index> /*columns*/,
                                std::span<const double> /*weights*/, std::span<double> /*out*/,
                                Control& /*control*/) const {
        fail(Status::internal, "this matrix gives no submatrix");
    }
};

}  // namespace dk

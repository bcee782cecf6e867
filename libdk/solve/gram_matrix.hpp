// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/types.hpp"
#include "matrix/feature_rows.hpp"
#include "solve/block_storage.hpp"

namespace dk {

/// A GramMatrix gives decomposition methods what they ask of a symmetric matrix: square blocks, and products
/// with few columns. Solvers need not know whether the matrix is stored, cached by rows, or known by its
/// factors only.
class GramMatrix {
  public:
    GramMatrix() = default;
    virtual ~GramMatrix() = default;
    GramMatrix(const GramMatrix&) = delete;
    GramMatrix& operator=(const GramMatrix&) = delete;

    virtual Index size() const = 0;
    virtual std::span<const double> diagonal() const = 0;
    /// Tells whether values are of single precision. Only the block() of that type may be called.
    virtual bool single() const = 0;
    /// Gives the features F where the matrix is known as F F', and none elsewhere.
    virtual FeatureRows features() const { return {}; }
    /// Gives the largest number of rows that a block should have, beyond which rows of one block would
    /// displace each other in a cache.
    virtual Index largest_block() const = 0;

    /// Gives K(rows, rows); the rows may come in any order. The values stand in `storage` unless the matrix
    /// has them stored in that form. They are valid until `storage` changes or another member is called.
    /// Rows that keep their places from one block to the next, in the same storage, may cost nothing.
    virtual BlockView<double> block(std::span<const Index> rows, BlockStorage<double>& storage,
                                    Control& control) = 0;
    virtual BlockView<float> block(std::span<const Index> rows, BlockStorage<float>& storage,
                                   Control& control) = 0;

    /// Gives a bound r for every row such that a value K(i, j) is within r_i + r_j of what exact arithmetic
    /// gives; none where no such bounds are known.
    virtual std::vector<double> rounding_bounds() const { return {}; }

    /// Tells whether rows that were asked for once are kept, so that whole rows may be asked for one by one.
    virtual bool keeps_rows() const { return false; }
    /// Gives whole rows, which stay valid until another member than this one is called. Only a matrix that
    /// keeps its rows has to implement this.
    virtual void whole_rows(std::span<const Index> /*rows*/, std::span<const double*> /*out*/,
                            Control& /*control*/) {
        fail(Status::internal, "this matrix gives no whole rows of double precision");
    }
    virtual void whole_rows(std::span<const Index> /*rows*/, std::span<const float*> /*out*/,
                            Control& /*control*/) {
        fail(Status::internal, "this matrix gives no whole rows of single precision");
    }

    /// Adds K(:, rows) weights to `out`.
    virtual void add_product(std::span<const Index> rows, std::span<const double> weights,
                             std::span<double> out, Control& control) = 0;

    /// Gives the matrix in single precision, where that is much cheaper than this one and a solver may thus
    /// search in it first. It belongs to this matrix. Null elsewhere.
    virtual GramMatrix* rough_copy(Control& /*control*/) { return nullptr; }

    /// Gives the principal submatrix of these rows, which ascend, as a matrix of its own, or null where a
    /// smaller matrix would be no cheaper. Both matrices may be used at any time. They share the memory for
    /// rows, so that whichever was used last has its rows there.
    virtual std::unique_ptr<GramMatrix> principal_submatrix(std::span<const Index> /*rows*/,
                                                            Control& /*control*/) {
        return nullptr;
    }
    /// Adds K(rows, columns) weights to out(rows). The values are computed for this product alone, and what
    /// is stored stays. Only a matrix that gives submatrices or rough copies has to implement this.
    virtual void add_product_at(std::span<const Index> /*rows*/, std::span<const Index> /*columns*/,
                                std::span<const double> /*weights*/, std::span<double> /*out*/,
                                Control& /*control*/) const {
        fail(Status::internal, "this matrix gives no such product");
    }
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// A RowSource computes rows and tiles of a symmetric kernel matrix, and keeps none of them.
template <typename T>
class RowSource {
  public:
    RowSource() = default;
    virtual ~RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;

    virtual Index size() const = 0;
    virtual std::vector<double> diagonal() const = 0;
    /// Gives a bound r for every row such that the value of rows i and j is within r_i + r_j of what exact
    /// arithmetic gives; none where no such bounds are known.
    virtual std::vector<double> rounding_bounds() const { return {}; }
    /// Writes whole rows, one after the other. `rows` must ascend.
    virtual void rows(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// Writes K(rows, rows); the rows may come in any order.
    virtual void block(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// Writes the whole matrix.
    virtual void matrix(T* out, Control& control) const = 0;
    /// Gives the source of K(rows, rows), where the rows ascend. It is null where values are so dear, or come
    /// from a callback, that none should be computed twice.
    virtual std::unique_ptr<const RowSource> principal_submatrix(std::span<const Index> rows,
                                                                 Control& control) const = 0;
    /// Tells whether a value costs hardly more than the product of two rows.
    virtual bool cheap() const { return false; }
    /// Gives the source of the same matrix in single precision; null where values are so dear, or come from a
    /// callback, that none should be computed twice, or so large that they could overflow.
    virtual std::unique_ptr<const RowSource<float>> single(Control& /*control*/) const { return nullptr; }
    /// Gives K(rows, columns) weights.
    virtual std::vector<double> product(std::span<const Index> rows, std::span<const Index> columns,
                                        std::span<const double> weights, Control& control) const = 0;
};

}  // namespace dk

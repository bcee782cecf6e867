// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// Computes rows and tiles of a symmetric kernel matrix, of which it keeps nothing.
template <typename T>
class RowSource {
  public:
    RowSource() = default;
    virtual ~RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;

    virtual Index size() const = 0;
    virtual std::vector<double> diagonal() const = 0;
    /// Writes whole rows, which are named in ascending order, one after the other.
    virtual void rows(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// Writes K(rows, rows), rows in any order.
    virtual void block(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// Writes the whole matrix.
    virtual void matrix(T* out, Control& control) const = 0;
    /// The source of K(rows, rows), rows ascending. Null where values are so dear that none should be
    /// computed twice, or where a callback gives them.
    virtual std::unique_ptr<const RowSource> principal_submatrix(std::span<const Index> rows,
                                                                 Control& control) const = 0;
    /// K(rows, columns) weights.
    virtual std::vector<double> product(std::span<const Index> rows, std::span<const Index> columns,
                                        std::span<const double> weights, Control& control) const = 0;
};

}  // namespace dk

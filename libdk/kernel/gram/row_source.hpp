// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// A symmetric kernel matrix as it can be computed, nothing of it kept here.
template <typename T>
class RowSource {
  public:
    RowSource() = default;
    virtual ~RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;

    virtual std::vector<double> diagonal() const = 0;
    /// Whole rows, which are named in ascending order, one after the other.
    virtual void rows(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// K(rows, rows), in any order.
    virtual void block(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// All of it.
    virtual void matrix(T* out, Control& control) const = 0;
    /// That of these rows only, which are named in ascending order. Null where values are so dear that none
    /// should be computed again, or come from a callback.
    virtual std::unique_ptr<const RowSource> principal(std::span<const Index> rows,
                                                       Control& control) const = 0;
    /// K(rows, columns) weights.
    virtual std::vector<double> product(std::span<const Index> rows, std::span<const Index> columns,
                                        std::span<const double> weights, Control& control) const = 0;
};

}  // namespace dk

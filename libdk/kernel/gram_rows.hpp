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
class GramRows {
  public:
    GramRows() = default;
    virtual ~GramRows() = default;
    GramRows(const GramRows&) = delete;
    GramRows& operator=(const GramRows&) = delete;

    virtual std::vector<double> diagonal() const = 0;
    /// Whole rows, which are named in ascending order, one after the other.
    virtual void rows(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// K(rows, rows), in any order.
    virtual void block(std::span<const Index> rows, T* out, Control& control) const = 0;
    /// All of it.
    virtual void matrix(T* out, Control& control) const = 0;
};

}  // namespace dk

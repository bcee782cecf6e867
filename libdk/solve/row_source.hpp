// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// A symmetric matrix that a solver reads by rows, whether it is stored, cached or computed anew.
class RowSource {
  public:
    RowSource() = default;
    virtual ~RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;

    virtual Index size() const = 0;
    virtual std::span<const double> diagonal() const = 0;

    /// Row i; stays valid until the second call after this one.
    virtual std::span<const double> row(Index i, Control& control) = 0;

    /// out = matrix * v
    virtual void product(std::span<const double> v, std::span<double> out, Control& control) = 0;
};

}  // namespace dk

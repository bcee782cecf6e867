// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/engine/operands.hpp"

namespace dk {

/// A value for each side of a kernel matrix, the left rows and the right rows.
template <typename Value>
struct BothSides {
    Value left;
    Value right;

    Value& operator[](Side side) { return side == Side::left ? left : right; }
    const Value& operator[](Side side) const { return side == Side::left ? left : right; }
};

}  // namespace dk

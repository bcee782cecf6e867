// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/engine/operands.hpp"

namespace dk {

/// What belongs to the left rows and what belongs to the right rows of a kernel matrix.
template <typename Value>
struct BothSides {
    Value left;
    Value right;

    Value& operator[](Side side) { return side == Side::left ? left : right; }
    const Value& operator[](Side side) const { return side == Side::left ? left : right; }
};

}  // namespace dk

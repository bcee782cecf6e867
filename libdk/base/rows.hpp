// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/types.hpp"

namespace dk {

/// Gives row `i` of a matrix with `cols` columns, whose rows follow one another in `values` without gaps.
/// Folders use it from which libdk/matrix cannot be included.
template <typename Values>
auto row_of(Values& values, Index cols, Index i) {
    return std::span(values).subspan(i * cols, cols);
}

}  // namespace dk

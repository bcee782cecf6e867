// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// Adds out[j] += sum_r weights[r] rows[r][j] for the `out.size()` elements of each row. The terms are added
/// in the order of the rows, by the same fused operations for every element. So a sum depends neither on the
/// threads nor, with fused multiply-add, on the processor.
template <typename T>
void add_weighted_rows(std::span<const T* const> rows, std::span<const double> weights, std::span<double> out,
                       Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <span>

namespace dk {

/// Computes a'b, whose terms are added from the first to the last.
inline double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Adds out += factor v.
inline void add_scaled(std::span<double> out, double factor, std::span<const double> v) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += factor * v[i];
}

}  // namespace dk

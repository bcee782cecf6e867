// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Draws `count` different rows, each as likely as any other, in ascending order; all rows where there are
/// fewer.
std::vector<Index> uniform_landmarks(Index rows, Index count, std::uint64_t seed);

/// Draws at most `count` rows by randomly pivoted Cholesky: the likelihood of a row x is proportional to the
/// part of k(x, x) that the approximation by the earlier rows leaves. There are fewer rows when these
/// approximate all rows exactly.
std::vector<Index> pivoted_landmarks(const KernelPointer& kernel, const Dataset& data, Index count,
                                     std::uint64_t seed, Control& control);

/// Finds `count` centres of dense rows by k-means: k-means++ and at most 20 of Lloyd's steps, on at most
/// 20000 rows.
Dataset centre_landmarks(const Dataset& data, Index count, std::uint64_t seed, Control& control);

/// Draws a position with a likelihood proportional to its weight. The weights are at least 0, and `sum` is
/// their sum, which is more than 0.
Index draw_by_weight(const Vector& weights, double sum, Random& random);

}  // namespace dk

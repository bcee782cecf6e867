// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "kernel/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// `count` different rows, each as likely as any other, ascending.
std::vector<Index> uniform_landmarks(Index rows, Index count, std::uint64_t seed);

/// At most `count` rows by randomly pivoted Cholesky: each is drawn with the likelihood of what the rows
/// before leave of its k(x, x). Fewer rows come when these explain all rows.
std::vector<Index> pivoted_landmarks(const KernelPointer& kernel, const Dataset& data, Index count,
                                     std::uint64_t seed, Control& control);

/// `count` centres of dense rows by k-means: k-means++ and at most 20 steps of Lloyd on at most 20000 rows.
Dataset centre_landmarks(const Dataset& data, Index count, std::uint64_t seed, Control& control);

/// A position drawn with the likelihood of its weight; the weights are at least 0, and `sum` is what they add
/// up to, which is more than 0.
Index draw_by_weight(const Vector& weights, double sum, Random& random);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/control.hpp"
#include "kernel/kernel.hpp"

namespace dk {

/// `count` different rows, each as likely as any other, ascending.
std::vector<Index> uniform_landmarks(Index rows, Index count, std::uint64_t seed);

/// At most `count` rows by randomly pivoted Cholesky: each is drawn with the likelihood of what the rows
/// before leave of its k(x, x). Blocked (Chen, Epperly, Tropp, Webber, Randomly pivoted Cholesky, CPAM 2024,
/// section 2); fewer rows come when these explain all rows.
std::vector<Index> pivoted_landmarks(const KernelPointer& kernel, const Dataset& data, Index count,
                                     std::uint64_t seed, Control& control);

/// `count` centres of dense rows by k-means: k-means++ and at most 20 steps of Lloyd on at most 20000 rows.
Dataset centre_landmarks(const Dataset& data, Index count, std::uint64_t seed, Control& control);

}  // namespace dk

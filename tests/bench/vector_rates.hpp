// SPDX-License-Identifier: Apache-2.0
//
// This measures how fast this machine evaluates vectorised functions when the data sit in the first-level
// cache.
#pragma once

namespace dk_bench {

// VectorRates are evaluations a second of all threads together.
struct VectorRates {
    double exponential_double = 0;          // exp(x)
    double exponential_single = 0;          // exp(x) in float32
    double angle_double = 0;                // asin(x) and one square root: a layer of the arc-cosine kernel
    double absolute_difference_double = 0;  // s += |x - y|: one feature of an L1 distance
    double absolute_difference_single = 0;
    double chi_square_double = 0;  // s += (x - y)^2 / (x + y): one feature of a chi-square distance
    double chi_square_single = 0;
};

VectorRates measure_vector_rates(int threads);

// Gives the instruction set that was chosen, such as "AVX3_ZEN4".
const char* vector_target_name();

}  // namespace dk_bench

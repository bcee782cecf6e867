// SPDX-License-Identifier: Apache-2.0
//
// This measures how fast this machine multiplies big matrices, with one serial BLAS on every thread.
#pragma once

namespace dk_bench {

// GemmRates are floating-point operations a second of all threads together.
struct GemmRates {
    double double_precision = 0;
    double single_precision = 0;
};

GemmRates measure_gemm_rates(int threads);

}  // namespace dk_bench

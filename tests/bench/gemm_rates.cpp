// SPDX-License-Identifier: Apache-2.0
#include "gemm_rates.hpp"

#include <cblas.h>

#include <cstddef>
#include <vector>

#include "parallel_timer.hpp"

namespace dk_bench {
namespace {

constexpr int kSize = 1200;
constexpr int kRepeats = 5;
constexpr int kProducts = 4;

// Flops a second of `multiply(a, b, c)` for kSize x kSize matrices, kProducts times on every thread.
template <typename T, typename Multiply>
double rate_of(int threads, Multiply multiply) {
    constexpr auto kElements = static_cast<std::size_t>(kSize) * kSize;
    std::vector<std::vector<T>> results(static_cast<std::size_t>(threads), std::vector<T>(kElements));
    const std::vector<T> left(kElements, static_cast<T>(0.5));
    const std::vector<T> right(kElements, static_cast<T>(0.25));
    const double seconds = median_seconds(threads, kRepeats, [&](int thread, int) {
        for (int product = 0; product < kProducts; ++product) {
            multiply(left.data(), right.data(), results[static_cast<std::size_t>(thread)].data());
        }
    });
    return 2.0 * kSize * kSize * kSize * kProducts * threads / seconds;
}

}  // namespace

GemmRates measure_gemm_rates(int threads) {
    GemmRates rates;
    rates.double_precision = rate_of<double>(threads, [](const double* a, const double* b, double* c) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, kSize, kSize, kSize, 1.0, a, kSize, b, kSize,
                    0.0, c, kSize);
    });
    rates.single_precision = rate_of<float>(threads, [](const float* a, const float* b, float* c) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, kSize, kSize, kSize, 1.0F, a, kSize, b, kSize,
                    0.0F, c, kSize);
    });
    return rates;
}

}  // namespace dk_bench

// SPDX-License-Identifier: Apache-2.0
#include "vector_rates.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel_timer.hpp"

// Highway compiles this file once for each instruction set and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vector_rates.cpp"
#include "hwy/foreach_target.h"
// These two must follow foreach_target.h.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dk_bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T, typename Map>
HWY_INLINE void map_buffer(const T* HWY_RESTRICT in, T* HWY_RESTRICT out, size_t count, int64_t rounds,
                           Map map) {
    const hn::ScalableTag<T> tag;
    for (int64_t round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < count; i += hn::Lanes(tag)) {
            hn::StoreU(map(tag, hn::LoadU(tag, in + i)), tag, out + i);
        }
    }
}

void exponential_double(const double* in, double* out, size_t count, int64_t rounds) {
    map_buffer(in, out, count, rounds, [](auto tag, auto x) HWY_ATTR { return hn::Exp(tag, x); });
}

void exponential_single(const float* in, float* out, size_t count, int64_t rounds) {
    map_buffer(in, out, count, rounds, [](auto tag, auto x) HWY_ATTR { return hn::Exp(tag, x); });
}

void angle_double(const double* in, double* out, size_t count, int64_t rounds) {
    map_buffer(in, out, count, rounds, [](auto tag, auto x) HWY_ATTR {
        const auto half = hn::Set(tag, 0.5);
        const auto inside = hn::MulAdd(x, hn::Mul(half, half), half);
        return hn::Asin(tag, hn::Sqrt(inside));
    });
}

// Computes one value x against a vector of y, with accumulators in registers, which is the inner loop of a
// tile of sums.
template <typename T, typename Add>
HWY_INLINE void sum_terms(const T* in, T* out, size_t count, int64_t rounds, Add add) {
    const hn::ScalableTag<T> tag;
    const size_t lanes = hn::Lanes(tag);
    for (int64_t round = 0; round < rounds; ++round) {
        auto sum0 = hn::Zero(tag);
        auto sum1 = hn::Zero(tag);
        auto sum2 = hn::Zero(tag);
        auto sum3 = hn::Zero(tag);
        const auto x = hn::Set(tag, in[static_cast<size_t>(round) % count]);
        for (size_t i = 0; i + 4 * lanes <= count; i += 4 * lanes) {
            sum0 = add(sum0, x, hn::LoadU(tag, in + i));
            sum1 = add(sum1, x, hn::LoadU(tag, in + i + lanes));
            sum2 = add(sum2, x, hn::LoadU(tag, in + i + 2 * lanes));
            sum3 = add(sum3, x, hn::LoadU(tag, in + i + 3 * lanes));
        }
        hn::StoreU(hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)), tag, out);
    }
}

template <typename T>
HWY_INLINE void absolute_differences(const T* in, T* out, size_t count, int64_t rounds) {
    sum_terms(in, out, count, rounds,
              [](auto sum, auto x, auto y) HWY_ATTR { return hn::Add(sum, hn::Abs(hn::Sub(x, y))); });
}

template <typename T>
HWY_INLINE void chi_squares(const T* in, T* out, size_t count, int64_t rounds) {
    sum_terms(in, out, count, rounds, [](auto sum, auto x, auto y) HWY_ATTR {
        const auto difference = hn::Sub(x, y);
        return hn::MulAdd(difference, hn::Div(difference, hn::Add(x, y)), sum);
    });
}

void absolute_difference_double(const double* in, double* out, size_t count, int64_t rounds) {
    absolute_differences(in, out, count, rounds);
}
void absolute_difference_single(const float* in, float* out, size_t count, int64_t rounds) {
    absolute_differences(in, out, count, rounds);
}
void chi_square_double(const double* in, double* out, size_t count, int64_t rounds) {
    chi_squares(in, out, count, rounds);
}
void chi_square_single(const float* in, float* out, size_t count, int64_t rounds) {
    chi_squares(in, out, count, rounds);
}

const char* target_name() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace dk_bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk_bench {

HWY_EXPORT(exponential_double);
HWY_EXPORT(exponential_single);
HWY_EXPORT(angle_double);
HWY_EXPORT(absolute_difference_double);
HWY_EXPORT(absolute_difference_single);
HWY_EXPORT(chi_square_double);
HWY_EXPORT(chi_square_single);
HWY_EXPORT(target_name);

namespace {

constexpr size_t kBufferElements = 1024;  // in and out together take 16 KB, which any first-level cache holds
constexpr int kRepeats = 7;

// Gives evaluations a second of `kernel(in, out, count, rounds)` on all threads.
template <typename T, typename Kernel>
double rate_of(int threads, int64_t rounds, Kernel kernel) {
    const double seconds = median_seconds(threads, kRepeats, [&](int, int) {
        std::vector<T> in(kBufferElements);
        std::vector<T> out(kBufferElements);
        for (size_t i = 0; i < kBufferElements; ++i) {
            in[i] = -static_cast<T>(2) * static_cast<T>(i + 1) / static_cast<T>(kBufferElements);
        }
        kernel(in.data(), out.data(), kBufferElements, rounds);
    });
    return static_cast<double>(rounds) * static_cast<double>(kBufferElements) * threads / seconds;
}

}  // namespace

VectorRates measure_vector_rates(int threads) {
    constexpr int64_t kRounds = 100000;  // These take about 0.1 s for each function.
    VectorRates rates;
    rates.exponential_double = rate_of<double>(threads, kRounds, HWY_DYNAMIC_DISPATCH(exponential_double));
    rates.exponential_single = rate_of<float>(threads, kRounds, HWY_DYNAMIC_DISPATCH(exponential_single));
    rates.angle_double = rate_of<double>(threads, kRounds, HWY_DYNAMIC_DISPATCH(angle_double));
    rates.absolute_difference_double =
        rate_of<double>(threads, 10 * kRounds, HWY_DYNAMIC_DISPATCH(absolute_difference_double));
    rates.absolute_difference_single =
        rate_of<float>(threads, 10 * kRounds, HWY_DYNAMIC_DISPATCH(absolute_difference_single));
    rates.chi_square_double = rate_of<double>(threads, kRounds, HWY_DYNAMIC_DISPATCH(chi_square_double));
    rates.chi_square_single = rate_of<float>(threads, kRounds, HWY_DYNAMIC_DISPATCH(chi_square_single));
    return rates;
}

const char* vector_target_name() {
    return HWY_DYNAMIC_DISPATCH(target_name)();
}

}  // namespace dk_bench
#endif

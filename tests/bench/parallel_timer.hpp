// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace dk_bench {

inline double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Runs work(thread, threads) on every thread at once, the calling one included.
inline void on_all_threads(int threads, const std::function<void(int, int)>& work) {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread, threads);
    work(0, threads);
}

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Gives the median wall time of `work` on all threads. Thread creation is part of it, so `work` should take
// long.
inline double median_seconds(int threads, int repeats, const std::function<void(int, int)>& work) {
    std::vector<double> times;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        times.push_back(seconds_of([&] { on_all_threads(threads, work); }));
    }
    return median(std::move(times));
}

}  // namespace dk_bench

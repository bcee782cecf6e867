// SPDX-License-Identifier: Apache-2.0
#ifndef DK_TESTS_ABI_MATCHER_HPP
#define DK_TESTS_ABI_MATCHER_HPP

#include <atomic>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include "handles.hpp"

namespace dk_test {

/// A function of the caller's that compares its rows with any points, and what it saw of its callers. It is
/// exp(-|x - z|^2 / 2).
struct Matcher {
    std::vector<double> x;
    int64_t rows = 0;
    int64_t cols = 0;
    int fail_at_call = -1;
    int cancel_at_call = -1;
    dk_control* control = nullptr;
    double answer_for_row_17 = 0;  // where it is not 0
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> calls{0};
    std::atomic<int> running{0};
    std::atomic<bool> other_thread{false}, at_once{false}, outside{false};

    explicit Matcher(const Problem& problem) : x(problem.x), rows(problem.rows), cols(problem.cols) {}

    static int32_t compare(double* out, const double* z, int64_t count, int64_t cols, const int64_t* rows,
                           int64_t row_count, void* user) {
        auto& self = *static_cast<Matcher*>(user);
        const int call = ++self.calls;
        if (++self.running > 1) self.at_once = true;
        if (std::this_thread::get_id() != self.caller) self.other_thread = true;
        if (count < 1 || row_count < 1 || cols != self.cols) self.outside = true;
        for (int64_t i = 0; i < row_count; ++i) {
            const bool inside = rows[i] >= 0 && rows[i] < self.rows;
            if (!inside) self.outside = true;
            const double* row = &self.x[static_cast<std::size_t>(inside ? rows[i] * cols : 0)];
            for (int64_t j = 0; j < count; ++j) {
                double squared = 0;
                for (int64_t c = 0; c < cols; ++c)
                    squared += (row[c] - z[j * cols + c]) * (row[c] - z[j * cols + c]);
                const bool known = rows[i] == 17 && self.answer_for_row_17 != 0;
                out[i * count + j] = known ? self.answer_for_row_17 : std::exp(-0.5 * squared);
            }
        }
        if (call == self.cancel_at_call) dk_control_cancel(self.control);
        --self.running;
        return call == self.fail_at_call ? 7 : 0;
    }

    Data data(int32_t concurrent = 0) {
        return create<Data>(dk_data_from_point_similarity, x.data(), rows, cols, cols, DK_ROW_MAJOR,
                            &Matcher::compare, static_cast<void*>(this), concurrent);
    }
};

}  // namespace dk_test

#endif  // DK_TESTS_ABI_MATCHER_HPP

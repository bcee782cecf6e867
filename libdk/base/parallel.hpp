// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/types.hpp"

namespace dk {

/// Keeps the first exception of what several threads do until all of them have ended.
class ExceptionSlot {
  public:
    void capture() noexcept {
        if (!taken_.exchange(true)) exception_ = std::current_exception();
    }
    bool taken() const { return taken_.load(std::memory_order_relaxed); }
    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }

  private:
    std::atomic<bool> taken_{false};
    std::exception_ptr exception_;
};

/// Runs body(state, i) for i = 0 to count - 1, where every thread has a state of its own made by
/// make_state(). Threads take the next index when they are done with one, so bodies must not depend on the
/// order: each writes its own part of the result. That keeps results the same for any number of threads.
template <typename MakeState, typename Body>
void parallel_for_with(Index count, Control& control, MakeState make_state, Body body, int most_threads) {
    ExceptionSlot exception;
    std::atomic<Index> next{0};
    const auto work = [&] {
        try {
            auto state = make_state();
            for (Index i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
                if (exception.taken() || control.stopping()) return;
                body(state, i);
                if (control.on_calling_thread()) {
                    control.check((i + 1.0) / count);
                }
            }
        } catch (...) {
            exception.capture();
        }
    };
    const auto threads = static_cast<int>(std::min<Index>(most_threads, std::max<Index>(count, 1)));
    control.team().run(threads - 1, std::ref(work));
    exception.rethrow();
    if (control.stopping()) control.check();
}

template <typename MakeState, typename Body>
void parallel_for_with(Index count, Control& control, MakeState make_state, Body body) {
    // The number of processors is asked of the system, which takes as long as predicting a small row.
    const int most_threads = count > 1 ? control.threads() : 1;
    parallel_for_with(count, control, make_state, body, most_threads);
}

template <typename Body>
void parallel_for(Index count, Control& control, Body body) {
    struct Nothing {};
    parallel_for_with(
        count, control, [] { return Nothing{}; }, [&](Nothing&, Index i) { body(i); });
}

/// Gives the number of threads that are worth waking for so many values, each of which needs little work.
inline int threads_worth_waking(double values, const Control& control) {
    constexpr double values_a_thread = 131072;
    if (values < 2 * values_a_thread) return 1;
    return static_cast<int>(std::min(values / values_a_thread, 1.0 * control.threads()));
}

/// Runs body(i) for rows that have `row_length` values each and need little work for a value. A task has
/// several rows.
template <typename Body>
void parallel_for_rows(Index rows, Index row_length, Control& control, Body body) {
    constexpr Index values_a_task = Index{1} << 15U;
    const Index block = std::max<Index>(1, values_a_task / std::max<Index>(1, row_length));
    parallel_for_with((rows + block - 1) / block, control, [] { return 0; },
                      [&](int, Index task) {
                          const Index last = std::min(rows, (task + 1) * block);
                          for (Index i = task * block; i < last; ++i) body(i);
                      },
                      threads_worth_waking(1.0 * rows * row_length, control));
}

}  // namespace dk

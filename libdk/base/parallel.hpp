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

/// Gives the threads that are worth waking for `values` values, each of which needs little work (about a
/// nanosecond), and tells whether that work is brief.
inline Workforce workforce_for(double values, const Control& control) {
    constexpr double values_a_thread = 131072;
    constexpr double worth_a_barrier = 1 << 25;
    if (values < 2 * values_a_thread) return {.most_threads = 1, .region = Region::brief};
    return {.most_threads = static_cast<int>(std::min(values / values_a_thread, 1.0 * control.threads())),
            .region = values < worth_a_barrier ? Region::brief : Region::lasting};
}

/// Counts the values of a product of matrices for workforce_for(): sixteen terms take as long as one value.
inline double values_of_product(Index rows, Index cols, Index terms) {
    return 1.0 * rows * cols * (1 + terms / 16.0);
}

/// Gives all threads to a few tasks of unknown length, such as trainings, which have at least so many values.
inline Workforce workforce_of_tasks(double values, const Control& control) {
    return {.most_threads = control.threads(), .region = workforce_for(values, control).region};
}

/// Runs body(state, i) for i = 0 to count - 1, where every thread has a state of its own made by
/// make_state(). Threads take the next index when they are done with one, so bodies must not depend on the
/// order: each writes its own part of the result. That keeps results the same for any number of threads.
template <typename MakeState, typename Body>
void parallel_for_with(Index count, Control& control, MakeState make_state, Body body, Workforce workforce) {
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
    const auto threads = static_cast<int>(std::min<Index>(workforce.most_threads, std::max<Index>(count, 1)));
    control.team().run(threads - 1, std::ref(work), workforce.region);
    exception.rethrow();
    if (control.stopping()) control.check();
}

template <typename MakeState, typename Body>
void parallel_for_with(Index count, Control& control, MakeState make_state, Body body) {
    // The number of threads may be asked of the system, which takes as long as predicting a small row.
    parallel_for_with(count, control, make_state, body,
                      Workforce{.most_threads = count > 1 ? control.threads() : 1});
}

/// Runs body(i), where all bodies together have so many values as workforce_for() counts them.
template <typename Body>
void parallel_for(Index count, double values, Control& control, Body body) {
    struct Nothing {};
    parallel_for_with(
        count, control, [] { return Nothing{}; }, [&](Nothing&, Index i) { body(i); },
        workforce_for(values, control));
}

/// Runs body(i) where nobody knows how long a body takes: it is worth a thread, but no barrier.
template <typename Body>
void parallel_for(Index count, Control& control, Body body) {
    struct Nothing {};
    parallel_for_with(
        count, control, [] { return Nothing{}; }, [&](Nothing&, Index i) { body(i); });
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
                      workforce_for(1.0 * rows * row_length, control));
}

}  // namespace dk

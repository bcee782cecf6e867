// SPDX-License-Identifier: Apache-2.0
// These functions cancel a call at a moment of its processor time, and measure the processor time until it
// answers: neither depends on what else the machine does.
#ifndef DK_TESTS_ABI_CANCEL_HPP
#define DK_TESTS_ABI_CANCEL_HPP

#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <utility>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test {

using Call = std::function<dk_status(dk_control*)>;

/// Sanitizers make everything between two checks several times slower.
inline double allowed_seconds() {
    return slowed_down() ? 1.0 : 0.2;
}

inline double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double processor_seconds() {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

inline double wall_seconds() {
    return seconds_of(CLOCK_MONOTONIC);
}

/// Cancels a control when the process has used so much more processor time, from a signal handler, as dk.h
/// allows.
class CancelByProcessorTime {
  public:
    CancelByProcessorTime(dk_control* control, double seconds) {
        to_cancel_ = control;
        asked_ = -1;
        std::signal(SIGPROF, [](int) {
            dk_control_cancel(to_cancel_);
            asked_ = processor_seconds();
            asked_by_the_clock_ = wall_seconds();
        });
        set_timer(seconds);
    }
    ~CancelByProcessorTime() {
        set_timer(0);
        std::signal(SIGPROF, SIG_IGN);
    }
    CancelByProcessorTime(const CancelByProcessorTime&) = delete;
    CancelByProcessorTime& operator=(const CancelByProcessorTime&) = delete;

    /// Seconds of processor time from the cancel until now, or a negative number where it has not come yet.
    double since() const { return asked_ < 0 ? -1 : processor_seconds() - asked_; }

    /// The same by the clock on the wall.
    double since_by_the_clock() const { return asked_ < 0 ? -1 : wall_seconds() - asked_by_the_clock_; }

  private:
    static void set_timer(double seconds) {
        itimerval timer{};
        timer.it_value.tv_sec = static_cast<time_t>(seconds);
        timer.it_value.tv_usec =
            static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(timer.it_value.tv_sec)));
        setitimer(ITIMER_PROF, &timer, nullptr);
    }

    inline static dk_control* to_cancel_ = nullptr;
    inline static volatile double asked_ = -1;
    inline static volatile double asked_by_the_clock_ = -1;
};

struct Answer {
    dk_status status;
    double processor, wall;  // Seconds from the cancel.
};

/// Runs a call that is cancelled after so much processor time.
inline Answer cancelled_after(double seconds, const Call& call) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 1));
    const CancelByProcessorTime cancel(control.get(), seconds);
    const dk_status status = call(control.get());
    return {status, cancel.since(), cancel.since_by_the_clock()};
}

/// Gives the least of what measure() gives, which is called again while that is more than an answer may take.
/// What else the machine does makes an answer late now and then; a loop that does not look makes it late each
/// time.
template <typename Measure>
double soonest(Measure measure) {
    double least = measure();
    for (int again = 0; again < 4 && least > allowed_seconds(); ++again) {
        std::cout << "cancel: an answer after " << least << " s, asked again\n";
        least = std::min(least, measure());
    }
    return least;
}

/// Cancels a call at several moments of the processor time that it needs, with one thread; each must be met,
/// and answered soon. Gives the longest time to an answer.
inline double cancel_at_moments(const Call& call, int moments = 4) {
    double whole = 1e9;
    for (int run = 0; run < 2; ++run) {  // The first run also makes what a process makes once.
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_threads(control.get(), 1));
        const double begin = processor_seconds();
        EXPECT_EQ(call(control.get()), DK_OK) << dk_last_error();
        whole = std::min(whole, processor_seconds() - begin);
    }
    EXPECT_GE(whole, 0.015) << "the call is over too soon for this to say anything";
    double longest = 0, longest_by_the_clock = 0;
    for (int moment = 0; moment < moments && !testing::Test::HasFailure(); ++moment) {
        double part = 0.1 + 0.8 * moment / std::max(1, moments - 1);
        Answer answer = cancelled_after(whole * part, call);
        // Memory that is there already makes a call shorter than it was.
        for (; answer.status == DK_OK && part > 0.1; part *= 0.7)
            answer = cancelled_after(whole * part, call);
        EXPECT_EQ(answer.status, DK_ERR_CANCELLED)
            << "asked at " << part << " of " << whole << " s; " << dk_last_error();
        const double seconds = soonest([&, first = true]() mutable {
            if (!std::exchange(first, false)) answer = cancelled_after(whole * part, call);
            return answer.status == DK_ERR_CANCELLED ? answer.processor : 1e9;
        });
        EXPECT_LE(seconds, allowed_seconds()) << "asked at " << part << " of " << whole << " s";
        longest = std::max(longest, seconds);
        longest_by_the_clock = std::max(longest_by_the_clock, answer.wall);
    }
    std::cout << "cancel: " << whole << " s of processor time, longest answer " << longest
              << " s, by the clock " << longest_by_the_clock << " s\n";
    return longest;
}

/// A call of dk_train or its kin, whose model goes.
template <typename Fit>
Call training_call(Fit fit, const dk_data* data, const dk_params* params) {
    return [=](dk_control* control) {
        dk_model* out = nullptr;
        const dk_status status = fit(&out, data, params, control);
        EXPECT_EQ(status == DK_OK, out != nullptr);
        dk_model_free(out);
        return status;
    };
}

}  // namespace dk_test

#endif  // DK_TESTS_ABI_CANCEL_HPP

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "base/memory.hpp"
#include "base/threads/thread_team.hpp"
#include "base/types.hpp"

namespace dk {

/// What belongs to one call: its threads, memory and progress, and whether it is cancelled.
///
/// Long work polls `stopping()` on any thread, which costs a relaxed load, and calls `check()` on the calling
/// thread, which reports progress and throws when the work shall end. Progress is a stack of intervals: a
/// ProgressScope maps the progress of the work inside it to its part of the whole.
class Control {
  public:
    using Callback = std::function<bool(double fraction, const std::string& stage)>;

    Control() = default;
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    /// The interval of the whole's progress that a part of the work fills. An empty one leaves the whole
    /// where it is.
    struct Part {
        double begin = 0;
        double end = 0;
    };
    /// Makes the control of a part of the work, which one thread does while others do other parts. It has one
    /// thread and the memory budget of the whole, and it stops when `whole` does. Checking it on the thread
    /// of the call also checks the whole, and moves it on.
    Control(Part part, Control& whole);

    int threads() const;
    /// Gives the threads that help the calling one. They stay for the next call with this control.
    ThreadTeam& team() { return team_; }
    /// Says what the large objects of the call may take together: what the control allows until the call's
    /// parameters allow less.
    const MemoryBudget& memory() const { return memory_; }
    /// Lowers the budget of the call to what its parameters say, and gives the result.
    const MemoryBudget& set_memory(const MemoryBudget& memory) {
        return memory_ = memory.at_most(most_memory_);
    }
    /// Holds bytes of the call's budget for what MemoryHold says, or no longer where they are negative.
    void hold_memory(double bytes) { memory_.hold(bytes); }
    /// Says what the large objects of every call with this control may take together.
    void limit_memory(const MemoryBudget& most) { memory_ = most_memory_ = most; }

    void set_threads(int threads) { threads_ = threads; }
    void set_callback(Callback callback) { callback_ = std::move(callback); }

    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    void reset();
    bool stopping() const {
        return cancelled_.load(std::memory_order_relaxed) || declined_.load(std::memory_order_relaxed) ||
               (whole_ != nullptr && whole_->stopping());
    }
    double progress() const { return progress_.load(std::memory_order_relaxed); }

    /// The C interface calls begin() and finish() around each call. `stage` names the work until a scope
    /// names its own.
    void begin(std::string stage = {});
    void finish();

    /// Notes progress as a fraction of the current scope, tells the callback at most 20 times a second, and
    /// throws Error(cancelled) if the call is cancelled. Only the calling thread may call it.
    void check(double fraction);
    /// Checks without new progress.
    void check() { check(last_fraction_); }
    /// Checks, and names the work for the callback.
    void check(double fraction, std::string stage);

    double fraction() const { return last_fraction_; }
    /// Tells whether this is the thread that made the call; others must not call check().
    bool on_calling_thread() const { return std::this_thread::get_id() == calling_thread_; }

  private:
    friend class ProgressScope;
    void report(double overall);

    Control* whole_ = nullptr;
    Part part_;
    int threads_ = 0;
    ThreadTeam team_;
    MemoryBudget most_memory_{0};
    MemoryBudget memory_{0};
    Callback callback_;
    std::atomic<bool> cancelled_{false};  // It stays until reset().
    std::atomic<bool> declined_{false};   // The callback declined to go on with this call.
    std::atomic<double> progress_{0.0};
    std::thread::id calling_thread_;
    std::chrono::steady_clock::time_point last_report_;
    std::string stage_;
    double scope_begin_ = 0;
    double scope_size_ = 1;
    double last_fraction_ = 0;
};

/// Checks a control once in so many steps of a loop whose steps are short. Only the calling thread has one.
class Polls {
  public:
    explicit Polls(Control& control, Index steps = Index{1} << 16U)
        : control_(control), steps_(steps), left_(steps) {}
    /// Counts one step or several.
    void step(Index done = 1) {
        left_ -= done;
        if (left_ > 0) return;
        left_ = steps_;
        control_.check();
    }

  private:
    Control& control_;
    Index steps_;
    Index left_;
};

/// Maps the progress of the work during its lifetime to the interval [begin, end] of the enclosing scope.
class ProgressScope {
  public:
    ProgressScope(Control& control, double begin, double end, std::string stage = {});
    ~ProgressScope();
    ProgressScope(const ProgressScope&) = delete;
    ProgressScope& operator=(const ProgressScope&) = delete;

  private:
    Control& control_;
    double saved_begin_;
    double saved_size_;
    double saved_fraction_;
    double end_;
    std::string saved_stage_;
};

/// Keeps progress where it is during work that is a small part of the whole.
class ProgressHold : public ProgressScope {
  public:
    explicit ProgressHold(Control& control)
        : ProgressScope(control, control.fraction(), control.fraction()) {}
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "base/memory.hpp"

namespace dk {

/// What belongs to one call: threads, memory, progress, cancel.
///
/// Long work polls `stopping()` anywhere, which costs one relaxed load, and calls `check()` on the
/// calling thread, which reports progress and throws when the work shall end. Progress is a stack of
/// intervals: a ProgressScope gives its part of the whole to the work inside it.
class Control {
  public:
    using Callback = std::function<bool(double fraction, const std::string& stage)>;

    Control() = default;
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    /// For a part of the work that one thread does beside others: one thread, the same memory budget, and it
    /// stops when `whole` does. Polling it from the thread of the call also reports for the whole.
    struct Part {};
    Control(Part, Control& whole);

    int threads() const;
    /// What the large objects of the call may take together; half of the machine's memory until set.
    const MemoryBudget& memory() const { return memory_; }
    void set_memory(const MemoryBudget& memory) { memory_ = memory; }

    void set_threads(int threads) { threads_ = threads; }
    void set_callback(Callback callback) { callback_ = std::move(callback); }

    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    void reset();
    bool stopping() const {
        return cancelled_.load(std::memory_order_relaxed) || declined_.load(std::memory_order_relaxed) ||
               (whole_ != nullptr && whole_->stopping());
    }
    double progress() const { return progress_.load(std::memory_order_relaxed); }

    /// Called by the ABI around each call; `stage` names the work until a scope names its own.
    void begin(std::string stage = {});
    void finish();

    /// On the calling thread only: notes progress (a fraction of the current scope), tells the
    /// callback at most 20 times a second, and throws Error(cancelled) when cancelled.
    void check(double fraction);
    /// The same without news.
    void check() { check(last_fraction_); }
    /// The same with what the callback is told of the work besides.
    void check(double fraction, std::string stage);

    /// Whether this is the thread that made the call; others must not call check().
    double fraction() const { return last_fraction_; }
    bool on_calling_thread() const { return std::this_thread::get_id() == calling_thread_; }

  private:
    friend class ProgressScope;
    void report(double overall);

    Control* whole_ = nullptr;
    int threads_ = 0;
    MemoryBudget memory_{0};
    Callback callback_;
    std::atomic<bool> cancelled_{false};  // stays until reset
    std::atomic<bool> declined_{false};   // by the callback, for this call
    std::atomic<double> progress_{0.0};
    std::thread::id calling_thread_;
    std::chrono::steady_clock::time_point last_report_;
    std::string stage_;
    double scope_begin_ = 0;
    double scope_size_ = 1;
    double last_fraction_ = 0;
};

/// Gives the interval [begin, end] of the enclosing scope to the work done during its lifetime.
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

/// Keeps progress where it is during work that is a small part of something larger.
class ProgressHold : public ProgressScope {
  public:
    explicit ProgressHold(Control& control)
        : ProgressScope(control, control.fraction(), control.fraction()) {}
};

}  // namespace dk

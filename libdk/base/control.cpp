// SPDX-License-Identifier: Apache-2.0
#include "base/control.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/threads/openmp_threads.hpp"

namespace dk {

Control::Control(Part part, Control& whole)
    : whole_(&whole),
      part_(part),
      threads_(1),
      most_memory_(whole.most_memory_),
      memory_(whole.memory_),
      calling_thread_(std::this_thread::get_id()) {}

int Control::threads() const {
    return threads_ > 0 ? threads_ : usual_threads();
}

void Control::reset() {
    cancelled_.store(false, std::memory_order_relaxed);
    progress_.store(0.0, std::memory_order_relaxed);
}

void Control::begin(std::string stage) {
    calling_thread_ = std::this_thread::get_id();
    declined_.store(false, std::memory_order_relaxed);
    progress_.store(0.0, std::memory_order_relaxed);
    last_report_ = {};
    stage_ = std::move(stage);
    scope_begin_ = 0;
    scope_size_ = 1;
    last_fraction_ = 0;
    memory_ = most_memory_;
    if (stopping()) fail(Status::cancelled, "cancelled before the work began");
}

void Control::finish() {
    last_report_ = {};
    report(1.0);
    // The callback may ask to stop in the last report too.
    if (stopping()) fail(Status::cancelled, "cancelled at the end");
}

void Control::check(double fraction) {
    last_fraction_ = std::clamp(fraction, last_fraction_, 1.0);
    report(scope_begin_ + scope_size_ * last_fraction_);
    if (whole_ != nullptr && whole_->on_calling_thread()) {
        whole_->check(part_.begin + (part_.end - part_.begin) * progress());
    }
    if (stopping()) fail(Status::cancelled, "cancelled", stage_.empty() ? "" : " during ", stage_);
}

void Control::check(double fraction, std::string stage) {
    stage_ = std::move(stage);
    if (whole_ != nullptr && whole_->on_calling_thread()) whole_->stage_ = stage_;
    check(fraction);
}

void Control::report(double overall) {
    using namespace std::chrono_literals;
    overall = std::clamp(overall, progress(), 1.0);  // Progress never falls.
    progress_.store(overall, std::memory_order_relaxed);
    if (!callback_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_report_ < 50ms) return;
    last_report_ = now;
    if (!callback_(overall, stage_)) declined_.store(true, std::memory_order_relaxed);
}

ProgressScope::ProgressScope(Control& control, double begin, double end, std::string stage)
    : control_(control),
      saved_begin_(control.scope_begin_),
      saved_size_(control.scope_size_),
      saved_fraction_(control.last_fraction_),
      end_(end),
      saved_stage_(control.stage_) {
    control_.scope_begin_ = saved_begin_ + saved_size_ * begin;
    control_.scope_size_ = saved_size_ * (end - begin);
    control_.last_fraction_ = 0;
    if (!stage.empty()) control_.stage_ = std::move(stage);
}

ProgressScope::~ProgressScope() {
    control_.scope_begin_ = saved_begin_;
    control_.scope_size_ = saved_size_;
    control_.last_fraction_ = std::max(saved_fraction_, end_);
    control_.stage_ = std::move(saved_stage_);
}

}  // namespace dk

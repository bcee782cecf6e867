// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "base/control.hpp"

namespace dk {

/// Holds a part of a call's budget for objects that stay a while, such as the content of a file, so that what
/// the call asks for meanwhile has to fit beside them. It gives back what it holds when it ends. Only the
/// calling thread takes, and the control outlives it.
class MemoryHold {
  public:
    explicit MemoryHold(Control& control) : control_(&control) {}
    MemoryHold(Control& control, double bytes, std::string_view what) : control_(&control) {
        take(bytes, what);
    }
    ~MemoryHold() { control_->hold_memory(-held_); }
    MemoryHold(MemoryHold&& other) noexcept
        : control_(other.control_), held_(std::exchange(other.held_, 0.0)) {}
    MemoryHold& operator=(MemoryHold&& other) noexcept {
        std::swap(control_, other.control_);
        std::swap(held_, other.held_);
        return *this;
    }
    MemoryHold(const MemoryHold&) = delete;
    MemoryHold& operator=(const MemoryHold&) = delete;

    /// Takes more, or throws Error(memory_budget) where `what` does not fit.
    void take(double bytes, std::string_view what) {
        control_->memory().require(bytes, what);
        control_->hold_memory(bytes);
        held_ += bytes;
    }

  private:
    Control* control_;
    double held_ = 0;
};

}  // namespace dk

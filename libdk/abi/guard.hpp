// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "abi/handles.hpp"
#include "base/error.hpp"

namespace dk::abi {

/// Counts of rows, columns and entries above it are refused before anything is computed from them.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 40;

/// Keeps the message of the exception that is being handled for dk_last_error(), and gives its status.
dk_status status_of_current_exception() noexcept;

/// Runs the body of a function of the C interface and turns exceptions into statuses.
template <typename Body>
dk_status guarded(Body body) noexcept {
    try {
        body();
        return DK_OK;
    } catch (...) {
        return status_of_current_exception();
    }
}

/// Runs the body of a function that makes a handle. *out is NULL unless it succeeds.
template <typename Handle, typename Make>
dk_status guarded_create(Handle** out, Make make) noexcept {
    return guarded([&] {
        if (out == nullptr) fail(Status::invalid_argument, "out is NULL; it must point to a handle");
        *out = nullptr;
        *out = std::make_unique<Handle>(make()).release();  // The caller owns it until dk_*_free().
    });
}

/// Gives the object that a pointer argument points to; throws Error(invalid_argument) that names a null
/// argument.
template <typename T>
T& required(T* pointer, const char* name) {
    if (pointer == nullptr) fail(Status::invalid_argument, name, " is NULL");
    return *pointer;
}

/// Gives a caller's array, which must have exactly `expected` elements.
template <typename T>
std::span<T> required_array(T* pointer, const char* name, std::int64_t length, std::int64_t expected) {
    if (length != expected) {
        fail(Status::invalid_argument, "length of ", name, " is ", length, "; it must be ", expected);
    }
    if (expected > 0) required(pointer, name);
    return {pointer, static_cast<std::size_t>(expected)};
}

std::string_view required_text(const char* text, const char* name);

/// Copies a text and a zero after it to a caller's buffer of `capacity` bytes, and tells the size that it
/// needs. An empty null buffer asks for the size only.
void write_text(std::string_view text, char* out, std::int64_t capacity, std::int64_t* needed);

/// Copies bytes to a caller's buffer, without a zero after them, as write_text() does.
void write_bytes(std::string_view bytes, void* out, std::int64_t capacity, std::int64_t* needed);

/// Keeps a control for itself while it lives. Throws Error(invalid_argument) where a call runs with the
/// control already: one of another thread, or the one whose callback calls.
class OnlyUser {
  public:
    explicit OnlyUser(dk_control& control) : in_use_(control.in_use) {
        if (in_use_.exchange(true))
            fail(Status::invalid_argument,
                 "control is in use by a call that has not ended; only "
                 "dk_control_cancel and dk_control_progress may be called now");
    }
    ~OnlyUser() { in_use_ = false; }
    OnlyUser(const OnlyUser&) = delete;
    OnlyUser& operator=(const OnlyUser&) = delete;

  private:
    std::atomic<bool>& in_use_;
};

/// The control of one call: the caller's, or one of its own if the caller gives none.
class Call {
  public:
    Call(dk_control* control, const char* stage) : control_(control != nullptr ? control->value : own_) {
        if (control != nullptr) user_.emplace(*control);
        control_.begin(stage);
    }
    Control& control() { return control_; }
    /// Reports the end; whoever has done the work calls it.
    void finish() { control_.finish(); }

  private:
    std::optional<OnlyUser> user_;
    Control own_;
    Control& control_;
};

}  // namespace dk::abi

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "abi/handles.hpp"
#include "base/error.hpp"

namespace dk::abi {

/// Notes the message of the exception in flight for dk_last_error and returns its status.
dk_status status_of_current_exception() noexcept;

/// Runs the body of an ABI function: exceptions stay inside, statuses go outside.
template <typename Body>
dk_status guarded(Body body) noexcept {
    try {
        body();
        return DK_OK;
    } catch (...) {
        return status_of_current_exception();
    }
}

/// The same for a function that makes a handle: *out is NULL unless it succeeds.
template <typename Handle, typename Make>
dk_status guarded_create(Handle** out, Make make) noexcept {
    return guarded([&] {
        if (out == nullptr) fail(Status::invalid_argument, "out is NULL; it must point to a handle");
        *out = nullptr;
        *out = std::make_unique<Handle>(make()).release();  // the caller's until dk_*_free
    });
}

/// The object behind a pointer argument; throws Error(invalid_argument) naming it when it is null.
template <typename T>
T& required(T* pointer, const char* name) {
    if (pointer == nullptr) fail(Status::invalid_argument, name, " is NULL");
    return *pointer;
}

/// A caller's array of exactly `expected` elements.
template <typename T>
std::span<T> required_array(T* pointer, const char* name, std::int64_t length, std::int64_t expected) {
    if (length != expected) {
        fail(Status::invalid_argument, "length of ", name, " is ", length, "; it must be ", expected);
    }
    if (expected > 0) required(pointer, name);
    return {pointer, static_cast<std::size_t>(expected)};
}

std::string_view required_text(const char* text, const char* name);

/// Copies text and its terminating zero out, by the protocol of dk.h.
void write_text(std::string_view text, char* out, std::int64_t capacity, std::int64_t* needed);

/// Copies bytes out by the same protocol.
void write_bytes(std::string_view bytes, void* out, std::int64_t capacity, std::int64_t* needed);

/// The caller's control, or one of its own, during one call.
class Call {
  public:
    Call(dk_control* control, const char* stage) : control_(control != nullptr ? control->value : own_) {
        control_.begin(stage);
    }
    Control& control() { return control_; }
    /// To be called when the work is done and has succeeded.
    void finish() { control_.finish(); }

  private:
    Control own_;
    Control& control_;
};

}  // namespace dk::abi

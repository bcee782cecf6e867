// SPDX-License-Identifier: Apache-2.0
#include "abi/guard.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "base/report.hpp"
#include "base/unicode.hpp"

namespace dk::abi {

namespace {

// The library throws dk::Status and callers get the constants of dk.h, which have to be the same numbers.
constexpr bool same(Status status, dk_status constant) {
    return static_cast<dk_status>(status) == constant;
}
static_assert(same(Status::ok, DK_OK));
static_assert(same(Status::invalid_argument, DK_ERR_INVALID_ARGUMENT));
static_assert(same(Status::invalid_parameter, DK_ERR_INVALID_PARAMETER));
static_assert(same(Status::invalid_kernel, DK_ERR_INVALID_KERNEL));
static_assert(same(Status::invalid_data, DK_ERR_INVALID_DATA));
static_assert(same(Status::dimension, DK_ERR_DIMENSION));
static_assert(same(Status::out_of_memory, DK_ERR_OUT_OF_MEMORY));
static_assert(same(Status::memory_budget, DK_ERR_MEMORY_BUDGET));
static_assert(same(Status::cancelled, DK_ERR_CANCELLED));
static_assert(same(Status::unsupported, DK_ERR_UNSUPPORTED));
static_assert(same(Status::io, DK_ERR_IO));
static_assert(same(Status::model_format, DK_ERR_MODEL_FORMAT));
static_assert(same(Status::numerical, DK_ERR_NUMERICAL));
static_assert(same(Status::buffer_too_small, DK_ERR_BUFFER_TOO_SMALL));
static_assert(same(Status::internal, DK_ERR_INTERNAL));
static_assert(same(Status::callback, DK_ERR_CALLBACK));

// This is an array because noting an error must not allocate, and because nothing may be left to destroy when
// a program unloads the library.
thread_local std::array<char, 2048> last_message{};

/// Keeps a message for dk_last_error(). Messages quote what callers and files gave, so that it replaces bytes
/// that are no UTF-8 and control characters, with which a terminal could be told what to do. It ends before a
/// character that does not fit.
dk_status note(Status status, std::string_view message) noexcept {
    std::size_t count = 0;
    while (!message.empty()) {
        const bool shown = character_bytes(message) > 0 && !begins_with_control(message);
        const auto length = std::max<std::size_t>(1, character_bytes(message));
        if (count + length >= last_message.size()) break;
        if (shown) {
            std::copy_n(message.begin(), length, last_message.begin() + count);
            count += length;
        } else {
            last_message[count++] = '?';
        }
        message.remove_prefix(length);
    }
    last_message[count] = '\0';
    return static_cast<dk_status>(status);
}

}  // namespace

dk_status status_of_current_exception() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        return note(error.status(), error.what());
    } catch (const std::bad_alloc&) {
        return note(Status::out_of_memory, "out of memory: the system refused an allocation");
    } catch (const std::length_error&) {
        return note(Status::out_of_memory, "out of memory: the sizes are beyond what can be addressed");
    } catch (...) {
        // JSON is read of models alone, whose reports a file may have changed.
        if (reading_json_failed())
            return note(Status::model_format,
                        "damaged model: what it tells of its training is not what training writes");
        // What the standard library says of itself, such as "map::at", helps nobody who calls libdk.
        return note(Status::internal,
                    "an unexpected failure inside libdk, which is a defect of it; please report it");
    }
}

std::string_view required_text(const char* text, const char* name) {
    return &required(text, name);
}

void write_bytes(std::string_view bytes, void* out, std::int64_t capacity, std::int64_t* needed) {
    required(needed, "needed") = std::ssize(bytes);
    if (capacity < 0) fail(Status::invalid_argument, "capacity is ", capacity, "; it must be at least 0");
    if (out == nullptr && capacity == 0) return;
    required(static_cast<char*>(out), "out");
    if (capacity < std::ssize(bytes)) {
        fail(Status::buffer_too_small, "capacity is ", capacity, ", needed are ", bytes.size(), " bytes");
    }
    std::memcpy(out, bytes.data(), bytes.size());
}

void write_text(std::string_view text, char* out, std::int64_t capacity, std::int64_t* needed) {
    const std::string terminated(text);
    write_bytes({terminated.c_str(), terminated.size() + 1}, out, capacity, needed);
}

}  // namespace dk::abi

const char* dk_last_error(void) {
    return dk::abi::last_message.data();
}

const char* dk_status_name(dk_status status) {
    switch (status) {
        case DK_OK:
            return "DK_OK";
        case DK_ERR_INVALID_ARGUMENT:
            return "DK_ERR_INVALID_ARGUMENT";
        case DK_ERR_INVALID_PARAMETER:
            return "DK_ERR_INVALID_PARAMETER";
        case DK_ERR_INVALID_KERNEL:
            return "DK_ERR_INVALID_KERNEL";
        case DK_ERR_INVALID_DATA:
            return "DK_ERR_INVALID_DATA";
        case DK_ERR_DIMENSION:
            return "DK_ERR_DIMENSION";
        case DK_ERR_OUT_OF_MEMORY:
            return "DK_ERR_OUT_OF_MEMORY";
        case DK_ERR_MEMORY_BUDGET:
            return "DK_ERR_MEMORY_BUDGET";
        case DK_ERR_CANCELLED:
            return "DK_ERR_CANCELLED";
        case DK_ERR_UNSUPPORTED:
            return "DK_ERR_UNSUPPORTED";
        case DK_ERR_IO:
            return "DK_ERR_IO";
        case DK_ERR_MODEL_FORMAT:
            return "DK_ERR_MODEL_FORMAT";
        case DK_ERR_NUMERICAL:
            return "DK_ERR_NUMERICAL";
        case DK_ERR_BUFFER_TOO_SMALL:
            return "DK_ERR_BUFFER_TOO_SMALL";
        case DK_ERR_INTERNAL:
            return "DK_ERR_INTERNAL";
        case DK_ERR_CALLBACK:
            return "DK_ERR_CALLBACK";
        default:
            return "DK_ERR_UNKNOWN";
    }
}

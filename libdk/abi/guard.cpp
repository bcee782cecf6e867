// SPDX-License-Identifier: Apache-2.0
#include "abi/guard.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace dk::abi {

namespace {

// An array, not a string: noting an error must not allocate, and nothing is left to destroy when a
// host unloads the library.
thread_local std::array<char, 2048> last_message{};

dk_status note(Status status, std::string_view message) noexcept {
    auto count = std::min(message.size(), last_message.size() - 1);
    while (count > 0 && count < message.size() && (static_cast<unsigned char>(message[count]) & 0xC0U) == 0x80U) {
        --count;  // never half of a UTF-8 character
    }
    std::copy_n(message.begin(), count, last_message.begin());
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
    } catch (const std::exception& error) {
        return note(Status::internal, error.what());
    } catch (...) {
        return note(Status::internal, "an unknown exception; this is a defect of libdk");
    }
}

std::string_view required_text(const char* text, const char* name) {
    return &required(text, name);
}

void write_bytes(std::string_view bytes, void* out, std::int64_t capacity, std::int64_t* needed) {
    required(needed, "needed") = static_cast<std::int64_t>(bytes.size());
    if (capacity < 0) fail(Status::invalid_argument, "capacity is ", capacity, "; it must be at least 0");
    if (out == nullptr && capacity == 0) return;
    required(static_cast<char*>(out), "out");
    if (capacity < static_cast<std::int64_t>(bytes.size())) {
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
        case DK_OK: return "DK_OK";
        case DK_ERR_INVALID_ARGUMENT: return "DK_ERR_INVALID_ARGUMENT";
        case DK_ERR_INVALID_PARAMETER: return "DK_ERR_INVALID_PARAMETER";
        case DK_ERR_INVALID_KERNEL: return "DK_ERR_INVALID_KERNEL";
        case DK_ERR_INVALID_DATA: return "DK_ERR_INVALID_DATA";
        case DK_ERR_DIMENSION: return "DK_ERR_DIMENSION";
        case DK_ERR_OUT_OF_MEMORY: return "DK_ERR_OUT_OF_MEMORY";
        case DK_ERR_MEMORY_BUDGET: return "DK_ERR_MEMORY_BUDGET";
        case DK_ERR_CANCELLED: return "DK_ERR_CANCELLED";
        case DK_ERR_UNSUPPORTED: return "DK_ERR_UNSUPPORTED";
        case DK_ERR_IO: return "DK_ERR_IO";
        case DK_ERR_MODEL_FORMAT: return "DK_ERR_MODEL_FORMAT";
        case DK_ERR_NUMERICAL: return "DK_ERR_NUMERICAL";
        case DK_ERR_BUFFER_TOO_SMALL: return "DK_ERR_BUFFER_TOO_SMALL";
        case DK_ERR_INTERNAL: return "DK_ERR_INTERNAL";
        default: return "DK_ERR_UNKNOWN";
    }
}

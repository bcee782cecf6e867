// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>

#include "base/text.hpp"

namespace dk {

/// The kinds of failure, with the values of dk_status in dk.h.
enum class Status : int {
    ok = 0,
    invalid_argument = 1,
    invalid_parameter = 2,
    invalid_kernel = 3,
    invalid_data = 4,
    dimension = 5,
    out_of_memory = 6,
    memory_budget = 7,
    cancelled = 8,
    unsupported = 9,
    io = 10,
    model_format = 11,
    numerical = 12,
    buffer_too_small = 13,
    internal = 14,
    callback = 15
};

/// The exception that every part of libdk throws. The C interface turns it into a status and a message.
class Error : public std::runtime_error {
  public:
    Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    Status status() const { return status_; }

  private:
    Status status_;
};

/// Gives the operating system's message for an errno.
inline std::string system_message(int error) {
    return std::generic_category().message(error);
}

/// Throws an Error whose message joins the parts.
template <typename... Parts>
[[noreturn]] void fail(Status status, const Parts&... parts) {
    throw Error(status, text(parts...));
}

}  // namespace dk

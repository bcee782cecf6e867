// SPDX-License-Identifier: Apache-2.0
#ifndef DK_ERROR_HPP
#define DK_ERROR_HPP

#include <dk/dk.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace libdk {

/// What failed in a call of libdk; the values are those of dk.h.
enum class Status : std::int32_t {
    ok = DK_OK,
    invalid_argument = DK_ERR_INVALID_ARGUMENT,
    invalid_parameter = DK_ERR_INVALID_PARAMETER,
    invalid_kernel = DK_ERR_INVALID_KERNEL,
    invalid_data = DK_ERR_INVALID_DATA,
    dimension = DK_ERR_DIMENSION,
    out_of_memory = DK_ERR_OUT_OF_MEMORY,
    memory_budget = DK_ERR_MEMORY_BUDGET,
    cancelled = DK_ERR_CANCELLED,
    unsupported = DK_ERR_UNSUPPORTED,
    io = DK_ERR_IO,
    model_format = DK_ERR_MODEL_FORMAT,
    numerical = DK_ERR_NUMERICAL,
    buffer_too_small = DK_ERR_BUFFER_TOO_SMALL,
    internal = DK_ERR_INTERNAL,
    callback = DK_ERR_CALLBACK
};

/// The name of a status, such as "DK_ERR_CANCELLED".
inline std::string name_of(Status status) {
    return dk_status_name(static_cast<dk_status>(status));
}

/// A call of libdk that failed: what() says what was wrong, with which value, and what is allowed.
class Error : public std::runtime_error {
  public:
    Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    Status status() const noexcept { return status_; }

  private:
    Status status_;
};

namespace detail {

/// Throws what libdk said, unless the call succeeded.
inline void check(dk_status status) {
    if (status != DK_OK) throw Error(static_cast<Status>(status), dk_last_error());
}

/// Gives the text that a function of dk.h writes.
template <typename Function, typename... Arguments>
std::string text_of(Function function, Arguments... arguments) {
    std::int64_t needed = 0;
    check(function(nullptr, 0, &needed, arguments...));
    std::string text(static_cast<std::size_t>(needed), '\0');
    check(function(text.data(), needed, &needed, arguments...));
    text.resize(static_cast<std::size_t>(needed) - 1);  // The zero at the end belongs to C.
    return text;
}

/// Fills a vector by a function of dk.h, whose first arguments are a buffer and its length.
template <typename Element, typename Function, typename... Arguments>
std::vector<Element> vector_of(std::int64_t length, Function function, Arguments... arguments) {
    std::vector<Element> out(static_cast<std::size_t>(length > 0 ? length : 0));
    check(function(out.data(), length, arguments...));
    return out;
}

/// Fills the caller's memory by a function of dk.h, whose first arguments are a buffer and its length.
template <typename Element, typename Function, typename... Arguments>
void fill(std::span<Element> out, Function function, Arguments... arguments) {
    check(function(out.data(), static_cast<std::int64_t>(out.size()), arguments...));
}

/// The text as C has it. What lies behind a zero would be lost without a word.
inline const char* text_for_c(const std::string& text) {
    if (text.find('\0') != std::string::npos)
        throw Error(Status::invalid_argument, "a string holds a zero character");
    return text.c_str();
}

/// The texts as C has them, as long as the vector of strings lives.
inline std::vector<const char*> pointers_of(const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const std::string& text : texts) pointers.push_back(text_for_c(text));
    return pointers;
}

}  // namespace detail

/// "major.minor.patch" of the library that is loaded.
inline std::string version() {
    return dk_version_string();
}
/// One line about the library's build: version, compiler, and the vector instructions in use.
inline std::string build_info() {
    return dk_build_info();
}
/// All machines, kernels, weights, layers, parameters and metrics with their documentation, as JSON.
inline std::string describe() {
    return detail::text_of(dk_describe);
}

}  // namespace libdk

#endif  // DK_ERROR_HPP

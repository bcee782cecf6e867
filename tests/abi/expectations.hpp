// SPDX-License-Identifier: Apache-2.0
// These functions check what every failing call owes its caller: the status, a message of its own that names
// the offending value and tells nothing of the program's insides, no handle, and buffers of the wrong length
// left alone.
#ifndef DK_TESTS_ABI_EXPECTATIONS_HPP
#define DK_TESTS_ABI_EXPECTATIONS_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "handles.hpp"
#include "plain_messages.hpp"

namespace dk_test {

using Words = std::vector<std::string>;

/// The place of a call, where it is the default of a parameter. Clang 14 has no std::source_location.
class Place {
  public:
    static constexpr Place current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return {file, line};
    }
    constexpr const char* file_name() const { return file_; }
    constexpr int line() const { return line_; }

  private:
    constexpr Place(const char* file, int line) : file_(file), line_(line) {}

    const char* file_;
    int line_;
};

/// Tells whether the library runs several times slower than it should, as under sanitizers.
inline bool slowed_down() {
    return std::getenv("DK_TEST_SLOW") != nullptr;
}

inline std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return lower;
}

/// Tells whether `word` stands in `text` on its own, whatever its case: "3" is not in "13", but it is in "row
/// 3," and so is "-1" in "rows=-1".
inline bool has_word(std::string_view text, std::string_view word) {
    const auto joins = [](char character) {
        return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
    };
    const std::string haystack = lower_case(text);
    const std::string needle = lower_case(word);
    if (needle.empty()) return true;
    for (std::size_t at = haystack.find(needle); at != std::string::npos;
         at = haystack.find(needle, at + 1)) {
        const std::size_t end = at + needle.size();
        const bool starts = at == 0 || !joins(haystack[at - 1]) || !joins(needle.front());
        const bool ends = end == haystack.size() || !joins(haystack[end]) || !joins(needle.back());
        if (starts && ends) return true;
    }
    return false;
}

/// Makes a failure whose message cannot be mistaken for that of the next one.
constexpr std::string_view old_message = "stale_message_of_an_earlier_call";

inline void leave_old_message() {
    dk_params* none = nullptr;
    EXPECT_NE(dk_params_create(&none, old_message.data()), DK_OK);
}

inline std::string names_of(const std::vector<dk_status>& statuses) {
    std::string names;
    for (const dk_status status : statuses)
        names += std::string(names.empty() ? "" : " or ") + dk_status_name(status);
    return names;
}

/// Expects the call to fail with one of these statuses and a fresh message that has all the words.
template <std::invocable Call>
void expect_failure_in(Call&& call, const std::vector<dk_status>& allowed, const Words& words = {},
                       Place where = Place::current()) {
    leave_old_message();
    const dk_status status = call();
    const std::string message = status == DK_OK ? "" : dk_last_error();
    const auto file = where.file_name();
    const int line = where.line();
    if (std::find(allowed.begin(), allowed.end(), status) == allowed.end()) {
        ADD_FAILURE_AT(file, line) << "got " << dk_status_name(status) << " (" << message << "), expected "
                                   << names_of(allowed);
        return;
    }
    if (message.empty() || message.find(old_message) != std::string::npos) {
        ADD_FAILURE_AT(file, line) << dk_status_name(status) << " without a message of its own: " << message;
        return;
    }
    if (const auto of_libraries = words_of_libraries(message); !of_libraries.empty()) {
        ADD_FAILURE_AT(file, line) << "'" << of_libraries << "' is no message for users: " << message;
        return;
    }
    if (message.size() > 4096) {
        ADD_FAILURE_AT(file, line) << "a message of " << message.size() << " bytes is no help to anybody";
        return;
    }
    for (const std::string& word : words) {
        if (!has_word(message, word)) {
            ADD_FAILURE_AT(file, line) << "the message does not name '" << word << "': " << message;
        }
    }
}

template <std::invocable Call>
void expect_failure(Call&& call, dk_status expected, const Words& words = {},
                    Place where = Place::current()) {
    expect_failure_in(call, {expected}, words, where);
}

inline void release(dk_data* handle) {
    dk_data_free(handle);
}
inline void release(dk_params* handle) {
    dk_params_free(handle);
}
inline void release(dk_model* handle) {
    dk_model_free(handle);
}

/// Expects such a failure of a function that makes a handle: `*out` must be NULL afterwards, whatever it was
/// before.
template <typename Handle, std::invocable<Handle**> Call>
void expect_no_handle_in(Call&& call, const std::vector<dk_status>& allowed, const Words& words = {},
                         Place where = Place::current()) {
    static char no_handle;
    Handle* const before = reinterpret_cast<Handle*>(&no_handle);
    Handle* out = before;
    expect_failure_in([&] { return call(&out); }, allowed, words, where);
    if (out == nullptr) return;
    ADD_FAILURE_AT(where.file_name(), where.line()) << "*out is not NULL";
    if (out != before) release(out);
}

template <typename Handle, std::invocable<Handle**> Call>
void expect_no_handle(Call&& call, dk_status expected, const Words& words = {},
                      Place where = Place::current()) {
    expect_no_handle_in<Handle>(call, {expected}, words, where);
}

/// Expects a function that fills a buffer to take exactly `right` elements: NULL and any other length fail
/// without a byte written, the right length fills the buffer and nothing behind it.
template <typename Element, std::invocable<Element*, int64_t> Call>
void expect_exact_length(Call&& call, int64_t right, Place where = Place::current()) {
    const testing::ScopedTrace trace(where.file_name(), where.line(), "checked here");
    const Element untouched = static_cast<Element>(-12345);
    std::vector<Element> buffer(static_cast<std::size_t>(right) + 2, untouched);
    expect_failure([&] { return call(static_cast<Element*>(nullptr), right); }, DK_ERR_INVALID_ARGUMENT);
    const int64_t least = std::numeric_limits<int64_t>::min();
    const int64_t largest = std::numeric_limits<int64_t>::max();
    for (const int64_t wrong : {right - 1, right + 1, int64_t{0}, int64_t{-1}, -right, least, largest}) {
        expect_failure([&] { return call(buffer.data(), wrong); }, DK_ERR_INVALID_ARGUMENT,
                       {std::to_string(wrong), std::to_string(right)});
        EXPECT_TRUE(std::all_of(buffer.begin(), buffer.end(), [&](Element e) { return e == untouched; }));
    }
    EXPECT_EQ(call(buffer.data(), right), DK_OK) << dk_last_error();
    EXPECT_EQ(buffer[static_cast<std::size_t>(right)], untouched);
    EXPECT_EQ(buffer[static_cast<std::size_t>(right) + 1], untouched);
}

/// Tells whether numbers are equal to the last bit: 0 and -0 differ, a NaN equals itself.
inline testing::AssertionResult same_bits(const std::vector<double>& left, const std::vector<double>& right) {
    if (left.size() != right.size()) {
        return testing::AssertionFailure() << "sizes " << left.size() << " and " << right.size();
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (std::bit_cast<uint64_t>(left[i]) == std::bit_cast<uint64_t>(right[i])) continue;
        return testing::AssertionFailure() << "element " << i << ": " << testing::PrintToString(left[i])
                                           << " and " << testing::PrintToString(right[i]);
    }
    return testing::AssertionSuccess();
}

inline testing::AssertionResult all_finite(const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            return testing::AssertionFailure() << "element " << i << " is " << values[i];
        }
    }
    return testing::AssertionSuccess();
}

/// Compares numbers by the largest difference relative to the largest element, for results whose rounding may
/// differ.
inline testing::AssertionResult nearly_equal(const std::vector<double>& left,
                                             const std::vector<double>& right, double tolerance) {
    if (left.size() != right.size()) {
        return testing::AssertionFailure() << "sizes " << left.size() << " and " << right.size();
    }
    double largest = 0.0;
    for (const double value : right) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (std::abs(left[i] - right[i]) <= tolerance * largest) continue;
        return testing::AssertionFailure() << "element " << i << ": " << left[i] << " and " << right[i];
    }
    return testing::AssertionSuccess();
}

}  // namespace dk_test

#endif  // DK_TESTS_ABI_EXPECTATIONS_HPP

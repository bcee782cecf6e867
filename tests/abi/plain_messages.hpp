// SPDX-License-Identifier: Apache-2.0
// What the standard library says of itself helps nobody who calls libdk, so that no message may have it.
#ifndef DK_TESTS_ABI_PLAIN_MESSAGES_HPP
#define DK_TESTS_ABI_PLAIN_MESSAGES_HPP

#include <string_view>

namespace dk_test {

/// Gives the first words in a message that are of the standard library's exceptions, of JSON's, or of a
/// program's insides, and nothing where it has none.
inline std::string_view words_of_libraries(std::string_view message) {
    constexpr std::string_view known[] = {
        "map::at",          "vector::",      "basic_string", "deque::",      "array::",
        "bitset::",         "stoi",          "stoul",        "stod",         "bad_alloc",
        "bad_array",        "bad_cast",      "bad_any",      "bad_function", "bad_optional",
        "bad_typeid",       "bad_variant",   "bad_weak",     "bad optional", "bad variant",
        "bad any",          "bad cast",      "std::",        "__gnu",        "_M_",
        "json.exception",   "[json",         "regex_error",  "ios_base",     "basic_ios",
        "filesystem error", "what():",       "out_of_range", "length_error", "invalid_argument",
        "logic_error",      "runtime_error", "system_error", "future_error", "terminate called",
        "Assertion",        "Eigen::",       "CLI::",        "pure virtual", "unexpected failure inside"};
    std::string_view first;
    std::size_t place = std::string_view::npos;
    for (const std::string_view words : known) {
        const std::size_t at = message.find(words);
        if (at < place) {
            place = at;
            first = words;
        }
    }
    return first;
}

}  // namespace dk_test

#endif  // DK_TESTS_ABI_PLAIN_MESSAGES_HPP

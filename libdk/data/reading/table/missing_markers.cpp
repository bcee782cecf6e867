// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/missing_markers.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

using Words = std::span<const std::string_view>;

// Case matters here: None and NULL are what programs write, while none and null may be words of people.
constexpr std::array<std::string_view, 9> exact_words{"",     "?",   "NULL", "null", "None",
                                                      "<NA>", "NaT", "#N/A", "NIL"};
constexpr std::array<std::string_view, 3> words_in_any_case{"na", "n/a", "nan"};
constexpr std::array<std::string_view, 6> words_among_numbers{"-", "--", ".", "n.a.", "none", "nil"};
constexpr std::array<std::string_view, 2> infinite_words{"inf", "infinity"};

bool same_in_lower_case(std::string_view field, std::string_view word) {
    return std::ranges::equal(
        field, word, {}, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

bool is_any_of(std::string_view field, Words words) {
    return std::ranges::any_of(words, [&](auto word) { return same_in_lower_case(field, word); });
}

std::string_view without_sign(std::string_view field) {
    const bool has_sign = field.starts_with('+') || field.starts_with('-');
    return field.substr(has_sign ? 1 : 0);
}

}  // namespace

MissingMarkers::MissingMarkers(const std::string& option) {
    bool told = false;
    const std::vector<std::string> words = split(option, ',');
    if (words.size() == 1 && option != "refuse" && option != "keep" && option != "only") {
        fail(Status::invalid_parameter, "missing cannot be ", in_quotes(option),
             ": allowed is refuse, keep, or a list of words that say that a value is missing, such as keep,",
             option, " (default refuse)");
    }
    for (const std::string& word : words) {
        if (word == "refuse" || word == "keep") {
            kept_ = word == "keep";
            told = true;
        } else if (word == "only") {
            usual_ = false;
        } else {
            given_.push_back(word);
            has_numbers_ = has_numbers_ || parse_number(word);
        }
    }
    if (!told) kept_ = true;
}

MissingMarkers MissingMarkers::with_only(std::string_view word) const {
    MissingMarkers markers = *this;
    markers.usual_ = false;
    markers.given_.emplace_back(word);
    return markers;
}

bool MissingMarkers::is_given(std::string_view field) const {
    return std::ranges::find(given_, field) != given_.end();
}

bool MissingMarkers::marks(std::string_view field) const {
    if (is_given(field)) return true;
    if (!usual_) return field.empty();
    return std::ranges::find(exact_words, field) != exact_words.end() ||
           is_any_of(field, words_in_any_case) ||
           is_any_of(without_sign(field), Words(words_in_any_case).last(1));
}

bool MissingMarkers::marks_number(std::string_view field) const {
    return marks(field) || (usual_ && is_any_of(field, words_among_numbers));
}

bool MissingMarkers::marks_value(double value) const {
    return has_numbers_ && std::ranges::any_of(given_, [value](const std::string& word) {
               return parse_number(word) == value;
           });
}

bool says_infinite(std::string_view field) {
    return is_any_of(without_sign(field), infinite_words);
}

}  // namespace dk

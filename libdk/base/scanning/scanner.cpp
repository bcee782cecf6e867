// SPDX-License-Identifier: Apache-2.0
#include "base/scanning/scanner.hpp"

#include <algorithm>

namespace dk {

namespace {

// The functions of <cctype> would ask the locale, which must not change what a specification means.

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_sign(char c) {
    return c == '+' || c == '-';
}

bool is_exponent_mark(char c) {
    return c == 'e' || c == 'E';
}

}  // namespace

void Scanner::skip_blanks() {
    while (more() && blanks.find(text_[at_]) != std::string_view::npos) ++at_;
}

bool Scanner::at_end() {
    skip_blanks();
    return !more();
}

bool Scanner::sees(char c) {
    return !at_end() && text_[at_] == c;
}

bool Scanner::accept(char c) {
    if (!sees(c)) return false;
    ++at_;
    return true;
}

bool Scanner::sees_name() {
    return !at_end() && begins_name(text_[at_]);
}

bool Scanner::sees_number() {
    if (at_end()) return false;
    const char c = text_[at_];
    return is_digit(c) || is_sign(c) || c == '.';
}

std::string_view Scanner::name() {
    skip_blanks();
    const Index begin = at_;
    while (more() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string_view Scanner::number() {
    skip_blanks();
    const Index begin = at_;
    if (more() && is_sign(text_[at_])) ++at_;
    const auto continues = [&](char c) {
        return is_digit(c) || c == '.' || is_exponent_mark(c) ||
               (is_sign(c) && at_ > begin && is_exponent_mark(text_[at_ - 1]));
    };
    while (more() && continues(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string_view Scanner::until(std::string_view ends) {
    const Index begin = at_;
    for (int depth = 0; more(); ++at_) {
        const char c = text_[at_];
        if (depth <= 0 && ends.find(c) != std::string_view::npos) break;
        if (c == '"') at_ = static_cast<Index>(std::min(text_.find('"', at_ + 1), text_.size() - 1));
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
    }
    return text_.substr(begin, at_ - begin);
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "exchange/c/c_words.hpp"

namespace dk {

std::string c_number(double value) {
    std::string number = format_number(value);
    if (number.find_first_of(".e") == std::string::npos) number += ".0";
    return value < 0 ? "(" + number + ")" : number;
}

std::string c_string(std::string_view name) {
    constexpr std::string_view digits = "01234567";
    std::string out = "\"";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= ' ' && byte < 127 && c != '"' && c != '\\' && c != '?') {
            out += c;
        } else {
            out += {'\\', digits[byte >> 6U], digits[(byte >> 3U) & 7U], digits[byte & 7U]};
        }
    }
    return out + "\"";
}

std::string c_comment(std::string_view words) {
    std::string out;
    for (const char c : words) {
        const bool marks = (c == '/' || c == '*') && !out.empty() && (out.back() == '/' || out.back() == '*');
        if (marks) out += ' ';
        out += c >= ' ' && c < 127 && c != '\\' ? c : '?';
    }
    return out;
}

}  // namespace dk

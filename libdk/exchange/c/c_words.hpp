// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/text.hpp"
#include "base/types.hpp"

namespace dk {

/// Writes a number so that C reads the same double.
std::string c_number(double value);

/// Writes an array of constant numbers.
template <typename Values>
std::string c_array(const std::string& declaration, const Values& values) {
    std::string out = "static const double " + declaration + " = {";
    Index on_line = 0;
    for (const auto value : values) {
        out += on_line++ % 6 == 0 ? "\n    " : " ";
        out += c_number(static_cast<double>(value)) + ",";
    }
    return out + "\n};\n";
}

/// Writes a text as C has it; what is no plain letter becomes an octal number.
std::string c_string(std::string_view name);

/// Writes a text as a part of a comment of C, which nothing in it can end: what is no plain letter becomes a
/// question mark, and stars and slashes stand apart.
std::string c_comment(std::string_view words);

}  // namespace dk

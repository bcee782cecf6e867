// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// A number in the text of a kernel that may have any other value of an interval: a real parameter above 0,
/// such as gamma of rbf.
struct AdjustableNumber {
    std::string name;  // of the kernel and the parameter, such as "rbf.gamma"
    double value = 1;
    double lowest = 0;  // may itself be left out, and is at least 0
    double highest = infinity;
    std::size_t begin = 0;  // where the number stands in the text
    std::size_t length = 0;
};

/// Lists the adjustable numbers in the text that a kernel gives of itself, in their order.
std::vector<AdjustableNumber> adjustable_numbers(std::string_view text);

/// Writes other values in their places.
std::string with_values(std::string_view text, std::span<const AdjustableNumber> numbers,
                        std::span<const double> values);

}  // namespace dk

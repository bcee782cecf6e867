// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/parameters.hpp"

namespace dk {

namespace parameter {
inline constexpr TextKey kernel{
    "kernel", "auto",
    "The kernel says how alike two rows are; brackets make a bank of several. auto is rbf for tables, "
    "gram(0) for similarities, gak for series, normalize(spectrum) for strings and "
    "normalize(weisfeiler_lehman) for graphs.",
    ParameterType::kernel};
inline constexpr TextKey weights{
    "weights", "uniform", "This strategy finds the weight of each kernel of a bank.", ParameterType::weights};
}  // namespace parameter

/// Throws what the parser throws where a parameter's value is no kernel or no weights, as its type says.
void check_expression(ParameterType type, std::string_view value);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/parameters.hpp"

namespace dk {

/// Reads levels such as "0.1,0.5,0.9", which lie between 0 and 1 and ascend. Throws Error(invalid_parameter)
/// where they don't.
std::vector<double> parse_levels(std::string_view setting);

/// What a function of a level is: below a quantile lies the level's share of the targets; from an expectile,
/// squared errors above and below balance as the level says.
enum class LevelLoss { quantile, expectile };

namespace parameter {
constexpr ChoiceKey<LevelLoss> level_loss{
    "loss",
    {"quantile", "expectile"},
    "Functions are quantiles, below which the share of the targets is the level, or expectiles, from which "
    "squared errors above and below balance as the level says; 0.5 is the median or the mean."};
constexpr TextKey levels{
    "levels", "0.1,0.5,0.9",
    "These shares of the targets shall lie below the functions: each level between 0 and 1, in ascending "
    "order, has a function, and predictions are those of the middle one. Decisions have a column for each "
    "level.",
    ParameterType::text, [](const std::string& setting) { static_cast<void>(parse_levels(setting)); }};
}  // namespace parameter

/// Gives the levels of the quantiles that a machine of these parameters learns; none where it learns others.
std::vector<double> quantile_levels(const Parameters& parameters);

}  // namespace dk

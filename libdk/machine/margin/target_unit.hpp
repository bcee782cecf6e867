// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/parameters.hpp"
#include "data/dataset.hpp"

namespace dk {

/// An amount of what targets measure: a number in their unit, or a multiple of their standard deviation.
struct TargetAmount {
    double number;
    bool in_deviations;
};

/// Reads "2.5", "deviation" or "0.1*deviation". It gives nothing for any other text.
std::optional<TargetAmount> parse_target_amount(std::string_view text);

/// Allows amounts that are greater than 0 (a cost), or at least 0 (the width of a tube).
void check_target_cost(const std::string& value);
void check_target_width(const std::string& value);

/// Gives the standard deviation of the targets, weighted as rows are, and 1 where all targets are equal.
///
/// Where nobody says what errors cost, they are counted in it. An error of half a deviation then costs as
/// much in metres as in miles, as if the targets had been scaled to deviation 1: with targets s y, costs s C
/// and a tube of s epsilon the regression is s times as high and otherwise the same.
double deviation_of_targets(const Dataset& data);

/// Gives the value of a parameter that is an amount, in the unit of the targets. Throws
/// Error(invalid_parameter) where that is no finite number.
double in_targets(const TextKey& key, const Parameters& parameters, const Dataset& data);

/// Gives the deviation of the targets for a parameter that is a multiple of it, else 1: the unit in which a
/// solver's tolerance counts, too.
double unit_of(const TextKey& key, const Parameters& parameters, const Dataset& data);

}  // namespace dk

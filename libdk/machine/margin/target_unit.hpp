// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/parameters.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Allows "auto", or a number that is greater than 0 (a cost), or at least 0 (the width of a tube).
void check_target_cost(const std::string& value);
void check_target_width(const std::string& value);

/// Gives the unit in which errors are counted where nobody says what they cost: the standard deviation of the
/// targets, weighted as rows are, and 1 where all targets are equal. An error of half a deviation then costs
/// as much in metres as in miles, as if the targets had been scaled to deviation 1: with targets s y, costs s
/// C and a tube of s epsilon the regression is s times as high and otherwise the same.
double unit_of_targets(const Dataset& data);

/// Reads a parameter that is a number in units of the targets, or auto, which is `usual` deviations.
double in_targets(const TextKey& key, double usual, const Parameters& parameters, const Dataset& data);

}  // namespace dk

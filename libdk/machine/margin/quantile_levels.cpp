// SPDX-License-Identifier: Apache-2.0
#include "machine/margin/quantile_levels.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

std::vector<double> parse_levels(std::string_view setting) {
    std::vector<double> levels;
    for (const auto& part : split(setting, ',')) {
        const auto level = parse_number(trimmed(part));
        if (!level || !(*level > 0 && *level < 1) || (!levels.empty() && *level <= levels.back())) {
            fail(Status::invalid_parameter, "levels cannot be ", in_quotes(setting),
                 ": allowed are numbers between 0 and 1 in ascending order with commas between them, such as "
                 "0.1,0.5,0.9 (default 0.1,0.5,0.9)");
        }
        levels.push_back(*level);
    }
    return levels;
}

std::vector<double> quantile_levels(const Parameters& parameters) {
    // The levels of a dictionary of levels are another parameter of this name, without a loss.
    const bool learns_levels =
        parameters.has(parameter::levels.name) && parameters.has(parameter::level_loss.name);
    if (!learns_levels || parameters[parameter::level_loss] != LevelLoss::quantile) return {};
    return parse_levels(parameters[parameter::levels]);
}

}  // namespace dk

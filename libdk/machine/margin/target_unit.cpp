// SPDX-License-Identifier: Apache-2.0
#include "machine/margin/target_unit.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

void require(bool allowed, std::string_view key, const std::string& value, std::string_view range) {
    if (value != "auto" && !allowed)
        fail(Status::invalid_parameter, "parameter ", key, " cannot be ", in_quotes(value),
             ": allowed is auto or a number, ", range, "; the default is auto");
}

}  // namespace

void check_target_cost(const std::string& value) {
    const auto number = parse_number(value);
    require(number && *number > 0, "C", value, "greater than 0");
}

void check_target_width(const std::string& value) {
    const auto number = parse_number(value);
    require(number && *number >= 0, "epsilon", value, "at least 0");
}

double unit_of_targets(const Dataset& data) {
    double weight = 0;
    double mean = 0;
    double squares = 0;  // sum_i w_i (y_i - mean)^2 of the rows so far (West 1979)
    for (Index i = 0; i < data.rows(); ++i) {
        const double w = data.sample_weights.empty() ? 1.0 : data.sample_weights[i];
        if (w == 0) continue;
        weight += w;
        const double step = data.targets[i] - mean;
        mean += step * (w / weight);
        squares += w * step * (data.targets[i] - mean);
    }
    const double deviation = std::sqrt(squares / weight);
    return std::isfinite(deviation) && deviation > 0 ? deviation : 1;
}

double in_targets(const TextKey& key, double usual, const Parameters& parameters, const Dataset& data) {
    const std::string& value = parameters[key];
    return value == "auto" ? usual * unit_of_targets(data) : *parse_number(value);
}

}  // namespace dk

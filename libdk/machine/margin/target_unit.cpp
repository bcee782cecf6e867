// SPDX-License-Identifier: Apache-2.0
#include "machine/margin/target_unit.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

void require_amount(std::string_view key, const std::string& value, bool allows_zero) {
    const auto amount = parse_target_amount(value);
    if (amount && (amount->number > 0 || (allows_zero && amount->number == 0))) return;
    fail(Status::invalid_parameter, "parameter ", key, " cannot be ", in_quotes(value),
         ": allowed is a number, ", allows_zero ? "at least 0" : "greater than 0",
         ", or a multiple of the targets' deviation such as 0.1*deviation");
}

TargetAmount amount_of(const TextKey& key, const Parameters& parameters) {
    return *parse_target_amount(parameters[key]);
}

}  // namespace

std::optional<TargetAmount> parse_target_amount(std::string_view text) {
    constexpr std::string_view unit = "deviation";
    if (!text.ends_with(unit)) {
        const auto number = parse_number(text);
        return number ? std::optional(TargetAmount{*number, false}) : std::nullopt;
    }
    std::string_view factor = trimmed(text.substr(0, text.size() - unit.size()));
    if (factor.empty()) return TargetAmount{1, true};
    if (!factor.ends_with('*')) return std::nullopt;
    factor.remove_suffix(1);
    const auto number = parse_number(trimmed(factor));
    return number ? std::optional(TargetAmount{*number, true}) : std::nullopt;
}

void check_target_cost(const std::string& value) {
    require_amount("C", value, false);
}

void check_target_width(const std::string& value) {
    require_amount("epsilon", value, true);
}

double deviation_of_targets(const Dataset& data) {
    // In units of the largest target no square overflows.
    double largest = 0;
    for (const double y : data.targets) largest = std::max(largest, std::abs(y));
    if (largest == 0) return 1;
    double weight = 0;
    double mean = 0;
    double squares = 0;  // sum_i w_i (y_i - mean)^2 of the rows so far (West 1979)
    for (Index i = 0; i < data.rows(); ++i) {
        const double w = data.sample_weights.empty() ? 1.0 : data.sample_weights[i];
        if (w == 0) continue;
        const double y = data.targets[i] / largest;
        weight += w;
        const double step = y - mean;
        mean += step * (w / weight);
        squares += w * step * (y - mean);
    }
    const double deviation = largest * std::sqrt(squares / weight);
    return deviation > 0 ? deviation : 1;
}

double in_targets(const TextKey& key, const Parameters& parameters, const Dataset& data) {
    const double value = amount_of(key, parameters).number * unit_of(key, parameters, data);
    if (!std::isfinite(value))
        fail(Status::invalid_parameter, "parameter ", key.name, " is ", in_quotes(parameters[key]),
             ", which is no finite number: the targets have the deviation ", deviation_of_targets(data));
    return value;
}

double unit_of(const TextKey& key, const Parameters& parameters, const Dataset& data) {
    return amount_of(key, parameters).in_deviations ? deviation_of_targets(data) : 1;
}

}  // namespace dk

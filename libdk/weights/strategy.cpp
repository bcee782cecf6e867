// SPDX-License-Identifier: Apache-2.0
#include "weights/strategy.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "kernel/expression.hpp"

namespace dk {

std::span<const WeightStrategy> weight_strategies() {
    static const std::vector<WeightStrategy> all = [] {
        std::vector<WeightStrategy> strategies{uniform_strategy(), fixed_strategy()};
        std::ranges::move(dimkl_strategies(), std::back_inserter(strategies));
        return strategies;
    }();
    return all;
}

WeightSpecification parse_weights(std::string_view text) {
    const Expression call = parse_expression(text);
    if (call.kind != Expression::Kind::call)
        fail_at(call.position, "expected a weight strategy such as uniform");
    const auto strategies = weight_strategies();
    const auto found = std::ranges::find(strategies, call.name, &WeightStrategy::name);
    if (found == strategies.end()) {
        std::vector<std::string> names;
        for (const auto& strategy : strategies) names.push_back(strategy.name);
        fail_at(call.position, dk::text("there is no weight strategy ", in_quotes(call.name), "; nearest is ",
                                        in_quotes(nearest_name(call.name, names))));
    }
    WeightSpecification specification{&*found, {}};
    for (const auto& argument : call.arguments) {
        const bool number = argument.key.empty() && argument.values.size() == 1 &&
                            argument.values.front().kind == WrittenValue::Kind::number;
        if (found->arguments.empty()) fail_at(argument.position, found->name + " takes no arguments");
        if (!number) fail_at(argument.position, "expected a number");
        specification.arguments.push_back(argument.values.front().number);
    }
    if (found->check != nullptr) found->check(specification.arguments);
    return specification;
}

}  // namespace dk

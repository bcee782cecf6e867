// SPDX-License-Identifier: Apache-2.0
#include "weights/strategy/strategy.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "kernel/language/expression.hpp"

namespace dk {

namespace {

/// Gives the value of an argument, which must be one number or word, as text for Parameters::set().
std::string written_text(const Argument& argument) {
    const bool one = argument.values.size() == 1;
    if (one && argument.values.front().kind == WrittenValue::Kind::number)
        return format_number(argument.values.front().number);
    if (!one || argument.values.front().kind != WrittenValue::Kind::word)
        fail_at(argument.position, text("expected one number or word for ", argument.key));
    return argument.values.front().word;
}

}  // namespace

std::span<const WeightStrategy> weight_strategies() {
    static const std::vector<WeightStrategy> all = [] {
        std::vector<WeightStrategy> strategies{uniform_strategy(), fixed_strategy()};
        std::ranges::move(dimkl_strategies(), std::back_inserter(strategies));
        strategies.push_back(dimkl6_strategy());
        strategies.push_back(mklgl_strategy());
        strategies.push_back(align_strategy());
        strategies.push_back(alignf_strategy());
        strategies.push_back(easymkl_strategy());
        strategies.push_back(umkl_strategy());
        strategies.push_back(gamkl_strategy());
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
    WeightSpecification specification{&*found, {}, Parameters("weights=" + found->name, found->parameters)};
    for (const auto& argument : call.arguments) {
        if (!argument.key.empty()) {
            specification.parameters.set(argument.key, written_text(argument));
            continue;
        }
        if (found->arguments.empty()) {
            fail_at(argument.position, found->name + (found->parameters.empty() ? " takes no arguments"
                                                                                : " takes key=value only"));
        }
        const bool number =
            argument.values.size() == 1 && argument.values.front().kind == WrittenValue::Kind::number;
        if (!number) fail_at(argument.position, "expected a number");
        specification.arguments.push_back(argument.values.front().number);
    }
    if (found->check != nullptr) found->check(specification.arguments);
    return specification;
}

}  // namespace dk

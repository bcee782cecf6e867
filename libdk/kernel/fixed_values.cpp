// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "kernel/bank.hpp"
#include "kernel/expression.hpp"
#include "kernel/family.hpp"

namespace dk {

namespace {

bool is_found_on_data(const WrittenValue& value) {
    return value.kind == WrittenValue::Kind::rule;
}

/// Whether a family's parameters are all written, or have numbers by default.
bool has_fixed_parameters(const Expression& call) {
    const auto families = kernel_families();
    const auto family = std::ranges::find(families, call.name, &KernelFamily::name);
    if (family == families.end()) return call.name == "exp" || call.name == "normalize" || call.name == "on";
    return std::ranges::all_of(family->parameters, [&](const ParameterSpec& spec) {
        return parse_number(spec.default_value).has_value() ||
               std::ranges::find(call.arguments, spec.name, &Argument::key) != call.arguments.end();
    });
}

bool is_fixed(const Expression& expression) {
    if (expression.kind == Expression::Kind::call && !has_fixed_parameters(expression)) return false;
    for (const Argument& argument : expression.arguments) {
        if (std::ranges::any_of(argument.values, is_found_on_data)) return false;
        if (argument.expression && !is_fixed(*argument.expression)) return false;
    }
    return std::ranges::all_of(expression.children, is_fixed);
}

}  // namespace

bool has_fixed_values(std::string_view text) {
    return text != "auto" && is_fixed(parse_expression(text));
}

}  // namespace dk

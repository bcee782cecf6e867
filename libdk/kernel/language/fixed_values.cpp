// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "kernel/language/bank.hpp"
#include "kernel/language/expression.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

bool is_found_on_data(const WrittenValue& value) {
    return value.kind == WrittenValue::Kind::rule;
}

/// Whether each parameter of a kernel is written, or has a number by default, so that none is found on the
/// data.
bool has_fixed_parameters(const KernelEntry& entry, const Expression& call) {
    return std::ranges::all_of(entry.parameters, [&](const ParameterSpec& spec) {
        return parse_number(spec.default_value).has_value() ||
               std::ranges::find(call.arguments, spec.name, &Argument::key) != call.arguments.end();
    });
}

bool is_fixed_call(const Expression& call) {
    const KernelEntry* entry = find_entry(call.name);
    if (entry == nullptr) return false;
    return entry->is_operator() ? entry->keeps_fixed_values : has_fixed_parameters(*entry, call);
}

bool is_fixed(const Expression& expression) {
    if (expression.kind == Expression::Kind::call && !is_fixed_call(expression)) return false;
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

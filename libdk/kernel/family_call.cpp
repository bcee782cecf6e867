// SPDX-License-Identifier: Apache-2.0
#include "kernel/family_call.hpp"

#include <set>

#include "base/error.hpp"

namespace dk {

const WrittenValue& only_value(const Argument& argument) {
    if (argument.values.size() != 1) fail_at(argument.position, "a list a:b stands only in grid() and on()");
    return argument.values.front();
}

namespace {

void add_positional(const KernelFamily& family, const Argument& argument, KernelArguments& arguments) {
    if (family.positional.empty()) {
        fail_at(argument.position, text("kernel ", family.name, " takes key=value arguments only"));
    }
    const WrittenValue& value = only_value(argument);
    if (value.kind != WrittenValue::Kind::number) fail_at(argument.position, "expected a number");
    arguments.positional.push_back(value.number);
}

double found_by_rule(const KernelFamily& family, const std::string& parameter, const std::string& rule,
                     const Columns& columns, const Setting& setting) {
    if (family.found_by_rule) return family.found_by_rule(parameter, rule, setting, columns);
    if (parameter != "gamma") {
        fail(Status::invalid_kernel, "parameter ", parameter, " of kernel ", family.name, " has no ", rule,
             " value");
    }
    return setting.width(rule, PairSum::squared, columns);
}

double checked(const KernelFamily& family, Parameters& parameters, const Argument& argument,
               const WrittenValue& value, const Columns& columns, const Setting& setting) {
    try {
        const auto& spec = parameters.spec(argument.key);
        if (value.kind == WrittenValue::Kind::word)
            parameters.set(argument.key, value.word);  // refuses it and says what is allowed
        double number = value.number;
        if (value.kind == WrittenValue::Kind::per_column) {
            number /= static_cast<double>(setting.column_count(columns));
        } else if (value.kind == WrittenValue::Kind::rule) {
            number *= found_by_rule(family, spec.name, value.word, columns, setting);
        }
        parameters.set(argument.key, format_value(number));
        return number;
    } catch (const Error& error) {
        fail_at(argument.position, error.what());
    }
}

}  // namespace

KernelPointer make_from_call(const KernelFamily& family, const Expression& expression, const Columns& columns,
                             const std::map<std::string, WrittenValue>& replaced, const Setting& setting) {
    KernelArguments arguments{.columns = columns, .column_count = setting.column_count(columns)};
    Parameters parameters("kernel " + family.name, family.parameters);
    std::set<std::string_view> seen;
    for (const auto& argument : expression.arguments) {
        if (argument.expression) {
            fail_at(argument.position, "kernel " + family.name + " takes no kernel as argument");
        }
        if (argument.key.empty()) {
            add_positional(family, argument, arguments);
            continue;
        }
        if (!seen.insert(argument.key).second)
            fail_at(argument.position, "parameter " + argument.key + " is given twice");
        const auto replacement = replaced.find(argument.key);
        const WrittenValue& value =
            replacement != replaced.end() ? replacement->second : only_value(argument);
        arguments.named[argument.key] = checked(family, parameters, argument, value, columns, setting);
    }
    for (const auto& spec : family.parameters) {
        if (seen.contains(spec.name)) continue;  // some defaults are found in the data, which takes time
        arguments.named[spec.name] = spec.default_value == "auto"
                                         ? found_by_rule(family, spec.name, "auto", columns, setting)
                                         : parameters.real(spec.name);
    }
    try {
        return family.make(arguments);
    } catch (const Error& error) {
        fail_at(expression.position, error.what());
    }
}

}  // namespace dk

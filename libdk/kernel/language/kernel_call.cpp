// SPDX-License-Identifier: Apache-2.0
#include "kernel/language/kernel_call.hpp"

#include <cmath>
#include <set>

#include "base/error.hpp"

namespace dk {

const WrittenValue& only_value(const Argument& argument) {
    if (argument.values.size() != 1) fail_at(argument.position, "a list a:b stands only in grid() and on()");
    return argument.values.front();
}

const Expression& only_kernel_of(const Expression& call) {
    if (call.arguments.size() != 1 || !call.arguments.front().expression)
        fail_at(call.position, call.name + " takes one kernel");
    return *call.arguments.front().expression;
}

Parameters operator_parameters(const KernelEntry& entry, const Expression& call) {
    Parameters parameters("operator " + entry.name, entry.parameters);
    if (call.arguments.empty() || !call.arguments.front().expression)
        fail_at(call.position, call.name + " takes a kernel, then key=value arguments");
    for (const Argument& argument : std::span(call.arguments).subspan(1)) {
        if (argument.key.empty()) fail_at(argument.position, call.name + " takes one kernel");
        const WrittenValue& value = only_value(argument);
        try {
            parameters.set(argument.key, value.kind == WrittenValue::Kind::number ? format_value(value.number)
                                                                                  : value.word);
        } catch (const Error& error) {
            fail_at(argument.position, error.what());
        }
    }
    return parameters;
}

namespace {

/// Appends an argument without a key to `arguments`.
void add_positional(const KernelEntry& entry, const Argument& argument, KernelArguments& arguments) {
    if (entry.positional.empty()) {
        fail_at(argument.position, text("kernel ", entry.name, " takes key=value arguments only"));
    }
    const WrittenValue& value = only_value(argument);
    if (value.kind != WrittenValue::Kind::number) fail_at(argument.position, "expected a number");
    arguments.positional.push_back(value.number);
}

/// The number that a rule such as auto finds on the training rows for a parameter.
double found_by_rule(const KernelEntry& entry, const std::string& parameter, const std::string& rule,
                     const Columns& columns, const DataFacts& facts) {
    if (entry.found_by_rule) return entry.found_by_rule(parameter, rule, facts, columns);
    if (parameter != parameter::inverse_width.name) {
        fail(Status::invalid_kernel, "parameter ", parameter, " of kernel ", entry.name, " has no ", rule,
             " value");
    }
    return facts.width(rule, PairSum::squared, columns);
}

/// The number of an argument with a key, after `parameters` has checked that its parameter allows it.
double checked(const KernelEntry& entry, Parameters& parameters, const Argument& argument,
               const WrittenValue& value, const Columns& columns, const DataFacts& facts) {
    try {
        const auto& spec = parameters.spec(argument.key);
        if (value.kind == WrittenValue::Kind::word)
            parameters.set(argument.key, value.word);  // throws, with what is allowed
        double number = value.number;
        if (value.kind == WrittenValue::Kind::per_column) {
            number /= facts.column_count(columns);
        } else if (value.kind == WrittenValue::Kind::rule) {
            number *= found_by_rule(entry, spec.name, value.word, columns, facts);
        }
        parameters.set(argument.key, format_value(number));
        return number;
    } catch (const Error& error) {
        fail_at(argument.position, error.what());
    }
}

}  // namespace

KernelPointer make_called_kernel(const KernelEntry& entry, const Expression& call, const Columns& columns,
                                 const std::map<std::string, WrittenValue>& replaced,
                                 const DataFacts& facts) {
    KernelArguments arguments{.columns = columns, .column_count = facts.column_count(columns)};
    Parameters parameters("kernel " + entry.name, entry.parameters);
    std::set<std::string_view> seen;
    for (const auto& argument : call.arguments) {
        if (argument.expression) {
            fail_at(argument.position, "kernel " + entry.name + " takes no kernel as argument");
        }
        if (argument.key.empty()) {
            add_positional(entry, argument, arguments);
            continue;
        }
        if (!seen.insert(argument.key).second)
            fail_at(argument.position, "parameter " + argument.key + " is given twice");
        const auto replacement = replaced.find(argument.key);
        const WrittenValue& value =
            replacement != replaced.end() ? replacement->second : only_value(argument);
        arguments.named[argument.key] = checked(entry, parameters, argument, value, columns, facts);
    }
    for (const auto& spec : entry.parameters) {
        if (seen.contains(spec.name)) continue;  // its default would take a rule's time for nothing
        const double number = spec.default_value == "auto"
                                  ? found_by_rule(entry, spec.name, "auto", columns, facts)
                                  : parse_number(spec.default_value).value();
        if (!std::isfinite(number))
            fail(Status::numerical, "parameter ", spec.name, " of kernel ", entry.name, " is ", number,
                 " on these rows, whose numbers are too large or too small; scale them, or write a value");
        arguments.named[spec.name] = number;
    }
    try {
        return std::get<MakeKernel>(entry.make)(arguments);
    } catch (const Error& error) {
        fail_at(call.position, error.what());
    }
}

}  // namespace dk

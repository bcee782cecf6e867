// SPDX-License-Identifier: Apache-2.0
#include "kernel/language/adjustable_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "kernel/language/expression.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

/// Finds the number of key=number, whose key begins at a position that counts from 1.
void locate(AdjustableNumber& number, std::string_view text, Index position) {
    number.begin = text.find('=', position - 1) + 1;
    const std::size_t end = text.find_first_of(",)", number.begin);
    number.length = (end == std::string_view::npos ? text.size() : end) - number.begin;
}

void add_numbers_of_call(std::vector<AdjustableNumber>& numbers, std::string_view text,
                         const Expression& call, const KernelEntry& entry) {
    for (const Argument& argument : call.arguments) {
        if (argument.key.empty() || argument.values.size() != 1) continue;
        const WrittenValue& value = argument.values.front();
        const auto spec = std::ranges::find(entry.parameters, argument.key, &ParameterSpec::name);
        if (spec == entry.parameters.end() || spec->type != ParameterType::real || spec->minimum < 0 ||
            value.kind != WrittenValue::Kind::number || !(value.number > 0))
            continue;
        AdjustableNumber number{.name = entry.name + "." + spec->name,
                                .value = value.number,
                                .lowest = spec->minimum,
                                .highest = spec->maximum};
        locate(number, text, argument.position);
        numbers.push_back(std::move(number));
    }
}

void add_numbers(std::vector<AdjustableNumber>& numbers, std::string_view text,
                 const Expression& expression) {
    if (expression.kind == Expression::Kind::call) {
        const KernelEntry* entry = find_entry(expression.name);
        if (entry != nullptr && !entry->is_operator()) add_numbers_of_call(numbers, text, expression, *entry);
    }
    for (const Argument& argument : expression.arguments) {
        if (argument.expression) add_numbers(numbers, text, *argument.expression);
    }
    for (const Expression& child : expression.children) add_numbers(numbers, text, child);
}

}  // namespace

std::vector<AdjustableNumber> adjustable_numbers(std::string_view text) {
    std::vector<AdjustableNumber> numbers;
    add_numbers(numbers, text, parse_expression(text));
    std::ranges::sort(numbers, {}, &AdjustableNumber::begin);
    return numbers;
}

std::string with_values(std::string_view text, std::span<const AdjustableNumber> numbers,
                        std::span<const double> values) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        out += text.substr(copied, numbers[k].begin - copied);
        out += format_number(values[k]);
        copied = numbers[k].begin + numbers[k].length;
    }
    out += text.substr(copied);
    return out;
}

}  // namespace dk

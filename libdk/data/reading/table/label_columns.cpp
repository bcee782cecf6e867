// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/label_columns.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.hpp"

namespace dk {

namespace {

bool is_integer(std::string_view field) {
    if (parse_integer(field)) return true;
    const auto number = parse_number(field);  // This finds "1.0" and "1e3".
    return number && *number == std::trunc(*number) && std::abs(*number) < 9e15;
}

std::int64_t integer_of(std::string_view field) {
    const auto integer = parse_integer(field);
    return integer ? *integer : static_cast<std::int64_t>(*parse_number(field));
}

/// Says whether a field has digits alone of which an integer would lose some: zeros before others, as
/// numbers of houses and codes have, or more digits than there is room for.
bool has_digits_to_lose(std::string_view field) {
    const std::string_view digits = field.substr(field.starts_with('-') || field.starts_with('+') ? 1 : 0);
    const bool only_digits = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (!only_digits || digits.size() < 2) return false;
    return digits.front() == '0' || !parse_integer(field);
}

}  // namespace

void attach_label_column(Dataset& data, std::span<const std::string_view> fields, Control& control) {
    Polls polls(control);
    constexpr double bytes_a_label = 40;  // as a number, as an integer, twice as a class, and as a text
    control.memory().require(bytes_a_label * static_cast<double>(fields.size()),
                             text("labels of ", fields.size(), " rows"));
    std::vector<double> numbers;
    numbers.reserve(fields.size());
    for (const std::string_view field : fields) {
        polls.step();
        const auto number = parse_number(field);
        if (!number) break;
        numbers.push_back(*number);
    }
    const bool numeric = numbers.size() == fields.size();
    if (numeric) data.targets = std::move(numbers);
    control.check();
    const bool are_codes = std::ranges::any_of(fields, has_digits_to_lose);
    if (numeric && !are_codes && std::ranges::all_of(fields, is_integer)) {
        control.check();
        std::vector<std::int64_t> integers;
        std::ranges::transform(fields, std::back_inserter(integers), integer_of);
        data.labels = labels_from_integers(integers);
    } else if (!numeric || are_codes) {
        data.labels = labels_from_names(fields, control.memory());
    }
}

void attach_label_sets(Dataset& data, std::span<const std::string_view> fields, char mark, Control& control) {
    control.check();
    data.label_sets = label_sets_from_texts(fields, mark, control.memory());
}

void attach_labels(Dataset& data, std::span<const std::string_view> fields, const ReadingOptions& options,
                   Control& control) {
    if (options.label_delimiter != 0)
        return attach_label_sets(data, fields, options.label_delimiter, control);
    attach_label_column(data, fields, control);
}

std::vector<std::string_view> label_fields(const CsvTable& table, Index column,
                                           const ReadingOptions& options) {
    if (options.label_delimiter == 0) return required_fields(table, column, "label", options.missing);
    std::vector<std::string_view> fields;
    for (Index i = 0; i < table.rows(); ++i) {
        const std::string_view field = table.field(i, column);
        fields.push_back(options.missing.marks(field) ? std::string_view() : field);
    }
    return fields;
}

std::optional<double> target_of(std::string_view field, const FieldNumbers* numbers) {
    const auto number = numbers == nullptr ? parse_number(field) : numbers->value_of(field);
    if (number) return number;
    const std::string word = lower_case(field);
    if (word == "true" || word == "yes") return 1;
    if (word == "false" || word == "no") return 0;
    return std::nullopt;
}

void attach_target_columns(Dataset& data, std::vector<std::string> names, std::vector<double> values) {
    const Index count = std::ssize(names);
    if (std::ranges::all_of(values, [](double value) { return value == 0 || value == 1; })) {
        LabelSets sets{.names = std::move(names)};
        std::vector<Index> own;
        for (Index i = 0; i < data.rows(); ++i) {
            own.clear();
            for (Index label = 0; label < count; ++label) {
                if (values[i * count + label] == 1) own.push_back(label);
            }
            sets.add_row(own);
        }
        data.label_sets = std::move(sets);
    }
    data.targets = std::move(values);
    data.target_count = count;
}

void attach_group_column(Dataset& data, std::span<const std::string_view> fields, Control& control) {
    control.check();
    if (std::ranges::all_of(fields, is_integer)) {
        std::ranges::transform(fields, std::back_inserter(data.groups), integer_of);
        return;
    }
    const Labels numbered = labels_from_names(fields, control.memory());
    data.groups.assign(numbered.of_rows.begin(), numbered.of_rows.end());
}

}  // namespace dk

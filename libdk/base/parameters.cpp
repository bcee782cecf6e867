// SPDX-License-Identifier: Apache-2.0
#include "base/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"

namespace dk {

namespace {

std::string range_of(const ParameterSpec& spec) {
    const bool lower = std::isfinite(spec.minimum);
    const bool upper = std::isfinite(spec.maximum);
    const char* relation = spec.minimum_excluded ? "greater than " : "at least ";
    if (lower && upper) return text(relation, spec.minimum, " and at most ", spec.maximum);
    if (lower) return text(relation, spec.minimum);
    if (upper) return text("at most ", spec.maximum);
    return "any finite number";
}

[[noreturn]] void refuse(const std::string& owner, const ParameterSpec& spec, std::string_view value) {
    fail(Status::invalid_parameter, "parameter ", spec.name, " of ", owner, " cannot be ", in_quotes(value),
         ": allowed is ", allowed_values(spec), " (default ", spec.default_value, ")");
}

bool in_range(const ParameterSpec& spec, double value) {
    return (spec.minimum_excluded ? value > spec.minimum : value >= spec.minimum) && value <= spec.maximum;
}

std::string canonical_flag(std::string_view value) {
    if (value == "yes" || value == "true" || value == "1") return "yes";
    if (value == "no" || value == "false" || value == "0") return "no";
    return {};
}

std::string checked_value(const std::string& owner, const ParameterSpec& spec, std::string_view value) {
    switch (spec.type) {
        case ParameterType::integer: {
            const auto number = parse_integer(value);
            if (!number || !in_range(spec, *number)) {
                refuse(owner, spec, value);
            }
            return std::to_string(*number);
        }
        case ParameterType::real: {
            const auto number = parse_number(value);
            if (!number || !in_range(spec, *number)) refuse(owner, spec, value);
            if (spec.check != nullptr) spec.check(std::string(value));
            return format_number(*number);
        }
        case ParameterType::choice:
            if (std::ranges::find(spec.choices, value) == spec.choices.end()) {
                refuse(owner, spec, value);
            }
            return std::string(value);
        case ParameterType::flag: {
            auto flag = canonical_flag(value);
            if (flag.empty()) refuse(owner, spec, value);
            return flag;
        }
        case ParameterType::text:
        case ParameterType::kernel:
        case ParameterType::weights:
            if (spec.check != nullptr) spec.check(std::string(value));
            break;
    }
    return std::string(value);
}

ParameterSpec described(std::string_view name, ParameterType type, std::string default_value,
                        std::string_view doc) {
    ParameterSpec spec;
    spec.name = name;
    spec.type = type;
    spec.default_value = std::move(default_value);
    spec.doc = doc;
    return spec;
}

ParameterSpec in_range(ParameterSpec spec, const Range& range) {
    spec.minimum = range.minimum;
    spec.maximum = range.maximum;
    spec.minimum_excluded = range.minimum_excluded;
    return spec;
}

}  // namespace

ParameterSpec choice_parameter(std::string_view name, std::vector<std::string> choices,
                               std::string_view doc) {
    auto spec = described(name, ParameterType::choice, choices.front(), doc);
    spec.choices = std::move(choices);
    return spec;
}

IntegerKey::operator ParameterSpec() const {
    return in_range(described(name, ParameterType::integer, std::to_string(default_value), doc), range);
}

RealKey::operator ParameterSpec() const {
    return in_range(described(name, ParameterType::real, format_number(default_value), doc), range);
}

FlagKey::operator ParameterSpec() const {
    return described(name, ParameterType::flag, default_value ? "yes" : "no", doc);
}

TextKey::operator ParameterSpec() const {
    auto spec = described(name, type, std::string(default_value), doc);
    spec.check = check;
    return spec;
}

std::string allowed_values(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::integer:
            return "an integer, " + range_of(spec);
        case ParameterType::real:
            return "a number, " + range_of(spec);
        case ParameterType::choice:
            return "one of " + join(spec.choices, ", ");
        case ParameterType::flag:
            return "yes or no";
        case ParameterType::text:
        case ParameterType::kernel:
        case ParameterType::weights:
            break;
    }
    return std::string(name_of(spec.type));
}

std::string_view name_of(ParameterType type) {
    switch (type) {
        case ParameterType::integer:
            return "int";
        case ParameterType::real:
            return "double";
        case ParameterType::choice:
            return "choice";
        case ParameterType::flag:
            return "flag";
        case ParameterType::text:
            return "text";
        case ParameterType::kernel:
            return "kernel";
        case ParameterType::weights:
            return "weights";
    }
    return "";
}

Parameters::Parameters(std::string owner, std::vector<ParameterSpec> specs)
    : owner_(std::move(owner)), specs_(std::move(specs)) {}

const ParameterSpec& Parameters::spec(std::string_view key) const {
    const auto found = std::ranges::find(specs_, key, &ParameterSpec::name);
    if (found != specs_.end()) return *found;
    std::vector<std::string> names;
    for (const auto& spec : specs_) names.push_back(spec.name);
    if (names.empty()) {
        fail(Status::invalid_parameter, owner_, " has no parameters, so none named ", in_quotes(key));
    }
    fail(Status::invalid_parameter, owner_, " has no parameter ", in_quotes(key), "; nearest is ",
         in_quotes(nearest_name(key, names)));
}

void Parameters::set(std::string_view key, std::string_view value) {
    const ParameterSpec& known = spec(key);
    values_[known.name] = checked_value(owner_, known, trimmed(value));
}

const std::string& Parameters::text(std::string_view key) const {
    const auto found = values_.find(key);
    return found != values_.end() ? found->second : spec(key).default_value;
}

bool Parameters::has(std::string_view key) const {
    return std::ranges::find(specs_, key, &ParameterSpec::name) != specs_.end();
}

std::int64_t Parameters::operator[](const IntegerKey& key) const {
    return parse_integer(text(key.name)).value();
}

double Parameters::operator[](const RealKey& key) const {
    return parse_number(text(key.name)).value();
}

bool Parameters::operator[](const FlagKey& key) const {
    return text(key.name) == "yes";
}

}  // namespace dk

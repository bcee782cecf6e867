// SPDX-License-Identifier: Apache-2.0
// What users write of a parameter may ask for a search: C=auto, gamma=auto and kernel=rbf(gamma=auto:cv)
// stand for tune="C; gamma" with everything else as it was.
#include "pipeline/search/given_parameter.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.hpp"
#include "base/unicode.hpp"
#include "kernel/language/registry.hpp"
#include "pipeline/search/grid.hpp"
#include "pipeline/search/search_space.hpp"

namespace dk {

namespace {

constexpr std::string_view searched_value = "auto";
constexpr std::string_view searched_argument = "auto:cv";

/// Tells whether a number of the machine has no "auto" of its own, so that the word asks for a search.
bool is_searched_number(const MachineSpecification& specification, std::string_view key) {
    const auto& own = specification.machine->parameters;
    const auto found = std::ranges::find(own, key, &ParameterSpec::name);
    if (found == own.end()) return false;
    return found->type == ParameterType::real || found->type == ParameterType::integer ||
           found->default_value.find("deviation") != std::string::npos;
}

bool is_number_of_kernels(std::string_view key) {
    return std::ranges::any_of(kernel_language(), [&](const KernelEntry& entry) {
        return std::ranges::find(entry.parameters, key, &ParameterSpec::name) != entry.parameters.end();
    });
}

/// Lists the parts of `tune` but the one that is this number without limits.
std::vector<std::string> other_parts(const MachineSpecification& specification, std::string_view key) {
    std::vector<std::string> parts;
    for (const std::string& part : split(specification.parameters[parameter::tune], ';')) {
        const auto written = trimmed(part);
        if (!written.empty() && written != key && written != searched_value) parts.emplace_back(written);
    }
    return parts;
}

/// Adds a number to those that are searched, where it does not stand there with limits.
void tune_also(MachineSpecification& specification, const std::string& key) {
    auto parts = other_parts(specification, key);
    const auto is_key = [&](const std::string& part) {
        return trimmed(std::string_view(part).substr(0, part.find('='))) == key;
    };
    if (std::ranges::none_of(parts, is_key)) parts.push_back(key);
    set_parameter(specification, parameter::tune.name, join(parts, "; "));
}

/// Takes back that a number is searched, because it has a value now.
void tune_no_more(MachineSpecification& specification, std::string_view key) {
    for (const std::string& part : split(specification.parameters[parameter::tune], ';')) {
        if (trimmed(part) != key) continue;
        set_parameter(specification, parameter::tune.name, join(other_parts(specification, key), "; "));
        return;
    }
}

bool is_part_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// An argument "name=auto:cv" of a kernel's text, with the comma that goes with it.
struct SearchedArgument {
    std::string name;
    std::size_t begin;
    std::size_t end = 0;
};

/// Finds the argument whose value begins at `at`; nothing where it is no whole argument, of which the parser
/// tells what is wrong.
std::optional<SearchedArgument> argument_at(const std::string& kernel, std::size_t at) {
    if (at == 0 || kernel[at - 1] != '=') return std::nullopt;
    std::size_t begin = at - 1;
    while (begin > 0 && is_part_of_name(kernel[begin - 1])) --begin;
    SearchedArgument found{.name = kernel.substr(begin, at - 1 - begin), .begin = begin};
    while (begin > 0 && kernel[begin - 1] == ' ') --begin;
    const char before = begin > 0 ? kernel[begin - 1] : ' ';
    found.end = std::min(kernel.find_first_not_of(' ', at + searched_argument.size()), kernel.size());
    const char behind = found.end < kernel.size() ? kernel[found.end] : ' ';
    if (found.name.empty() || (before != '(' && before != ',') || (behind != ')' && behind != ','))
        return std::nullopt;
    if (before == ',') {
        found.begin = begin - 1;
    } else if (behind == ',') {
        found.end = std::min(kernel.find_first_not_of(' ', found.end + 1), kernel.size());
        if (found.end < kernel.size() && kernel[found.end] == ')') return std::nullopt;
    }
    return found;
}

/// Takes the arguments that are to be searched out of a kernel's text, and names them.
std::vector<std::string> take_searched_arguments(std::string& kernel) {
    std::vector<std::string> keys;
    for (auto at = kernel.find(searched_argument); at != std::string::npos;) {
        const auto found = argument_at(kernel, at);
        if (found) {
            keys.push_back(found->name);
            kernel.erase(found->begin, found->end - found->begin);
        }
        at = kernel.find(searched_argument, found ? found->begin : at + 1);
    }
    return keys;
}

}  // namespace

void set_given_parameter(MachineSpecification& specification, std::string_view key, std::string_view given) {
    std::string value = on_one_line(std::string(given));
    if (key == parameter::grid.name) check_grid(specification, value);
    if (key == parameter::tune.name) check_tune(value);
    const bool known = specification.parameters.has(key);
    const bool searches = specification.parameters.has(parameter::tune.name);
    if (searches && value == searched_value &&
        (is_searched_number(specification, key) || (!known && is_number_of_kernels(key))))
        return tune_also(specification, std::string(key));
    std::vector<std::string> searched;
    if (searches && key == parameter::kernel.name) searched = take_searched_arguments(value);
    set_parameter(specification, key, value);
    if (searches && is_searched_number(specification, key)) tune_no_more(specification, key);
    for (const std::string& one : searched) tune_also(specification, one);
}

}  // namespace dk

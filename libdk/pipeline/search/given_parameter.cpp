// SPDX-License-Identifier: Apache-2.0
// What users write of a parameter may ask for a search: C=auto, gamma=auto and kernel=rbf(gamma=auto:cv)
// stand for tune="C; gamma" with everything else as it was.
#include "pipeline/search/given_parameter.hpp"

#include <algorithm>

#include "base/scanning/scanner.hpp"
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

void tune_also(MachineSpecification& specification, const std::string& key) {
    const std::string& before = specification.parameters[parameter::tune];
    const bool alone = before.empty() || before == searched_value;
    const auto named = split(before, ';');
    const auto is_key = [&](const std::string& one) {
        return trimmed(std::string_view(one).substr(0, one.find('='))) == key;
    };
    if (!alone && std::ranges::any_of(named, is_key)) return;
    set_parameter(specification, parameter::tune.name, alone ? key : before + "; " + key);
}

/// Takes the arguments that are to be searched out of a kernel's text, such as "gamma=auto:cv", and names
/// them.
std::vector<std::string> take_searched_arguments(std::string& kernel) {
    std::vector<std::string> keys;
    for (auto at = kernel.find(searched_argument); at != std::string::npos;
         at = kernel.find(searched_argument)) {
        const auto begin = kernel.find_last_of("(,", at);
        const auto equals = kernel.find('=', begin == std::string::npos ? 0 : begin);
        if (begin == std::string::npos || equals > at) break;  // The parser tells what is wrong.
        keys.emplace_back(trimmed(std::string_view(kernel).substr(begin + 1, equals - begin - 1)));
        auto end = at + searched_argument.size();
        end = std::min(kernel.find_first_not_of(' ', end), kernel.size());
        // The comma before the argument goes with it, or else the one behind it.
        const bool first = kernel[begin] == '(';
        if (first && end < kernel.size() && kernel[end] == ',')
            end = std::min(kernel.find_first_not_of(' ', end + 1), kernel.size());
        const auto from = first ? begin + 1 : begin;
        kernel.erase(from, end - from);
    }
    return keys;
}

}  // namespace

void set_given_parameter(MachineSpecification& specification, std::string_view key, std::string_view given) {
    std::string value = on_one_line(std::string(given));
    if (key == parameter::grid.name) check_grid(specification, value);
    if (key == parameter::tune.name) check_tune(value);
    const bool known = specification.parameters.has(key);
    if (value == searched_value &&
        (is_searched_number(specification, key) || (!known && is_number_of_kernels(key))))
        return tune_also(specification, std::string(key));
    std::vector<std::string> searched;
    if (key == parameter::kernel.name) searched = take_searched_arguments(value);
    set_parameter(specification, key, value);
    for (const std::string& one : searched) tune_also(specification, one);
}

}  // namespace dk

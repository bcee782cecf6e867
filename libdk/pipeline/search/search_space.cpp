// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/search_space.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/scanning/scanner.hpp"
#include "base/text.hpp"
#include "kernel/language/bank.hpp"
#include "kernel/language/registry.hpp"
#include "machine/margin/target_unit.hpp"

namespace dk {

namespace {

/// Where nobody gives limits, values between these multiples of the default are tried.
constexpr double default_reach = 1000;
constexpr double default_reach_of_integers = 8;
/// Widths are searched between these multiples of 1 over the median distance.
constexpr double least_width = 0.01;
constexpr double most_width = 30;

/// What the user wrote of a parameter: its key and, where given, its limits.
struct WrittenRange {
    std::string key;
    bool has_limits = false;
    double least = 0;
    double most = 0;
};

std::vector<WrittenRange> written_ranges(std::string_view tune) {
    constexpr std::string_view form =
        "tune: expected key or key=least..most, with semicolons between them, found ";
    std::vector<WrittenRange> ranges;
    for (const std::string& part : split(tune, ';')) {
        const auto equals = part.find('=');
        WrittenRange range{.key = std::string(trimmed(std::string_view(part).substr(0, equals)))};
        if (range.key.empty()) fail(Status::invalid_parameter, form, in_quotes(part));
        if (std::ranges::find(ranges, range.key, &WrittenRange::key) != ranges.end())
            fail(Status::invalid_parameter, "tune: ", range.key, " is named twice");
        if (equals != std::string::npos) {
            const std::string_view limits = trimmed(std::string_view(part).substr(equals + 1));
            const auto dots = limits.find("..");
            if (dots == std::string_view::npos) fail(Status::invalid_parameter, form, in_quotes(part));
            const auto least = parse_number(trimmed(limits.substr(0, dots)));
            const auto most = parse_number(trimmed(limits.substr(dots + 2)));
            if (!least || !most || *least >= *most)
                fail(Status::invalid_parameter, "tune: the limits of ", range.key, " are ", in_quotes(limits),
                     "; allowed are two numbers such as 0.1..10, the least first");
            range.has_limits = true;
            range.least = *least;
            range.most = *most;
        }
        ranges.push_back(std::move(range));
    }
    return ranges;
}

/// A kernel that is one call, taken apart.
struct KernelCall {
    const KernelEntry* entry;
    std::vector<std::string> arguments;  // as they are written
};

/// Gives nothing for a bank, an operator or an expression.
std::optional<KernelCall> call_of(std::string_view kernel) {
    Scanner scanner(kernel);
    const std::string name(scanner.name());
    const KernelEntry* entry = find_entry(name);
    if (entry == nullptr || entry->is_operator()) return std::nullopt;
    KernelCall call{.entry = entry, .arguments = {}};
    if (scanner.accept('(')) {
        do {
            const auto argument = trimmed(scanner.until(",)"));
            if (!argument.empty()) call.arguments.emplace_back(argument);
        } while (scanner.accept(','));
        if (!scanner.accept(')')) return std::nullopt;
    }
    return scanner.at_end() ? std::optional(call) : std::nullopt;
}

std::string kernel_text(const MachineSpecification& specification, DataKind kind) {
    const std::string& text = specification.parameters[parameter::kernel];
    return text == "auto" ? default_kernel(kind) : text;
}

const ParameterSpec* find_spec(const std::vector<ParameterSpec>& specs, std::string_view key) {
    const auto found = std::ranges::find(specs, key, &ParameterSpec::name);
    return found == specs.end() ? nullptr : &*found;
}

bool is_number(const ParameterSpec& spec) {
    return spec.type == ParameterType::real || spec.type == ParameterType::integer;
}

/// Finds limits for a parameter that was given none.
SearchedParameter with_usual_limits(const ParameterSpec& spec) {
    SearchedParameter searched{.key = spec.name, .whole = spec.type == ParameterType::integer};
    const auto amount = parse_target_amount(spec.default_value);
    if (!is_number(spec) && amount && amount->in_deviations) {
        return {.key = spec.name,
                .least = amount->number / default_reach,
                .most = amount->number * default_reach,
                .logarithmic = true,
                .unit = "*deviation"};
    }
    if (spec.default_value == "auto" && spec.name == parameter::inverse_width.name) {
        return {.key = spec.name,
                .least = least_width,
                .most = most_width,
                .logarithmic = true,
                .unit = "*median"};
    }
    const auto usual = parse_number(spec.default_value);
    if (is_number(spec) && usual && *usual > 0 && spec.maximum > 1e6) {
        const double reach = searched.whole ? default_reach_of_integers : default_reach;
        searched.least = std::max(*usual / reach, spec.minimum);
        if (searched.whole) searched.least = std::max(std::ceil(searched.least), 1.0);
        searched.most = *usual * reach;
        searched.logarithmic = searched.least > 0;
        return searched;
    }
    // An integer that is 0 by default stands for what the machine finds itself.
    const bool found_by_machine = searched.whole && usual == 0.0;
    if (is_number(spec) && !found_by_machine && std::isfinite(spec.minimum) && std::isfinite(spec.maximum) &&
        spec.maximum <= 1e6) {
        const double margin = searched.whole ? 1 : 0.01 * (spec.maximum - spec.minimum);
        searched.least = spec.minimum + (spec.minimum_excluded ? margin : 0);
        searched.most = spec.maximum;
        return searched;
    }
    fail(Status::invalid_parameter, "tune: ", spec.name, " needs limits such as ", spec.name,
         "=0.1..10: its default, ", in_quotes(spec.default_value), ", does not tell any");
}

SearchedParameter searched(const WrittenRange& range, const ParameterSpec& spec) {
    const bool is_amount = parse_target_amount(spec.default_value).has_value();
    if (!is_number(spec) && !is_amount)
        fail(Status::invalid_parameter, "tune: ", spec.name, " is no number but ", allowed_values(spec),
             "; grid= compares such values");
    if (!range.has_limits) return with_usual_limits(spec);
    const bool whole = spec.type == ParameterType::integer;
    const double least = whole ? std::ceil(range.least) : range.least;
    const double most = whole ? std::floor(range.most) : range.most;
    if (least > most)
        fail(Status::invalid_parameter, "tune: no integer lies between the limits of ", spec.name, ", ",
             range.least, " and ", range.most);
    constexpr double wide = 10;
    return {.key = spec.name,
            .least = least,
            .most = most,
            .logarithmic = least > 0 && most / wide >= least,
            .whole = whole};
}

/// Lists what "auto" stands for.
std::vector<WrittenRange> usual_ranges(const MachineSpecification& specification,
                                       const std::optional<KernelCall>& call) {
    std::vector<WrittenRange> ranges;
    if (find_spec(specification.machine->parameters, "C") != nullptr) ranges.push_back({.key = "C"});
    const std::string width(parameter::inverse_width.name);
    if (call && find_spec(call->entry->parameters, width) != nullptr) ranges.push_back({.key = width});
    if (ranges.empty())
        fail(Status::invalid_parameter, "tune cannot be auto: machine ", specification.machine->name,
             " has no C, and its kernel no width; name what is to be tuned");
    return ranges;
}

std::string with_argument(const KernelCall& call, std::string_view key, const std::string& value) {
    std::vector<std::string> arguments;
    for (const std::string& argument : call.arguments) {
        if (trimmed(std::string_view(argument).substr(0, argument.find('='))) != key)
            arguments.push_back(argument);
    }
    arguments.push_back(text(key, "=", value));
    return text(call.entry->name, "(", join(arguments, ", "), ")");
}

/// Throws where the machine or the kernel does not allow one of the limits.
void require_allowed_limits(const SearchedParameter& searched, MachineSpecification specification,
                            const std::optional<KernelCall>& call) {
    for (const double end : {0.0, 1.0}) {
        const std::string value = searched.value_at(end);
        if (searched.of_kernel) {
            check_kernel_text(with_argument(*call, searched.key, value));
        } else {
            set_parameter(specification, searched.key, value);
        }
    }
}

}  // namespace

std::string SearchedParameter::value_at(double place) const {
    if (whole) {
        const double count = most - least + 1;
        if (!logarithmic) return format_value(std::min(least + std::floor(place * count), most));
        const double value = std::exp(std::log(least - 0.5) * (1 - place) + std::log(most + 0.5) * place);
        return format_value(std::clamp(std::round(value), least, most));
    }
    const double value = logarithmic ? std::exp(std::log(least) * (1 - place) + std::log(most) * place)
                                     : least * (1 - place) + most * place;
    constexpr int digits = 4;
    std::array<char, 32> written;
    const auto end = std::to_chars(written.data(), written.data() + written.size(), value,
                                   std::chars_format::general, digits);
    const auto rounded = parse_number(std::string_view(written.data(), end.ptr));
    return format_number(std::clamp(rounded.value_or(value), least, most)) + unit;
}

void check_tune(std::string_view text) {
    if (text != "auto" && !text.empty()) written_ranges(text);
}

std::vector<SearchedParameter> search_space(const MachineSpecification& specification, DataKind kind) {
    const std::string& tune = specification.parameters[parameter::tune];
    const std::string kernel = kernel_text(specification, kind);
    const auto call = call_of(kernel);
    const auto ranges = tune == "auto" ? usual_ranges(specification, call) : written_ranges(tune);
    std::vector<SearchedParameter> space;
    for (const WrittenRange& range : ranges) {
        const ParameterSpec* spec = find_spec(specification.machine->parameters, range.key);
        const bool of_kernel = spec == nullptr;
        if (of_kernel && call) spec = find_spec(call->entry->parameters, range.key);
        if (spec == nullptr)
            fail(Status::invalid_parameter, "tune: neither machine ", specification.machine->name,
                 call ? " nor kernel " + call->entry->name + " has a number named " : " has a number named ",
                 in_quotes(range.key),
                 call ? "" : ", and the kernel is a bank or made of several, whose numbers grid= compares");
        SearchedParameter& one = space.emplace_back(searched(range, *spec));
        one.of_kernel = of_kernel;
        require_allowed_limits(one, specification, call);
    }
    return space;
}

Candidate candidate_at(const std::vector<SearchedParameter>& space, const std::vector<double>& places,
                       const MachineSpecification& specification, DataKind kind) {
    Candidate candidate;
    for (std::size_t k = 0; k < space.size(); ++k) {
        const std::string value = space[k].value_at(places[k]);
        if (space[k].of_kernel) {
            if (candidate.kernel.empty()) candidate.kernel = kernel_text(specification, kind);
            candidate.kernel = with_argument(*call_of(candidate.kernel), space[k].key, value);
        } else {
            candidate.chosen.emplace_back(space[k].key, value);
        }
    }
    return candidate;
}

}  // namespace dk

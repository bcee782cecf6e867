// SPDX-License-Identifier: Apache-2.0
#include "pipeline/choice/proposals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/scaling/column_ranks.hpp"
#include "data/scaling/column_scale.hpp"
#include "data/scaling/scaler.hpp"
#include "kernel/language/bank.hpp"
#include "kernel/language/data_facts.hpp"
#include "pipeline/automatic.hpp"

namespace dk {

namespace {

/// A kernel of columns whose width is to be found.
struct RadialFamily {
    std::string_view name;
    PairSum distance;
};
constexpr std::array radial_families{RadialFamily{"rbf", PairSum::squared},
                                     RadialFamily{"laplacian", PairSum::absolute}};

/// A width is 1 over the median distance of two rows, times these.
constexpr std::array width_factors{0.05, 0.15, 0.5, 1.5, 4.5};
constexpr std::array few_width_factors{0.15, 0.5, 1.5};
constexpr std::array costs{0.5, 2.0, 8.0, 32.0, 128.0, 512.0};
constexpr std::array linear_costs{0.01, 0.1, 1.0, 10.0};
constexpr std::array ridge_costs{0.3, 3.0, 30.0, 300.0, 3000.0};

/// The widths and costs that kernels of some scale are tried with.
struct Trials {
    std::span<const double> width_factors;
    std::span<const double> costs;
    std::span<const double> linear_costs;
};

/// Ranks are tried with few widths and costs, none of them extreme: ranked columns lie alike in all data.
/// What lies around the best of them is tried later.
Trials trials_of(const std::string& machine, const std::string& scale) {
    const bool ranked = scale == "ranks";
    if (machine == "kernel_ridge") {
        static constexpr std::array few_ridge_costs{3.0, 30.0, 300.0};
        if (ranked) return {few_width_factors, few_ridge_costs, {}};
        return {width_factors, ridge_costs, linear_costs};
    }
    static constexpr std::array few_costs{1.0, 4.0, 16.0};
    if (ranked) return {few_width_factors, few_costs, {}};
    return {width_factors, costs, linear_costs};
}

std::string radial_text(std::string_view family, double width) {
    return text(family, "(gamma=", format_number(width), ")");
}

/// Gives 1 over the median distance of two rows, or nothing where distances overflow.
std::optional<double> typical_width(const RadialFamily& family, const Dataset& rows) {
    try {
        return DataFacts(&rows).width("median", family.distance, {});
    } catch (const Error& error) {
        if (error.status() != Status::numerical) throw;
        return std::nullopt;
    }
}

/// The values that a machine's own parameters are tried with.
using Settings = std::vector<std::pair<std::string, std::string>>;

bool chooses_cost(const Parameters& parameters) {
    const std::string& given = parameters[parameter::chosen_cost];
    return given == "auto" || (given.empty() && parameters[parameter::kernel] == "auto");
}

/// What landmarks learn has the C with the least leave-one-out error on all rows: the best one for a sample
/// would not be that of many more rows.
std::vector<Settings> settings_of(const std::string& machine, const Parameters& parameters,
                                  std::span<const double> costs_tried) {
    if (machine == "kelm") return {{{"select_C", "yes"}, {"offset", "yes"}}};
    std::vector<std::string> tried;
    for (const double cost : costs_tried) tried.push_back(format_number(cost));
    if (!chooses_cost(parameters)) tried = {parameters[parameter::chosen_cost]};
    std::vector<Settings> all;
    for (const std::string& cost : tried) {
        Settings& settings = all.emplace_back();
        if (!cost.empty()) settings.emplace_back("C", cost);
        if (machine == "kernel_ridge") settings.emplace_back("offset", "yes");
    }
    return all;
}

/// Tells whether a user has said something of an svm, such as C, which is 1 beside a kernel that is given, or
/// asks for what landmarks cannot do.
bool needs_svm(const Dataset& data, const MachineSpecification& automatic) {
    const Parameters& parameters = automatic.parameters;
    if (parameters[parameter::updatable] || !data.sample_weights.empty() || !chooses_cost(parameters))
        return true;
    const auto is_given = [&](const ParameterSpec& spec) {
        return parameters.text(spec.name) != spec.default_value;
    };
    const auto& own = machine_named("svm").parameters;
    return std::ranges::any_of(parameters.specs(), [&](const ParameterSpec& spec) {
        if (spec.name == parameter::chosen_cost.name) return false;  // It is auto.
        const bool of_svm = std::ranges::find(own, spec.name, &ParameterSpec::name) != own.end();
        return (of_svm || spec.name == parameter::spectrum.name) && is_given(spec);
    });
}

/// A support vector machine's time grows with the square of the rows. Of more rows than these, landmarks
/// learn what is hardly worse: 300,000 rows of 5 columns took 148 s of processor time by an svm and 55 s by
/// kelm with 2000 landmarks, at .924 and .921 of 100,000 other rows, and 1,000,000 would take half an hour.
constexpr Index most_rows_of_svm = 250000;

/// Lists the ways to scale columns that are tried: as the user says or, left to the choice, as rows need it.
/// Ranks are worth trying where they are something else than values.
std::vector<std::string> scales_for(const Dataset& data, const Parameters& parameters) {
    const std::string& given = parameters[parameter::scale];
    if (given != "auto" || parameters[parameter::kernel] != "auto") return {given};
    if (data.kind() != DataKind::dense) return {column_scale_of(data).name};
    const ScalerChoice before{.impute = parameters[parameter::impute],
                              .rows = parameters[parameter::scale_rows]};
    if (!ranks_differ_from_values(fit_scaler(before, data).apply(data).dense())) return {"standard"};
    return {"standard", "ranks"};
}

/// Keeps at most so many proposals, evenly spread over their list.
std::vector<Proposal> thinned(std::vector<Proposal> all, Index most) {
    const Index count = std::ssize(all);
    if (count <= most) return all;
    std::vector<Proposal> kept;
    for (Index k = 0; k < most; ++k) kept.push_back(std::move(all[k * count / most]));
    return kept;
}

}  // namespace

Task task_of(const Dataset& data) {
    if (data.label_sets) return Task::multilabel;
    if (data.labels) {
        constexpr Index few_classes = 20;
        constexpr Index rows_of_a_class = 4;
        const Labels& labels = *data.labels;
        const bool are_values = labels.names.empty() && labels.classes() > few_classes &&
                                rows_of_a_class * labels.classes() > data.rows();
        return are_values ? Task::regression : Task::classification;
    }
    return data.targets.empty() ? Task::novelty : Task::regression;
}

std::string machine_for(const Dataset& data, Task task, const MachineSpecification& automatic) {
    if (task == Task::regression) return "kernel_ridge";
    if (task == Task::novelty) return "one_class_svm";
    return data.rows() > most_rows_of_svm && !needs_svm(data, automatic) ? "kelm" : "svm";
}

std::vector<Proposal> proposals(const Dataset& data, const std::string& machine,
                                const MachineSpecification& specification) {
    const Parameters& parameters = specification.parameters;
    std::vector<Proposal> all;
    for (const std::string& scale : scales_for(data, parameters)) {
        const auto add = [&](const std::string& kernel, std::span<const double> costs_tried) {
            for (const Settings& chosen : settings_of(machine, parameters, costs_tried))
                all.push_back({machine, scale, {.kernel = kernel, .chosen = chosen}});
        };
        const Trials trials = trials_of(machine, scale);
        const bool columns = data.kind() == DataKind::dense || data.kind() == DataKind::sparse;
        if (parameters[parameter::kernel] != "auto" || !columns || !parameters[parameter::layers].empty()) {
            add(parameters[parameter::kernel], trials.costs);
            continue;
        }
        const ScalerChoice choice{scale, parameters[parameter::impute], parameters[parameter::scale_rows]};
        const Dataset rows = fit_scaler(choice, data).apply(data);
        for (const RadialFamily& family : radial_families) {
            if (family.name == "laplacian" && data.kind() == DataKind::sparse) continue;
            const auto typical = typical_width(family, rows);
            if (!typical) continue;
            for (const double factor : trials.width_factors)
                add(radial_text(family.name, factor * *typical), trials.costs);
        }
        add("linear", trials.linear_costs);
    }
    return thinned(std::move(all), parameters[parameter::candidates]);
}

std::vector<Proposal> refinements(const Proposal& proposal, const MachineSpecification& specification) {
    const Parameters& parameters = specification.parameters;
    std::vector<Proposal> all;
    const auto& [machine, scale, candidate] = proposal;
    const double half_width = std::sqrt(width_factors[1] / width_factors[0]);
    for (const RadialFamily& family : radial_families) {
        const std::string begin = text(family.name, "(gamma=");
        if (parameters[parameter::kernel] != "auto" || !candidate.kernel.starts_with(begin)) continue;
        const double width =
            parse_number(candidate.kernel.substr(begin.size(), candidate.kernel.size() - begin.size() - 1))
                .value_or(1);
        for (const double factor : {1 / half_width, half_width}) {
            Proposal& other = all.emplace_back(proposal);
            other.candidate.kernel = radial_text(family.name, width * factor);
        }
    }
    const double half_cost = std::sqrt(costs[1] / costs[0]);
    for (std::size_t k = 0; k < candidate.chosen.size(); ++k) {
        const auto& [key, value] = candidate.chosen[k];
        if (key != "C" || !chooses_cost(parameters)) continue;
        for (const double factor : {1 / half_cost, half_cost}) {
            Proposal& other = all.emplace_back(proposal);
            other.candidate.chosen[k].second = format_number(parse_number(value).value_or(1) * factor);
        }
    }
    return all;
}

MachineSpecification specification_of(const Proposal& proposal, const MachineSpecification& automatic) {
    MachineSpecification specification = default_specification(proposal.machine);
    for (const ParameterSpec& spec : automatic.parameters.specs()) {
        const std::string& value = automatic.parameters.text(spec.name);
        const bool is_cost = spec.name == parameter::chosen_cost.name;  // The proposal has it.
        const bool is_given = value != spec.default_value || spec.name == parameter::impute.name;
        if (is_given && !is_cost && specification.parameters.has(spec.name))
            set_parameter(specification, spec.name, value);
    }
    set_parameter(specification, parameter::scale.name, proposal.scale);
    return with_candidate(specification, proposal.candidate);
}

}  // namespace dk

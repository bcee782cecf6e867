// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/report.hpp"
#include "base/version.hpp"
#include "data/metrics/metrics.hpp"
#include "kernel/language/bank.hpp"
#include "kernel/language/registry.hpp"
#include "pipeline/automatic.hpp"
#include "pipeline/layers/layer_kind.hpp"
#include "pipeline/machine_specification.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

std::vector<std::string> names_of(std::span<const DataKind> kinds) {
    std::vector<std::string> names;
    for (const DataKind kind : kinds) names.emplace_back(name_of(kind));
    return names;
}

std::vector<Report> describe_parameters(const std::vector<ParameterSpec>& specs) {
    std::vector<Report> list;
    for (const auto& spec : specs) {
        Report& one = list.emplace_back();
        one.add("name", spec.name);
        one.add("type", std::string(name_of(spec.type)));
        one.add("default", spec.default_value);
        if (std::isfinite(spec.minimum)) one.add("minimum", spec.minimum);
        if (spec.minimum_excluded) one.add("minimum_excluded", true);
        if (std::isfinite(spec.maximum)) one.add("maximum", spec.maximum);
        if (!spec.choices.empty()) one.add("choices", spec.choices);
        one.add("allowed", allowed_values(spec));
        one.add("doc", spec.doc);
    }
    return list;
}

/// Adds an entry with what all entries have.
template <typename Named>
Report& add_entry(std::vector<Report>& list, const Named& named) {
    return list.emplace_back()
        .add("name", named.name)
        .add("doc", named.doc)
        .add("reference", named.reference);
}

/// Says how dk_explain_row finds what a row's prediction would be without a training row.
std::string_view name_of(LeftOutRow left_out) {
    switch (left_out) {
        case LeftOutRow::ridge:
            return "formula";
        case LeftOutRow::trained:
            return "training";
        case LeftOutRow::unknown:
            break;
    }
    return "none";
}

void describe_machine(std::vector<Report>& list, const Machine& machine,
                      const std::vector<ParameterSpec>& parameters) {
    Report& one = add_entry(list, machine);
    one.add("prototypes", machine.prototypes);
    one.add("task", std::string(name_of(machine.task)));
    one.add("influences", std::string(name_of(machine.left_out)));
    one.add("sample_weights", machine.uses_sample_weights);
    one.add("several_targets", machine.several_targets);
    one.add("several_labels", machine.several_labels);
    one.add("updates", machine.updates);
    one.add("parameters", describe_parameters(parameters));
}

std::vector<Report> describe_machines() {
    std::vector<Report> list;
    for (const auto& machine : machines()) describe_machine(list, machine, machine.parameters);
    return list;
}

/// Describes the machine that chooses one of the others. All its parameters are its own, because it lacks
/// some of the common ones, and has other defaults.
std::vector<Report> describe_choice() {
    std::vector<Report> list;
    describe_machine(list, automatic_machine(), automatic_specification().parameters.specs());
    return list;
}

/// Describes the kernels of the language, or the operators on kernels.
std::vector<Report> describe_language(bool operators) {
    std::vector<Report> list;
    for (const auto& entry : kernel_language()) {
        if (entry.is_operator() != operators) continue;
        Report& one = add_entry(list, entry);
        one.add("data", names_of(entry.facts.data));
        one.add("positive_semidefinite", entry.facts.positive_semidefinite);
        one.add("constant_diagonal", entry.facts.constant_diagonal);
        one.add("differentiable", entry.facts.differentiable);
        one.add("parameters", describe_parameters(entry.parameters));
        if (!entry.positional.empty()) one.add("arguments", entry.positional);
    }
    return list;
}

std::vector<Report> describe_weights() {
    std::vector<Report> list;
    for (const auto& strategy : weight_strategies()) {
        Report& one = add_entry(list, strategy);
        one.add("normalises", strategy.normalises);
        one.add("parameters", describe_parameters(strategy.parameters));
        if (!strategy.arguments.empty()) one.add("arguments", strategy.arguments);
    }
    return list;
}

std::vector<Report> describe_layers() {
    std::vector<Report> list;
    for (const LayerKind& kind : layer_kinds())
        add_entry(list, kind).add("parameters", describe_parameters(kind.parameters));
    return list;
}

std::vector<Report> describe_metrics() {
    std::vector<Report> list;
    for (const Metric& metric : metrics()) {
        std::vector<std::string> of;
        if (metric.is_of(MetricsOf::classes)) of.emplace_back("classes");
        if (metric.is_of(MetricsOf::labels)) of.emplace_back("labels");
        if (metric.is_of(MetricsOf::values)) of.emplace_back("values");
        list.emplace_back()
            .add("name", metric.name)
            .add("doc", metric.doc)
            .add("of", std::move(of))
            .add("needs_probabilities", metric.needs_probabilities);
    }
    return list;
}

}  // namespace

std::string describe() {
    Report all;
    all.add("libdk", version_string);
    all.add("machines", describe_machines());
    all.add("choice", describe_choice());
    all.add("kernels", describe_language(false));
    all.add("kernel_operators", describe_language(true));
    all.add("weights", describe_weights());
    all.add("layers", describe_layers());
    all.add("common", describe_parameters(common_parameters()));
    all.add("metrics", describe_metrics());
    return json_text(all, 2);
}

}  // namespace dk

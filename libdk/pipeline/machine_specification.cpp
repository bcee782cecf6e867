// SPDX-License-Identifier: Apache-2.0
#include "pipeline/machine_specification.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/unicode.hpp"
#include "data/metrics/metrics.hpp"
#include "kernel/language/bank.hpp"
#include "pipeline/automatic.hpp"
#include "pipeline/layers/layer_kind.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

ParameterSpec select_parameter() {
    ParameterSpec select = parameter::select;
    select.choices = {select.default_value};
    for (const Metric& metric : metrics()) select.choices.push_back(metric.name);
    return select;
}

}  // namespace

std::vector<ParameterSpec> common_parameters() {
    return {parameter::kernel,       parameter::weights,      parameter::scale,
            parameter::scale_rows,   parameter::impute,       parameter::layers,
            parameter::spectrum,     parameter::precision,    parameter::memory_mb,
            parameter::seed,         parameter::probability,  parameter::calibration,
            parameter::elect,        parameter::confidence,   parameter::confidence_by_class,
            parameter::false_alarms, parameter::miss_cost,    parameter::novelty,
            parameter::updatable,    parameter::many_classes, parameter::neighbours,
            parameter::folds,        parameter::repeats,      parameter::outer_folds,
            parameter::halves,       parameter::grid,         parameter::tune,
            parameter::search,       parameter::trials,       parameter::learning_curve,
            select_parameter()};
}

MachineSpecification default_specification(std::string_view name) {
    if (name == automatic_machine().name) return automatic_specification();
    const Machine& machine = machine_named(name);
    auto specs = machine.parameters;
    for (auto& spec : common_parameters()) specs.push_back(std::move(spec));
    return {&machine, Parameters("machine " + machine.name, std::move(specs))};
}

MachineSpecification specification_as_trained(const Model& model) {
    MachineSpecification specification = default_specification(model.machine);
    const auto& own = specification.machine->parameters;
    // What a model does not tell of, as one of another program or of an earlier version, has its default.
    for (const auto& [name, value] : model.parameters) {
        const bool is_own = std::ranges::find(own, name, &ParameterSpec::name) != own.end();
        if (is_own || name == parameter::precision.name) set_parameter(specification, name, value);
    }
    set_parameter(specification, "kernel", model.kernel);
    set_parameter(specification, "scale", "none");
    set_parameter(specification, "neighbours", "0");
    return specification;
}

void set_parameter(MachineSpecification& specification, std::string_view key, std::string_view given) {
    // Models keep the text, and show and export it, so that it stands on one line.
    const std::string value = on_one_line(std::string(given));
    check_expression(specification.parameters.spec(key).type, value);
    if (key == parameter::layers.name) parse_layers(value);
    if (!is_plain(value))
        fail(Status::invalid_parameter, "parameter ", key, " cannot be ", in_quotes(value),
             ": allowed is UTF-8 without control characters");
    specification.parameters.set(key, value);
}

std::string kernel_of(const MachineSpecification& specification, const Dataset& data) {
    const std::string& text = specification.parameters[parameter::kernel];
    return text == "auto" ? default_kernel(data.kind()) : text;
}

ScalerChoice scaler_choice(const Parameters& parameters) {
    return {.columns = parameters[parameter::scale],
            .impute = parameters[parameter::impute],
            .rows = parameters[parameter::scale_rows]};
}

}  // namespace dk

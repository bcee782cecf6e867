// SPDX-License-Identifier: Apache-2.0
#include "pipeline/automatic.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace dk {

namespace {

/// Finds the description of a parameter that another machine has.
ParameterSpec parameter_of(std::string_view machine, std::string_view name) {
    const auto& own = machine_named(machine).parameters;
    return *std::ranges::find(own, name, &ParameterSpec::name);
}

}  // namespace

const Machine& automatic_machine() {
    static const Machine machine{
        .name = "auto",
        .doc = "The machine, the scale of columns, the kernel with its widths and C are chosen by "
               "cross-validation, for the task that the rows have: classes where they have labels, values where "
               "they have targets, and what is unlike the rows where they have neither. The chosen machine is "
               "trained on all rows, and the report tells what was tried, what it scored and why it was chosen.",
        .reference = "Kohavi, A study of cross-validation and bootstrap for accuracy estimation and model "
                     "selection, IJCAI 1995",
        .prototypes = prototypes_are::pairs,
        .task = Task::any,
        .parameters = {parameter::candidates, parameter_of("svm", "class_weight")},
        .train = nullptr};
    return machine;
}

MachineSpecification automatic_specification() {
    const Machine& machine = automatic_machine();
    auto specs = machine.parameters;
    const ParameterSpec impute = [] {
        ParameterSpec filled = parameter::impute;
        filled.default_value = "median";
        return filled;
    }();
    for (ParameterSpec spec : common_parameters()) {
        if (spec.name == parameter::impute.name) spec = impute;
        // A choice weighs no bank, divides rows in its own way and ends with one candidate.
        const bool chosen = spec.name == parameter::weights.name || spec.name == parameter::layers.name ||
                            spec.name == parameter::spectrum.name || spec.name == parameter::grid.name ||
                            spec.name == parameter::repeats.name || spec.name == parameter::halves.name;
        if (!chosen) specs.push_back(std::move(spec));
    }
    return {&machine, Parameters("machine " + machine.name, std::move(specs))};
}

void require_named_machine(const MachineSpecification& specification, std::string_view purpose) {
    if (is_automatic(specification))
        fail(Status::invalid_parameter, "machine cannot be auto for ", purpose,
             ", which needs the name of a machine; dk_model_info tells what auto chose for a model");
}

}  // namespace dk

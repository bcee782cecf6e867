// SPDX-License-Identifier: Apache-2.0
#include "pipeline/automatic.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

void check_cost(const std::string& value) {
    const auto number = parse_number(value);
    if (value.empty()) return;
    if (value != "auto" && !(number && *number > 0 && std::isfinite(*number)))
        fail(Status::invalid_parameter, "parameter C cannot be ", in_quotes(value),
             ": allowed is auto or a number, greater than 0");
}

}  // namespace

namespace parameter {
const TextKey chosen_cost{
    "C", "",
    "A larger C makes errors cost more, so that the model fits the training rows more "
    "closely; auto chooses it. Without a value it is chosen, too, but beside a kernel that "
    "is given it is 1.",
    ParameterType::text, check_cost};
}  // namespace parameter

const Machine& automatic_machine() {
    static const Machine machine{
        .name = "auto",
        .doc =
            "The machine, the scale of columns, the kernel with its widths and C are chosen by "
            "cross-validation, for the task that the rows have: classes where they have labels, or sets of "
            "these, values where "
            "they have targets, and what is unlike the rows where they have neither. The chosen machine is "
            "trained on all rows, and the report tells what was tried, what it scored and why it was chosen. "
            "Values are learned by kernel_ridge, and classes by an svm or, of more than 250000 rows, by kelm "
            "with landmarks, unless rows have weights, or something of an svm is given, such as C, "
            "which is 1 beside a kernel that is given. What is given is not chosen.",
        .reference =
            "Kohavi, A study of cross-validation and bootstrap for accuracy estimation and model "
            "selection, IJCAI 1995",
        .prototypes = prototypes_are::pairs,
        .task = Task::any,
        .parameters = {parameter::candidates, parameter::seconds, parameter::chosen_cost},
        .train = nullptr,
        .several_targets = true,
        .several_labels = true};
    return machine;
}

MachineSpecification automatic_specification() {
    const Machine& machine = automatic_machine();
    auto specs = machine.parameters;
    for (const ParameterSpec& spec : machine_named("svm").parameters) {
        if (spec.name != parameter::chosen_cost.name) specs.push_back(spec);
    }
    for (ParameterSpec spec : common_parameters()) {
        if (spec.name == parameter::impute.name) spec.default_value = "median";
        // A choice compares candidates of its own on folds of its own.
        const auto compares = {parameter::grid.name,          parameter::tune.name,    parameter::search.name,
                               parameter::trials.name,        parameter::repeats.name, parameter::halves.name,
                               parameter::learning_curve.name};
        if (std::ranges::find(compares, spec.name) == compares.end()) specs.push_back(std::move(spec));
    }
    return {&machine, Parameters("machine " + machine.name, std::move(specs))};
}

void require_named_machine(const MachineSpecification& specification, std::string_view purpose) {
    if (is_automatic(specification))
        fail(Status::invalid_parameter, "machine cannot be auto for ", purpose,
             ", which needs the name of a machine; dk_model_info tells what auto chose for a model");
}

}  // namespace dk

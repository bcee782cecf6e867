// SPDX-License-Identifier: Apache-2.0
// A model file tells in words what it is, and these words are shown to people and written into what is
// exported. So that nobody can say anything there, they are those of the registries: the name of a machine,
// its task, parameters as dk_params_set() takes them, and kernels in their language.
#include "pipeline/known_model.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/unicode.hpp"
#include "kernel/language/bank.hpp"
#include "model/file/model_file.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

namespace {

void require_task(const Model& model, const Machine& machine) {
    const std::string_view task = name_of(machine.task);
    if (model.task != task)
        fail(Status::model_format, "its task is ", in_quotes(model.task), ", that of machine ", machine.name,
             " is ", task);
    const bool has_classes = model.classes.classes() > 0;
    if (has_classes != (machine.task == Task::classification))
        fail(Status::model_format, "it has ", model.classes.classes(), " classes, and its task is ", task);
}

bool is_word(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// Parameters that the machine does not have are those of a newer library of the same format.
void require_parameters(const Model& model, MachineSpecification specification) {
    for (const auto& [name, value] : model.parameters) {
        if (!is_word(name))
            fail(Status::model_format, "the name of a parameter is ", in_quotes(name),
                 "; it must be of letters, digits and underscores");
        if (specification.parameters.has(name)) {
            set_parameter(specification, name, value);
        } else if (!is_plain(value)) {
            fail(Status::model_format, "parameter ", name, " is ", in_quotes(value),
                 "; it must be UTF-8 without control characters");
        }
    }
}

void require_known(const Model& model) {
    const MachineSpecification specification = default_specification(model.machine);
    require_task(model, *specification.machine);
    require_parameters(model, specification);
    check_kernel_text(model.kernel);
    for (const std::string& kernel : model.kernels) check_kernel_text(kernel);
}

}  // namespace

Model read_known_model(std::span<const std::uint8_t> bytes, Control& control) {
    Model model = read_model(bytes, control);
    try {
        require_known(model);
        // What is shown and exported is the kernel that decides, which another one may not hide.
        model.kernel = model.predictor->kernel()->text();
    } catch (const Error& error) {
        fail(Status::model_format, "damaged model: ", error.what());
    }
    return model;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// A model file tells in words what it is, and these words are shown to people and written into what is
// exported. So that nobody can say anything there, they are those of the registries: the name of a machine,
// its task, parameters of the types that it has, and kernels in their language.
#include "pipeline/in_use/known_model.hpp"

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
    const bool several_labels = model.rule == DecisionRule::labels;
    if (several_labels && !machine.several_labels)
        fail(Status::model_format, "machine ", machine.name,
             " learns one class a row, and the model has several labels");
    const std::string_view task = name_of(several_labels ? Task::multilabel : machine.task);
    if (model.task != task)
        fail(Status::model_format, "its task is ", in_quotes(model.task), ", that of machine ", machine.name,
             " is ", task);
    const Index classes = model.classes.classes();
    const bool fits = machine.task == Task::classification ? classes > 0
                      : machine.task == Task::regression   ? classes == 0
                                                           : true;
    if (!fits) fail(Status::model_format, "it has ", classes, " classes, and its task is ", task);
}

bool is_word(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// Tells whether a value is of a parameter's type. What the type allows may have been more, or less, in the
/// library that wrote the model.
bool is_of_type(ParameterType type, std::string_view value) {
    const bool number = type == ParameterType::integer || type == ParameterType::real;
    return number ? parse_number(value).has_value() : is_plain(value);
}

/// Parameters that the machine does not have are those of another version of the library.
void require_parameters(const Model& model, const Parameters& known) {
    for (const auto& [name, value] : model.parameters) {
        if (!is_word(name))
            fail(Status::model_format, "the name of a parameter is ", in_quotes(name),
                 "; it must be of letters, digits and underscores");
        const ParameterType type = known.has(name) ? known.spec(name).type : ParameterType::text;
        if (!is_of_type(type, on_one_line(value)))
            fail(Status::model_format, "parameter ", name, " is ", in_quotes(value), "; it must be ",
                 name_of(type), " in UTF-8 without control characters");
    }
}

void require_known(const Model& model) {
    const MachineSpecification specification = default_specification(model.machine);
    require_task(model, *specification.machine);
    require_parameters(model, specification.parameters);
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
        check_kernel_text(model.kernel);
    } catch (const Error& error) {
        fail(Status::model_format, "damaged model: ", error.what());
    }
    return model;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "abi/guard.hpp"
#include "base/scanning/assignments.hpp"
#include "pipeline/search/given_parameter.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

dk_status set(dk_params* params, const char* key, const std::string& value) {
    return guarded(
        [&] { set_given_parameter(required(params, "params").value, required_text(key, "key"), value); });
}

}  // namespace

dk_status dk_params_create(dk_params** out, const char* machine) {
    return guarded_create(out, [&] { return default_specification(required_text(machine, "machine")); });
}

dk_status dk_params_set(dk_params* params, const char* key, const char* value) {
    return guarded([&] {
        set_given_parameter(required(params, "params").value, required_text(key, "key"),
                            required_text(value, "value"));
    });
}

dk_status dk_params_set_int(dk_params* params, const char* key, int64_t value) {
    return set(params, key, std::to_string(value));
}

dk_status dk_params_set_double(dk_params* params, const char* key, double value) {
    return set(params, key, format_number(value));
}

dk_status dk_params_parse(dk_params* params, const char* text) {
    return guarded([&] {
        MachineSpecification& specification = required(params, "params").value;
        MachineSpecification changed = specification;
        for (const auto& [key, value] : split_assignments(required_text(text, "text")))
            set_given_parameter(changed, key, value);
        specification = std::move(changed);
    });
}

dk_status dk_params_get(char* out, int64_t capacity, int64_t* needed, const dk_params* params,
                        const char* key) {
    return guarded([&] {
        const auto& parameters = required(params, "params").value.parameters;
        write_text(parameters.text(parameters.spec(required_text(key, "key")).name), out, capacity, needed);
    });
}

int32_t dk_params_task(const dk_params* params) {
    return params == nullptr ? -1 : task_number(name_of(params->value.machine->task));
}

void dk_params_free(dk_params* params) {
    const std::unique_ptr<dk_params> owned(params);
}

// SPDX-License-Identifier: Apache-2.0
// The first byte chooses a machine, and the rest is a text of parameters for it. What a parameter gives as
// its value is a value that it takes.
#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    using namespace dk_fuzz;
    Choices choices(bytes, size);
    const Params params = attempt<Params>(dk_params_create, choices.of(machines));
    succeeded(dk_params_parse(params.get(), choices.rest().c_str()));
    for (const char* key :
         {"kernel", "weights", "grid", "scale", "seed", "C", "tolerance", "class_weight", "none"}) {
        const std::string value = attempt_text(dk_params_get, params.get(), key);
        if (value.empty()) continue;
        require(succeeded(dk_params_set(params.get(), key, value.c_str())), "a value can be set again");
        require(attempt_text(dk_params_get, params.get(), key) == value, "a value that is set again stays");
    }
    return 0;
}

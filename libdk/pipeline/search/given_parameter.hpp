// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "pipeline/machine_specification.hpp"

namespace dk {

/// Sets a parameter as users write it, who may say what is to be searched by its value: "auto" of a number of
/// the machine or the kernel, or "auto:cv" in a kernel, joins `tune`. Grids and ranges are parsed at once.
void set_given_parameter(MachineSpecification& specification, std::string_view key, std::string_view given);

}  // namespace dk

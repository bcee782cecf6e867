// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/parameters.hpp"
#include "data/dataset.hpp"
#include "machine/machine.hpp"

namespace dk {

/// A machine with its parameters: what dk_params holds.
struct Settings {
    const Machine* machine;
    Parameters parameters;
};

/// All at their defaults; throws Error(invalid_parameter) with the nearest machine.
Settings default_settings(std::string_view machine);

/// Sets one parameter; kernel and weight specifications are parsed, so that mistakes show here.
void set_parameter(Settings& settings, std::string_view key, std::string_view value);

/// The specification of the kernel or bank, that of the kind of data where it is auto.
std::string kernel_of(const Settings& settings, const Dataset& data);

/// The parameters that every machine has: kernel, weights, scale, precision, ...
std::vector<ParameterSpec> common_parameters();

/// Everything that has a name, as JSON text.
std::string describe();

}  // namespace dk

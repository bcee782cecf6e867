// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/parameters.hpp"
#include "data/dataset.hpp"
#include "machine/machine.hpp"
#include "model/model.hpp"
#include "pipeline/common_parameters.hpp"

namespace dk {

/// A machine with the values of its parameters, which is what dk_params holds.
struct MachineSpecification {
    const Machine* machine;
    Parameters parameters;
};

/// Gives the machine of this name with all parameters at their defaults. Throws Error(invalid_parameter) with
/// the nearest name where there is no such machine.
MachineSpecification default_specification(std::string_view machine);

/// Sets one parameter. Kernels and weights are parsed at once, so that mistakes show here and not in
/// training.
void set_parameter(MachineSpecification& specification, std::string_view key, std::string_view value);

/// Gives the machine of a model with its own parameters, for rows that are prepared for the model: they are
/// not scaled again, and the kernel is the model's, with its numbers instead of the text from which they were
/// found. No nearest rows of prototypes are looked for.
MachineSpecification specification_as_trained(const Model& model);

/// Gives the text of the kernel or bank. Where the parameter is auto, it is the kernel for this kind of data.
std::string kernel_of(const MachineSpecification& specification, const Dataset& data);

/// Says how the parameters want rows scaled.
ScalerChoice scaler_choice(const Parameters& parameters);

/// Lists the parameters that every machine has, such as kernel, weights, scale and precision.
std::vector<ParameterSpec> common_parameters();

/// Describes in JSON everything that has a name: machines, kernels, operators, weight strategies, parameters
/// and metrics.
std::string describe();

}  // namespace dk

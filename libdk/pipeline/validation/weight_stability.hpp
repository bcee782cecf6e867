// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/machine_specification.hpp"

namespace dk {

/// Learns the weights of the bank again on so many random halves of the rows, and reports for each kernel the
/// mean and the deviation of its share of the weights, in how many halves it has one, and how alike the sets
/// of such kernels are. Throws Error(unsupported) where halves have banks of different sizes.
Report weights_over_halves(const Dataset& data, const MachineSpecification& specification, Index halves,
                           Control& control);

}  // namespace dk

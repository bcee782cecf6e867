// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "matrix/matrix.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

/// Computes the decisions on each row, rows x functions, by a model that was trained without that row: one of
/// five folds, or of fewer where the parameter folds or the rows say so. `width` is the number of functions
/// of the model of all rows, and `reason` the setting that asks for the decisions, for messages.
Matrix held_out_decisions(const Dataset& data, const MachineSpecification& specification, Index width,
                          std::string_view reason, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "data/scaling/scaler.hpp"
#include "exchange/functions/exported_functions.hpp"

namespace dk {

/// What turns `row`, of so many COLUMNS as a user has it, into `x`, of which functions are, in C: constants
/// and functions for the file, and statements that count columns by `j`.
struct PreparationInC {
    std::string definitions = {};
    std::string statements = {};
};
PreparationInC preparation_in_c(const Scaler& scaler, std::span<const ExportedLayer> layers);

}  // namespace dk

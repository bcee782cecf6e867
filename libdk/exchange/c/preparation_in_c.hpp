// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "data/scaling/scaler.hpp"

namespace dk {

/// What turns `row`, as a user has it, into `x`, of which functions are, in C: constants for the file,
/// functions, and statements that count columns by `j`.
struct PreparationInC {
    std::string constants = {};
    std::string functions = {};
    std::string statements = {};
};
PreparationInC preparation_in_c(const Scaler& scaler);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/functions/exported_functions.hpp"

namespace dk {

/// Writes the function `decide_by_codes`, which makes the decisions of the classes of a row's products with
/// the columns of a dictionary, and what it needs. The file has the constant CLASSES before.
std::string codes_in_c(const DictionaryCodes& codes);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/scanning/assignments.hpp"

namespace dk {

/// Says in sentences how a file was read, by the options that were given or understood.
std::vector<std::string> reading_sentences(const Assignments& reading);

}  // namespace dk

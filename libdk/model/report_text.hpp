// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/report.hpp"

namespace dk {

/// The report as a JSON object.
std::string json_text(const Report& report);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dk {

/// Pairs of key and value.
using Assignments = std::vector<std::pair<std::string, std::string>>;

/// Splits "C=10 kernel=rbf(gamma=0.5)" into pairs of key and value. White space inside brackets or double
/// quotes belongs to a value; quotes around a whole value are left out. A key that stands twice is refused.
Assignments split_assignments(std::string_view text);

}  // namespace dk

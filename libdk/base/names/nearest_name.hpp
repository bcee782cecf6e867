// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dk {

/// Finds what a name that is unknown most likely means: the candidate that other programs call so, or else
/// the one with the smallest edit distance. It gives "" if there are no candidates.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace dk

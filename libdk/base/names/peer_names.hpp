// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace dk {

/// Gives what a name that other programs use for machines, kernels, parameters and data options may mean
/// here, or nothing. Their names are compared without regard to case, points, dashes and underscores.
std::vector<std::string_view> names_of_peers(std::string_view name);

}  // namespace dk

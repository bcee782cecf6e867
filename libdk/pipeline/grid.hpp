// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pipeline/settings.hpp"

namespace dk {

/// Settings to be compared by cross-validation, and what was chosen for each.
struct Candidate {
    std::string kernel;                                       // its specification, with all numbers
    std::vector<std::pair<std::string, std::string>> chosen;  // the grid's parameters, without the kernel
};

/// The combinations of the parameter `grid`, the last key running fastest: "C=0.1:1:10;kernel=[rbf,
/// arccos(1)]" has values between colons, and the kernels of a bank one by one. Kernels' widths and the like
/// are found on all rows of `data` once, so that every fold compares the same kernels. One combination of
/// nothing where the grid is empty.
std::vector<Candidate> grid_candidates(const Settings& settings, const Dataset& data);

/// The settings with what a candidate has chosen.
Settings with_candidate(const Settings& settings, const Candidate& candidate);

/// Throws Error(invalid_parameter) or Error(invalid_kernel) unless the text is a grid of these settings.
void check_grid(const Settings& settings, std::string_view grid);

}  // namespace dk

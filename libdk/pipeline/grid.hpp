// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pipeline/settings.hpp"

namespace dk {

/// Settings to be compared by cross-validation, and what was chosen for each.
struct Candidate {
    std::string kernel = {};  // the specification of the kernel or the bank, with all numbers; empty: as set
    Index alone = -1;         // the one kernel of the bank that is used; -1: all
    std::string alone_text = {};                                   // its specification
    std::vector<std::pair<std::string, std::string>> chosen = {};  // the grid's parameters but the kernel

    /// What tells it from the others, for people.
    std::vector<std::pair<std::string, std::string>> parameters() const;
};

/// The combinations of the parameter `grid`, the kernels running fastest: "C=0.1:1:10;kernel=[rbf,
/// arccos(1)]" has values between colons, and the kernels of a bank one by one. "weights=[dimkl1,
/// mklgl(p=1)]" compares ways to weigh the bank, where `all` stands for every one and `each` for every kernel
/// alone. Kernels' widths and the like are found on all rows of `data` once, so that every fold compares the
/// same kernels. One combination of nothing where the grid is empty.
std::vector<Candidate> grid_candidates(const Settings& settings, const Dataset& data);

/// The same with every way to weigh the bank and every kernel alone, unless the grid names some.
std::string with_battery(const std::string& grid);

/// The settings with what a candidate has chosen.
Settings with_candidate(const Settings& settings, const Candidate& candidate);

/// Throws Error(invalid_parameter) or Error(invalid_kernel) unless the text is a grid of these settings.
void check_grid(const Settings& settings, std::string_view grid);

}  // namespace dk

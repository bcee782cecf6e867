// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/machine_specification.hpp"

namespace dk {

/// One of the specifications that cross-validation compares, told by what it changes.
struct Candidate {
    std::string kernel = {};      // the kernel or the bank with all its numbers; empty where it is as set
    Index alone = -1;             // the one kernel of the bank that is used; -1 where all are
    std::string alone_text = {};  // the text of that one kernel
    std::vector<std::pair<std::string, std::string>> chosen =
        {};  // the values of the grid's other parameters

    /// Lists, for people to read, the parameters and values that tell this candidate from the others.
    std::vector<std::pair<std::string, std::string>> parameters() const;

    bool operator==(const Candidate&) const = default;
};

/// Lists the combinations of the parameter `grid`. In "C=0.1:1:10;kernel=[rbf, arccos(1)]" the values stand
/// between colons, and the kernels of the bank are tried one by one. "weights=[dimkl1, mklgl(p=1)]" compares
/// ways to weigh the bank, where `all` stands for every one that does not train hundreds of machines and
/// `each` for every kernel alone. Kernels' widths and the like are found on all rows of `data` once, so that
/// every fold compares the same kernels. An empty grid gives one candidate, which changes nothing.
std::vector<Candidate> grid_candidates(const MachineSpecification& specification, const Dataset& data,
                                       Control& control);

/// Gathers the candidates that differ in C alone, with C rising, so that each of them can start from what the
/// one before found on the same rows. Every candidate is in one of these paths.
std::vector<std::vector<Index>> cost_paths(std::span<const Candidate> candidates);

/// Adds every way to weigh the bank and every kernel alone to a grid, unless it names ways to weigh itself.
std::string with_battery(const std::string& grid);

/// Changes the specification as the candidate says.
MachineSpecification with_candidate(const MachineSpecification& specification, const Candidate& candidate);

/// Throws Error(invalid_parameter) or Error(invalid_kernel) unless the text is a grid for this machine.
void check_grid(const MachineSpecification& specification, std::string_view grid);

}  // namespace dk

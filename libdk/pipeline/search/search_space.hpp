// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/search/grid.hpp"

namespace dk {

/// A parameter of the machine or of its kernel, and the values between which it is searched.
struct SearchedParameter {
    std::string key;
    bool of_kernel = false;
    double least = 0;
    double most = 1;
    bool logarithmic = false;  // whether equal steps are equal ratios
    bool whole = false;        // whether it takes integers alone
    std::string unit = {};     // what values are multiples of, such as "*median"; empty for plain numbers

    /// Gives the value at a place from 0, the least, to 1, the most, as text that set_parameter() or the
    /// kernel language takes. It has few digits, since nobody needs more. Integers have equal parts.
    std::string value_at(double place) const;
};

/// Reads the parameter `tune`, such as "C; gamma=0.01..10": each parameter has limits of its own, or those
/// that suit it. "auto" is C, where the machine has it, and the width of its kernel, where that has one.
/// Throws Error(invalid_parameter) for what the machine and its kernel do not have, for what is no number,
/// and for a number whose limits nobody can guess.
std::vector<SearchedParameter> search_space(const MachineSpecification& specification, DataKind kind);

/// Throws Error(invalid_parameter) unless the text is a list of keys, each alone or with limits.
void check_tune(std::string_view text);

/// Gives the candidate at a point of a space, whose places are from 0 to 1. Where a parameter of the kernel
/// is searched, the kernel is as it is written, with rules such as median.
Candidate candidate_at(const std::vector<SearchedParameter>& space, const std::vector<double>& places,
                       const MachineSpecification& specification, DataKind kind);

}  // namespace dk

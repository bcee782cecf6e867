// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "solve/box/smo.hpp"

namespace dk {

/// Solves the program with a rough copy of its matrix first, and goes on from there with the matrix itself
/// (see rough_search.cpp). Gives nothing where the options ask for no such search, where the matrix has no
/// rough copy, or where the program might be unbounded with one.
std::optional<SmoSolution> solve_roughly_first(const BoxProgram& program, const SmoOptions& options,
                                               Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// This file shows what cross-validation compared, the best first.
#pragma once

#include "output.hpp"

namespace command {

enum class Shown { few, all };

// Prints the candidates of a grid, the best first, with what each is behind the best and by which chance (the
// corrected resampled t-test). Marks the best, and those that the test does not tell from it. Of what the
// machine auto tried, it prints nothing unless all is to be shown.
void print_candidates(Output& output, const Json& info, Shown shown);

// Prints the mean ranks of candidates over several sets, the best first.
void print_ranks(Output& output, const Json& ranks, Shown shown);

}  // namespace command

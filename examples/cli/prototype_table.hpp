// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model_view.hpp"

namespace command {

// Prints a short table of prototypes: the class of each, how many training rows make it, the nearest rows,
// and those with the largest coefficients. Of many prototypes it has those with the most rows of every class
// in turn. `prototypes` is the list that dk prototypes --json prints.
void print_prototypes(const Model& model, const Json& prototypes);

}  // namespace command

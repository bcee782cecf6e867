// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "machine/machine.hpp"
#include "model/model.hpp"

namespace dk {

/// Throws Error(unsupported) where models of this machine for such data can't be updated.
void require_updates(const Machine& machine, const Dataset& data);

/// Keeps with a model what is known of the rows that it keeps, and what a machine found beside its functions
/// for the next update. The rows are those that it was trained on, as its machine had them.
void keep_for_updates(Model& model, const Dataset& rows, EarlierModel found);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "pipeline/settings.hpp"

namespace dk {

/// A model of a few free prototypes that decides as `model` does on the rows of `data`, whatever machine made
/// it. `settings` are those of a super-sparse machine, of which the number of prototypes, the penalty and the
/// limits count, and the kernel where it is not auto. Its report tells how well both agree.
Model compress(const Model& model, const Dataset& data, const Settings& settings, Control& control);

}  // namespace dk

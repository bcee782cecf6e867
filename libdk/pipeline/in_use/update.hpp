// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "model/model.hpp"

namespace dk {

/// Makes the model of the rows that a model keeps and further ones, without those of some numbers. Scaling,
/// layers, the kernel and its numbers stay as they are, and so do numbers of rows: further rows have the next
/// ones. `further` may be null. Throws Error(unsupported) where the model was not trained with updatable=yes.
Model updated(const Model& model, const Dataset* further, std::span<const Index> forgotten, Control& control);

}  // namespace dk

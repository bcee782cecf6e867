// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/control.hpp"
#include "model/model.hpp"

namespace dk {

/// Reads a model, as read_model() does, and holds what it says of itself against what this library has: its
/// machine, the machine's task and parameters, and its kernels. Throws Error(model_format) where it says what
/// no training writes.
Model read_known_model(std::span<const std::uint8_t> bytes, Control& control);

}  // namespace dk

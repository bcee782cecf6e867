// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "kernel/training_gram.hpp"

namespace dk {

/// A kernel with what it learned, as the elements "kernel" and "kernel_states".
nlohmann::json archive_kernel(const Kernel& kernel);
KernelPointer read_kernel(const nlohmann::json& object, const Dataset& support);

/// The element "precision".
Precision read_precision(const nlohmann::json& object);

/// What predicting needs of the rows that a model is made of.
Dataset kept_rows(const Kernel& kernel, const Dataset& support, Control& control);

}  // namespace dk

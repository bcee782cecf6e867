// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.hpp"

namespace dk {

/// The kernels that a specification makes for a dataset, with auto values and columns resolved, and what
/// learns from data (lowrank, center, corrected) trained on them. Throws Error(invalid_kernel), or
/// Error(unsupported) when a kernel does not work on these data. `control` null: one thread, no cancel.
Bank make_bank(std::string_view text, const Dataset& data, Control* control = nullptr);

/// How many kernels make_bank would make; nothing is learned.
Index count_kernels(std::string_view text, const Dataset& data);

/// Their specifications with all parameters as numbers; nothing is learned.
std::vector<std::string> kernel_texts(std::string_view text, const Dataset& data);

/// Whether the values of the kernels do not depend on the training rows: all parameters are numbers, and
/// nothing in them learns.
bool has_fixed_values(std::string_view text);

/// The kernel of a specification that makes exactly one.
KernelPointer make_kernel(std::string_view text, const Dataset& data, Control* control = nullptr);

/// A kernel from its own text and the states it gave, for data of the kind it was made for.
KernelPointer restore_kernel(std::string_view text, const Dataset& data, std::vector<KernelState> states);

/// Throws what make_bank would throw for any data.
void check_kernel_text(std::string_view text);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/engine/kernel.hpp"

namespace dk {

/// Makes the kernels of a specification for a dataset. Its values such as auto are found on these rows, and
/// its operators that learn from rows (lowrank, center, corrected) learn from them. Throws
/// Error(invalid_kernel), or Error(unsupported) when a kernel does not work on these data. Without a control
/// one thread does all, and nothing can cancel it.
Bank make_bank(std::string_view text, const Dataset& data, Control* control = nullptr);

/// Counts the kernels that make_bank would make, without learning.
Index count_kernels(std::string_view text, const Dataset& data);

/// The specifications of the kernels that make_bank would make, with all parameters as numbers, without
/// learning.
std::vector<std::string> kernel_texts(std::string_view text, const Dataset& data);

/// Whether the kernels of a specification are the same for all training rows: all their parameters are
/// numbers, and none of them learns.
bool has_fixed_values(std::string_view text);

/// Makes the kernel of a specification; throws Error(invalid_kernel) where it makes more than one.
KernelPointer make_kernel(std::string_view text, const Dataset& data, Control* control = nullptr);

/// Makes a kernel again from its text() and the states that collect_states() gave, for data of the kind for
/// which it was made.
KernelPointer restore_kernel(std::string_view text, const Dataset& data, std::vector<KernelState> states,
                             Control& control);

/// Checks a specification as far as that is possible without data; throws what make_bank would throw for any
/// data.
void check_kernel_text(std::string_view text);

/// Gives the kernel for which auto stands with rows of a kind.
std::string default_kernel(DataKind kind);

}  // namespace dk

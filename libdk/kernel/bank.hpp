// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.hpp"

namespace dk {

/// The kernels that a specification makes for a dataset, with auto values and columns resolved.
/// Throws Error(invalid_kernel), or Error(unsupported) when a kernel does not work on these data.
Bank make_bank(std::string_view text, const Dataset& data);

/// As make_bank, where one kernel is needed.
KernelPointer make_kernel(std::string_view text, const Dataset& data);

/// Throws what make_bank would throw for any data.
void check_kernel_text(std::string_view text);

struct OperatorDescription {
    std::string name;
    std::string doc;
};

/// The functions of the kernel language that work on kernels: exp, normalize, on, each_feature, grid.
const std::vector<OperatorDescription>& kernel_operators();

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "kernel/language/registry.hpp"

namespace dk {

/// The kernel of a call such as rbf(gamma=auto), its arguments checked and resolved; `replaced` holds values
/// that a grid puts in place of an argument's list.
KernelPointer make_called_kernel(const KernelEntry& entry, const Expression& call, const Columns& columns,
                                 const std::map<std::string, WrittenValue>& replaced, const DataFacts& facts);

/// The value of an argument that takes one.
const WrittenValue& only_value(const Argument& argument);

/// The kernel that an operator is called with, which takes one kernel and nothing else.
const Expression& only_kernel_of(const Expression& call);

/// The values of the arguments that follow the kernel in an operator's call, as its entry allows them.
Parameters operator_parameters(const KernelEntry& entry, const Expression& call);

}  // namespace dk

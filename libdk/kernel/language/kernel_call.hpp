// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "kernel/language/registry.hpp"

namespace dk {

/// Makes the kernel of a call such as rbf(gamma=auto): checks its arguments, and lets rules find those that
/// are words. `replaced` has the values that a grid puts in the place of an argument's list.
KernelPointer make_called_kernel(const KernelEntry& entry, const Expression& call, const Columns& columns,
                                 const std::map<std::string, WrittenValue>& replaced, const DataFacts& facts);

/// The value of an argument. Throws Error(invalid_kernel) for a list of several values.
const WrittenValue& only_value(const Argument& argument);

/// The kernel in the call of an operator that takes one kernel and nothing else. Throws Error(invalid_kernel)
/// for any other call.
const Expression& only_kernel_of(const Expression& call);

/// The values of the key=value arguments behind the kernel in an operator's call. Throws
/// Error(invalid_kernel) for those that its entry does not allow.
Parameters operator_parameters(const KernelEntry& entry, const Expression& call);

}  // namespace dk

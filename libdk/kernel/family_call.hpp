// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "kernel/expression.hpp"
#include "kernel/family.hpp"

namespace dk {

/// The kernel of a call such as rbf(gamma=auto), its arguments checked and resolved; `replaced` holds values
/// that a grid puts in place of an argument's list.
KernelPointer make_from_call(const KernelFamily& family, const Expression& expression, const Columns& columns,
                             const std::map<std::string, WrittenValue>& replaced, const Setting& setting);

/// The value of an argument that takes one.
const WrittenValue& only_value(const Argument& argument);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Attaches a column as labels or targets: integers become both, other numbers become targets, and other
/// texts become the names of classes.
void attach_label_column(Dataset& data, std::span<const std::string_view> fields, Control& control);

/// Attaches a column as groups. Integers are the groups' numbers; other texts are numbered as they ascend.
void attach_group_column(Dataset& data, std::span<const std::string_view> fields, Control& control);

}  // namespace dk

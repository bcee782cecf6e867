// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "report/data_description/column_facts.hpp"

namespace dk {

/// Says in sentences what looks wrong with rows from which a model is to be learned: columns that are
/// constant, the same as others, or on scales of their own; a column that tells the class or the target
/// alone; rows that stand twice; classes of few rows.
std::vector<std::string> data_warnings(const Dataset& data, std::span<const ColumnFacts> columns,
                                       const ColumnReader& reader, Control& control);

}  // namespace dk

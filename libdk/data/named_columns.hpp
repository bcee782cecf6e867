// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "data/dataset.hpp"

namespace dk {

/// Gives data with the columns (of series, the channels) of these names, in this order, and without others.
/// Data without names for their columns stay as they are. A category that no row of the data has, of a column
/// that has become indicators, is an indicator of nothing. Throws Error(dimension) that names a column which
/// the data do not have.
Dataset with_columns_named(const Dataset& data, std::span<const std::string> names);

}  // namespace dk

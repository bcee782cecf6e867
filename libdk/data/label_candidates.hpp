// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// Says how many different integers a column of so many rows may have to look like classes: at most 20, and
/// five rows of each.
Index most_integer_classes(Index rows);

/// Says how many different texts it may have: at most 1000, and two rows of each.
Index most_classes_of_text(Index rows);

/// Columns are known for candidates by so many rows.
constexpr Index rows_that_show_classes = 10000;

/// Lists the features whose first rows look like classes, as the file option `label` gives them: columns of
/// few integers or of texts, by their names or, where they have none, by their positions.
std::vector<std::string> label_candidates(const Dataset& data);

}  // namespace dk

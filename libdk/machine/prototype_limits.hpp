// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// Gives the number of prototypes of a class that the user says, or with 0 half of the smallest class, and at
/// most 20: the first paper tunes its T0 between 5 and 20, and fewer prototypes than half of a class cost
/// accuracy.
inline Index prototypes_of_class(Index given, Index smallest_class) {
    return given > 0 ? given : std::min<Index>(20, (smallest_class + 1) / 2);
}

/// Gives the number of rows of the smallest class.
inline Index rows_of_smallest_class(const Labels& labels) {
    std::vector<Index> sizes(labels.classes());
    for (const Index c : labels.of_rows) ++sizes[c];
    return std::ranges::min(sizes);
}

}  // namespace dk

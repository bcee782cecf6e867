// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/dataset.hpp"

namespace dk {

/// Makes one set of the features of two: first the rows of one, then those of the other. Both are of one kind
/// and have columns that mean the same; sparse rows may have fewer than the others. Throws Error(dimension)
/// where they do not fit, and Error(unsupported) for similarities, which the rows of each have with the rows
/// of their own set alone.
Dataset joined_rows(const Dataset& first, const Dataset& second);

}  // namespace dk

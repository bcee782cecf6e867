// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// Features of rows whose products are the elements of a matrix: row-major without gaps, or sparse, where row
/// i has the values row_offsets[i] .. row_offsets[i + 1] - 1 in these columns.
struct FeatureRows {
    const double* values = nullptr;
    Index rows = 0;
    Index dimension = 0;
    const Index* row_offsets = nullptr;  // null: dense
    const Index* columns = nullptr;

    bool sparse() const { return row_offsets != nullptr; }
};

}  // namespace dk

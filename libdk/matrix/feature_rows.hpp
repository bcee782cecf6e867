// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// Rows of features, whose inner products are the elements of a matrix. Dense features are row-major without
/// gaps. Row i of sparse features has the values and columns from row_offsets[i] to row_offsets[i + 1] - 1.
struct FeatureRows {
    const double* values = nullptr;
    Index rows = 0;
    Index dimension = 0;
    const Index* row_offsets = nullptr;  // null for dense features
    const Index* columns = nullptr;

    bool sparse() const { return row_offsets != nullptr; }
    Index value_count() const { return sparse() ? row_offsets[rows] : rows * dimension; }
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "data/dataset.hpp"

namespace dk {

/// A way to scale columns, and the sentence that says why these rows need it, which is empty where they need
/// none.
struct ColumnScale {
    std::string name = "none";
    std::string reason = {};
};

/// Chooses how columns are scaled. Kernels add up what columns differ by, so that one column with deviations
/// far above those of the others is all that they see. Where the widest column deviates more than ten times
/// as far as the median column that varies, dense rows are scaled to deviation 1 (standard); sparse rows,
/// whose zeros stay, are judged and scaled by the largest magnitude of each column (largest). Rows of another
/// kind have no columns.
ColumnScale column_scale_of(const Dataset& data);

/// Computes the largest magnitude of each column of sparse rows, which is 0 in an empty column.
std::vector<double> largest_magnitudes(const SparseMatrix& matrix);

}  // namespace dk

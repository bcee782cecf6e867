// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"
#include "data/kind/dense_matrix.hpp"

namespace dk {

/// A matrix of features in compressed sparse rows: row i has the elements row_offsets[i] to
/// row_offsets[i + 1] - 1 of `columns` and `values`, and the columns of a row strictly increase.
struct SparseMatrix {
    Index rows = 0;
    Index cols = 0;
    std::vector<Index> row_offsets = {};
    std::vector<Index> columns = {};
    std::vector<double> values = {};

    Index row_count() const { return rows; }
    Index column_count() const { return cols; }
    double bytes() const;
    SparseMatrix select(std::span<const Index> chosen) const;
    void require_finite() const;
    /// Writes out the zeros. The matrix gets `width` columns, which are no fewer than it has.
    DenseMatrix densified(Index width) const;
};

/// Leaves out the zeros of a matrix.
SparseMatrix sparse_matrix(const DenseMatrix& dense);

}  // namespace dk

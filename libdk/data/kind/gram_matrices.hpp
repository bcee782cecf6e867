// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/rows.hpp"
#include "base/types.hpp"

namespace dk {

/// Similarities of the rows of a set to training rows, which the user computed beforehand or computes on
/// demand. Selections of rows share them: what is known of a row stands at its place in the set. The
/// right-hand side of a kernel reads `columns` only, since its rows are training rows.
struct GramMatrices {
    /// Writes the similarities of some rows of the set to some training rows, row by row without gaps.
    using Compute =
        std::function<void(std::span<const Index> rows, std::span<const Index> training_rows, double* out)>;

    Index matrices = 0;
    Index rows = 0;  // This is the number of rows of the set.
    Index cols = 0;  // This is the number of training rows.
    // The stored matrices follow one another, each rows x cols; empty where nothing is stored.
    std::vector<double> values = {};
    std::vector<double> self = {};    // matrices x rows similarities of rows to themselves; may be empty.
    std::vector<Index> columns = {};  // Row i is training row columns[i]; if empty, training row i.
    Compute compute = {};             // This replaces `values` and gives one matrix.
    bool concurrent = false;          // Several threads may call `compute` at once if this is true.
    bool of_kernels = false;          // The values are the library's kernels', and so symmetric.

    Index column(Index row) const { return columns.empty() ? row : columns[row]; }
    /// Gives the stored similarities of a row to all training rows.
    std::span<const double> row_values(Index matrix, Index row) const {
        return row_of(values, cols, matrix * rows + row);
    }
    double value(Index matrix, Index row, Index col) const { return row_values(matrix, row)[col]; }
    double self_similarity(Index matrix, Index row) const { return self[matrix * rows + row]; }

    Index row_count() const { return rows; }
    Index column_count() const { return cols; }
    /// Similarities count as nothing, because copies and selections share them.
    double bytes() const { return 0; }
    void require_finite() const;
    /// Tells whether the stored matrices are square and symmetric to 1e-9 of their largest element. Those of
    /// training rows are, and those of as many new rows are not.
    bool is_symmetric() const;
    /// Throws Error(invalid_data) unless they are, as training needs them.
    void require_symmetric() const;
    /// Takes the similarities of training rows to themselves from the diagonals, where none were given.
    void take_diagonals();
    /// Keeps of some rows of the set which training rows they are, and their similarities to themselves.
    GramMatrices references(std::span<const Index> chosen) const;
    /// Replaces each stored matrix by the mean of itself and its transpose.
    GramMatrices symmetrised() const;
};

}  // namespace dk

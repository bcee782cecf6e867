// SPDX-License-Identifier: Apache-2.0
#include "data/kind/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dk {

double SparseMatrix::bytes() const {
    return static_cast<double>(sizeof(double)) * values.size() +
           static_cast<double>(sizeof(Index)) * (columns.size() + row_offsets.size());
}

SparseMatrix SparseMatrix::select(std::span<const Index> chosen) const {
    SparseMatrix out{std::ssize(chosen), cols};
    Index entries = 0;
    for (const Index i : chosen) entries += row_offsets[i + 1] - row_offsets[i];
    out.row_offsets.reserve(chosen.size() + 1);
    out.columns.reserve(entries);
    out.values.reserve(entries);
    out.row_offsets.push_back(0);
    for (const Index i : chosen) {
        const Index begin = row_offsets[i];
        const Index end = row_offsets[i + 1];
        out.columns.insert(out.columns.end(), columns.begin() + begin, columns.begin() + end);
        out.values.insert(out.values.end(), values.begin() + begin, values.begin() + end);
        out.row_offsets.push_back(std::ssize(out.columns));
    }
    return out;
}

void SparseMatrix::require_finite() const {
    const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
    if (bad == values.end()) return;
    const Index entry = bad - values.begin();
    const auto next = std::ranges::upper_bound(row_offsets, entry);
    fail(Status::invalid_data, "value ", *bad, " at row ", next - row_offsets.begin() - 1, ", column ",
         columns[entry], " (counted from 0): every value must be finite");
}

DenseMatrix SparseMatrix::densified(Index width) const {
    DenseMatrix out{rows, width};
    out.values.resize(rows * width);
    for (Index i = 0; i < rows; ++i) {
        const auto row = out.row(i);
        for (Index e = row_offsets[i]; e < row_offsets[i + 1]; ++e) row[columns[e]] = values[e];
    }
    return out;
}

SparseMatrix sparse_matrix(const DenseMatrix& dense) {
    SparseMatrix out{dense.rows, dense.cols};
    out.row_offsets.push_back(0);
    for (Index i = 0; i < dense.rows; ++i) {
        const auto row = dense.row(i);
        for (Index j = 0; j < dense.cols; ++j) {
            if (row[j] == 0) continue;
            out.columns.push_back(j);
            out.values.push_back(row[j]);
        }
        out.row_offsets.push_back(std::ssize(out.columns));
    }
    return out;
}

}  // namespace dk

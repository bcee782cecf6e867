// SPDX-License-Identifier: Apache-2.0
#include "data/kind/gram_matrices.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dk {

void GramMatrices::require_finite() const {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (const auto bad = std::ranges::find_if_not(values, finite); bad != values.end()) {
        const Index position = bad - values.begin();
        fail(Status::invalid_data, "value ", *bad, " at row ", position / cols % rows, ", column ",
             position % cols, " of matrix ", position / cols / rows,
             " (counted from 0): every value must be finite");
    }
    if (const auto bad = std::ranges::find_if_not(self, finite); bad != self.end()) {
        const Index position = bad - self.begin();
        fail(Status::invalid_data, "self similarity ", *bad, " of row ", position % rows, " in matrix ",
             position / rows, ": every value must be finite");
    }
}

void GramMatrices::require_symmetric() const {
    if (rows != cols)
        fail(Status::dimension, "training on similarities needs square matrices, these are ", rows, " x ",
             cols);
    if (values.empty()) return;  // Of a matrix that is computed on demand only the upper half is read.
    for (Index q = 0; q < matrices; ++q) {
        const auto matrix = row_of(values, cols * cols, q);
        double largest = 0;
        for (const double similarity : matrix) largest = std::max(largest, std::abs(similarity));
        for (Index i = 0; i < cols; ++i) {
            for (Index j = 0; j < i; ++j) {
                const double lower = row_of(matrix, cols, i)[j];
                const double upper = row_of(matrix, cols, j)[i];
                if (std::abs(lower - upper) <= 1e-9 * largest) continue;
                fail(Status::invalid_data, "matrix ", q, " is not symmetric: element (", i, ", ", j, ") is ",
                     lower, ", element (", j, ", ", i, ") is ", upper);
            }
        }
    }
}

GramMatrices GramMatrices::references(std::span<const Index> chosen) const {
    GramMatrices out{matrices, std::ssize(chosen), cols};
    for (const Index row : chosen) out.columns.push_back(column(row));
    for (Index q = 0; q < matrices && !self.empty(); ++q) {
        for (const Index row : chosen) out.self.push_back(self_similarity(q, row));
    }
    return out;
}

GramMatrices GramMatrices::symmetrised() const {
    GramMatrices out = *this;
    for (Index q = 0; q < matrices; ++q) {
        const auto matrix = row_of(out.values, cols * cols, q);
        for (Index i = 0; i < cols; ++i) {
            for (Index j = 0; j < i; ++j) {
                double& lower = row_of(matrix, cols, i)[j];
                double& upper = row_of(matrix, cols, j)[i];
                lower = upper = 0.5 * (lower + upper);
            }
        }
    }
    return out;
}

}  // namespace dk

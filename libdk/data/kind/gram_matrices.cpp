// SPDX-License-Identifier: Apache-2.0
#include "data/kind/gram_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

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

namespace {

/// An element that differs from its mirror image.
struct Asymmetry {
    Index matrix;
    Index row;
    Index col;
};

std::optional<Asymmetry> first_asymmetry(const GramMatrices& gram) {
    for (Index q = 0; q < gram.matrices; ++q) {
        double largest = 0;
        for (const double similarity : row_of(gram.values, gram.cols * gram.cols, q))
            largest = std::max(largest, std::abs(similarity));
        // In narrow strips the values of a column stay in the cache for the next one.
        constexpr Index strip = 32;
        for (Index first = 0; first < gram.cols; first += strip) {
            for (Index i = first; i < gram.cols; ++i) {
                for (Index j = first; j < std::min(i, first + strip); ++j) {
                    if (std::abs(gram.value(q, i, j) - gram.value(q, j, i)) > 1e-9 * largest)
                        return Asymmetry{q, i, j};
                }
            }
        }
    }
    return {};
}

}  // namespace

bool GramMatrices::is_symmetric() const {
    return rows == cols && !values.empty() && !first_asymmetry(*this);
}

void GramMatrices::require_symmetric() const {
    if (rows != cols)
        fail(Status::dimension, "training on similarities needs square matrices, these are ", rows, " x ",
             cols);
    // Of a matrix that is computed on demand only the upper half is read.
    if (values.empty() || of_kernels) return;
    if (const auto found = first_asymmetry(*this)) {
        const auto [q, i, j] = *found;
        fail(Status::invalid_data, "matrix ", q, " is not symmetric: element (", i, ", ", j, ") is ",
             value(q, i, j), ", element (", j, ", ", i, ") is ", value(q, j, i));
    }
}

void GramMatrices::take_diagonals() {
    if (!self.empty()) return;
    for (Index q = 0; q < matrices; ++q) {
        for (Index i = 0; i < rows; ++i) self.push_back(value(q, i, i));
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
    out.take_diagonals();
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

// SPDX-License-Identifier: Apache-2.0
#include "matrix/feature_products.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index piece_rows = 256;              // rows that are added at once
constexpr Index most_sums = 32;                // parts of the rows that have sums of their own
constexpr Index most_values = Index{1} << 23;  // values of the sums of all parts
constexpr Index columns_of_a_block = 64;       // columns of a symmetric matrix

/// Squares of so many columns are shared among threads by their own tiles, and not by rows, whose sums would
/// outgrow the caches.
constexpr Index fewest_wide_columns = 256;
constexpr Index rows_of_a_square = 8192;

void mirror_upper_half(std::vector<double>& square, Index d) {
    for (Index j = 0; j < d; ++j) {
        for (Index l = 0; l < j; ++l) square[j * d + l] = square[l * d + j];
    }
}

}  // namespace

template <typename Body>
std::vector<double> FeatureProducts::summed(Index size, Body body) const {
    const ProgressHold hold(control_);
    const Index parts = std::clamp(std::min(most_values / size, rows() / piece_rows), Index{1}, most_sums);
    std::vector<double> sums(parts * size);
    const Index part_rows = (rows() + parts - 1) / parts;
    parallel_for(parts, 0.25 * rows() * size, control_, [&](Index part) {
        const Index end = std::min(rows(), (part + 1) * part_rows);
        for (Index first = part * part_rows; first < end; first += piece_rows) {
            if (control_.stopping()) return;
            body(first, std::min(piece_rows, end - first), sums.data() + part * size);
        }
    });
    for (Index part = 1; part < parts; ++part) {
        for (Index e = 0; e < size; ++e) sums[e] += sums[part * size + e];
    }
    sums.resize(size);
    return sums;
}

template <typename Visit>
void FeatureProducts::for_each_value(Index row, Visit visit) const {
    for (Index e = features_.row_offsets[row]; e < features_.row_offsets[row + 1]; ++e)
        visit(features_.columns[e], features_.values[e]);
}

std::vector<double> FeatureProducts::times(std::span<const double> y) const {
    const ProgressHold hold(control_);
    std::vector<double> out(rows());
    constexpr Index at_once = 4096;
    parallel_for((rows() + at_once - 1) / at_once, 1.0 * features_.value_count(), control_, [&](Index piece) {
        const Index first = piece * at_once;
        const Index count = std::min(at_once, rows() - first);
        if (!features_.sparse())
            return multiply_vector(dense_rows(first, count), as_vector(y),
                                   as_vector(out).segment(first, count));
        for (Index i = first; i < first + count; ++i)
            for_each_value(i, [&](Index j, double value) { out[i] += value * y[j]; });
    });
    return out;
}

std::vector<double> FeatureProducts::transposed_times(std::span<const double> x) const {
    return summed(dimension(), [&](Index first, Index count, double* sums) {
        if (features_.sparse()) {
            for (Index i = first; i < first + count; ++i)
                for_each_value(i, [&](Index j, double value) { sums[j] += value * x[i]; });
            return;
        }
        add_transposed_product(dense_rows(first, count), as_vector(x).segment(first, count),
                               VectorView(sums, dimension()));
    });
}

std::vector<double> FeatureProducts::weighted_square(std::span<const double> weights) const {
    if (features_.sparse()) return sparse_weighted_square(weights);
    const Index d = dimension();
    if (d >= fewest_wide_columns) return wide_weighted_square(weights);
    std::vector<double> square = summed(d * d, [&](Index first, Index count, double* sums) {
        const auto rows = dense_rows(first, count);
        const Matrix weighted = as_vector(weights).segment(first, count).asDiagonal() * rows;
        // The matrix is symmetric: these are its blocks on and above the diagonal.
        for (Index block = 0; block < d; block += columns_of_a_block) {
            const Index width = std::min(columns_of_a_block, d - block);
            transposed_multiply(weighted.leftCols(block + width), rows.middleCols(block, width),
                                view(sums, d, d).block(0, block, block + width, width), Into::add);
        }
    });
    mirror_upper_half(square, d);
    return square;
}

/// Sums squares of rows that are multiplied by the roots of their weights.
std::vector<double> FeatureProducts::wide_weighted_square(std::span<const double> weights) const {
    const ProgressHold hold(control_);
    const Index d = dimension();
    std::vector<double> square(d * d);
    MatrixView sum = view(square.data(), d, d);
    LargeMatrix scaled(std::min(rows(), rows_of_a_square), d);
    LargeMatrix part(d, d);
    for (Index first = 0; first < rows(); first += rows_of_a_square) {
        const Index count = std::min(rows_of_a_square, rows() - first);
        parallel_for_rows(count, d, control_, [&](Index r) {
            scaled.view().row(r) = std::sqrt(weights[first + r]) * dense_rows(first + r, 1);
        });
        inner_product(scaled.view().topRows(count), part.view(), control_);
        parallel_for_rows(d, d, control_, [&](Index j) { sum.row(j) += part.view().row(j); });
    }
    return square;
}

std::vector<double> FeatureProducts::sparse_weighted_square(std::span<const double> weights) const {
    const Index d = dimension();
    // Columns rise along a sparse row, so that these sums are the upper half, which is mirrored below.
    std::vector<double> square = summed(d * d, [&](Index first, Index count, double* sums) {
        for (Index i = first; i < first + count; ++i) {
            if (weights[i] == 0) continue;
            const Index end = features_.row_offsets[i + 1];
            for (Index e = features_.row_offsets[i]; e < end; ++e) {
                const double weighted = weights[i] * features_.values[e];
                double* row = sums + features_.columns[e] * d;
                for (Index other = e; other < end; ++other)
                    row[features_.columns[other]] += weighted * features_.values[other];
            }
        }
    });
    mirror_upper_half(square, d);
    return square;
}

}  // namespace dk

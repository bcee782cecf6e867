// SPDX-License-Identifier: Apache-2.0
#include "solve/feature_products.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"

namespace dk {

namespace {

constexpr Index piece_rows = 256;
constexpr Index most_sums = 32;                // pieces of rows that are summed apart
constexpr Index most_values = Index{1} << 23;  // of all their sums

}  // namespace

template <typename Body>
std::vector<double> FeatureProducts::summed(Index size, Body body) const {
    const ProgressHold hold(control_);
    const Index parts = std::clamp(std::min(most_values / size, rows() / piece_rows), Index{1}, most_sums);
    std::vector<double> sums(unsigned_of(parts * size));
    const Index part_rows = (rows() + parts - 1) / parts;
    parallel_for(parts, control_, [&](Index part) {
        const Index end = std::min(rows(), (part + 1) * part_rows);
        for (Index first = part * part_rows; first < end; first += piece_rows) {
            if (control_.stopping()) return;
            body(first, std::min(piece_rows, end - first), sums.data() + part * size);
        }
    });
    for (Index part = 1; part < parts; ++part) {
        for (Index e = 0; e < size; ++e) sums[unsigned_of(e)] += sums[unsigned_of(part * size + e)];
    }
    sums.resize(unsigned_of(size));
    return sums;
}

template <typename Visit>
void FeatureProducts::for_each_value(Index row, Visit visit) const {
    for (Index e = features_.row_offsets[row]; e < features_.row_offsets[row + 1]; ++e)
        visit(features_.columns[e], features_.values[e]);
}

std::vector<double> FeatureProducts::times(std::span<const double> y) const {
    const ProgressHold hold(control_);
    std::vector<double> out(unsigned_of(rows()));
    constexpr Index at_once = 4096;
    parallel_for((rows() + at_once - 1) / at_once, control_, [&](Index piece) {
        const Index first = piece * at_once;
        const int m = static_cast<int>(dimension());
        const int n = static_cast<int>(std::min(at_once, rows() - first));
        if (features_.sparse()) {
            for (Index i = first; i < first + n; ++i)
                for_each_value(
                    i, [&](Index j, double value) { out[unsigned_of(i)] += value * y[unsigned_of(j)]; });
            return;
        }
        const double one = 1;
        const double zero = 0;
        const int step = 1;
        dgemv_("T", &m, &n, &one, features_.values + first * dimension(), &m, y.data(), &step, &zero,
               out.data() + first, &step);
    });
    return out;
}

std::vector<double> FeatureProducts::transposed_times(std::span<const double> x) const {
    return summed(dimension(), [&](Index first, Index count, double* sums) {
        if (features_.sparse()) {
            for (Index i = first; i < first + count; ++i)
                for_each_value(i, [&](Index j, double value) { sums[j] += value * x[unsigned_of(i)]; });
            return;
        }
        const int m = static_cast<int>(dimension());
        const int n = static_cast<int>(count);
        const double one = 1;
        const int step = 1;
        dgemv_("N", &m, &n, &one, features_.values + first * dimension(), &m, x.data() + first, &step, &one,
               sums, &step);
    });
}

std::vector<double> FeatureProducts::weighted_square(std::span<const double> weights) const {
    if (features_.sparse()) return sparse_weighted_square(weights);
    const Index d = dimension();
    return summed(d * d, [&](Index first, Index count, double* sums) {
        const double* rows = features_.values + first * d;
        std::vector<double> weighted(rows, rows + count * d);
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < d; ++j) weighted[unsigned_of(i * d + j)] *= weights[unsigned_of(first + i)];
        }
        const int m = static_cast<int>(d);
        const int k = static_cast<int>(count);
        const double one = 1;
        dgemm_("N", "T", &m, &m, &k, &one, weighted.data(), &m, rows, &m, &one, sums, &m);
    });
}

std::vector<double> FeatureProducts::sparse_weighted_square(std::span<const double> weights) const {
    const Index d = dimension();
    // columns rise along a row, so that these are the elements above the diagonal
    std::vector<double> square = summed(d * d, [&](Index first, Index count, double* sums) {
        for (Index i = first; i < first + count; ++i) {
            if (weights[unsigned_of(i)] == 0) continue;
            const Index end = features_.row_offsets[i + 1];
            for (Index e = features_.row_offsets[i]; e < end; ++e) {
                const double weighted = weights[unsigned_of(i)] * features_.values[e];
                double* row = sums + features_.columns[e] * d;
                for (Index other = e; other < end; ++other)
                    row[features_.columns[other]] += weighted * features_.values[other];
            }
        }
    });
    for (Index j = 0; j < d; ++j) {
        for (Index l = 0; l < j; ++l) square[unsigned_of(j * d + l)] = square[unsigned_of(l * d + j)];
    }
    return square;
}

}  // namespace dk

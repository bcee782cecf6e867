// SPDX-License-Identifier: Apache-2.0
#include "kernel/factored_product.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "kernel/product.hpp"

namespace dk {

namespace {
constexpr Index rows_at_once = 128;
constexpr Index rows_in_a_sum = 8 * rows_at_once;  // sums over blocks of rows have a fixed order
}  // namespace

void factored_product(const Factor& left, const Factor& right, Index dimension, const double* v, Index v_cols,
                      double* out, Control& control) {
    const Index blocks = (right.rows + rows_in_a_sum - 1) / rows_in_a_sum;
    std::vector<std::vector<double>> partial(unsigned_of(blocks));
    parallel_for(blocks, control, [&](Index b) {
        const Index first = b * rows_in_a_sum;
        const Index count = std::min(rows_in_a_sum, right.rows - first);
        const double* own = v + first * v_cols;
        if (std::all_of(own, own + count * v_cols, [](double x) { return x == 0; })) return;
        partial[unsigned_of(b)].resize(unsigned_of(v_cols * dimension));
        accumulate_transposed_product(own, v_cols, v_cols, count, right.values + first * dimension, dimension,
                                      dimension, partial[unsigned_of(b)].data(), dimension);
    });
    std::vector<double> weights(unsigned_of(v_cols * dimension));
    for (const auto& part : partial) {
        for (std::size_t e = 0; e < part.size(); ++e) weights[e] += part[e];
    }
    parallel_for((left.rows + rows_at_once - 1) / rows_at_once, control, [&](Index b) {
        const Index first = b * rows_at_once;
        dense_product(left.values + first * dimension, dimension, std::min(rows_at_once, left.rows - first),
                      weights.data(), dimension, v_cols, dimension, out + first * v_cols, v_cols);
    });
}

void factored_product(const SparseMatrix& left, const SparseMatrix& right, const double* v, Index v_cols,
                      double* out, Control& control) {
    std::vector<double> weights(unsigned_of(v_cols * right.cols));
    for (Index i = 0; i < right.rows; ++i) {
        const double* own = v + i * v_cols;
        for (Index e = right.row_offsets[unsigned_of(i)]; e < right.row_offsets[unsigned_of(i + 1)]; ++e) {
            double* weight = weights.data() + right.columns[unsigned_of(e)] * v_cols;
            for (Index c = 0; c < v_cols; ++c) weight[c] += right.values[unsigned_of(e)] * own[c];
        }
    }
    parallel_for((left.rows + rows_at_once - 1) / rows_at_once, control, [&](Index b) {
        for (Index i = b * rows_at_once; i < std::min(left.rows, (b + 1) * rows_at_once); ++i) {
            double* result = out + i * v_cols;
            std::fill(result, result + v_cols, 0.0);
            for (Index e = left.row_offsets[unsigned_of(i)]; e < left.row_offsets[unsigned_of(i + 1)]; ++e) {
                if (left.columns[unsigned_of(e)] >= right.cols) continue;
                const double* weight = weights.data() + left.columns[unsigned_of(e)] * v_cols;
                for (Index c = 0; c < v_cols; ++c) result[c] += left.values[unsigned_of(e)] * weight[c];
            }
        }
    });
}

}  // namespace dk

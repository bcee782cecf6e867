// SPDX-License-Identifier: Apache-2.0
#include "kernel/lowrank/feature_stream.hpp"

#include <algorithm>
#include <numeric>

#include "matrix/product.hpp"

namespace dk {

void read_features(const FeatureMap& map, const Dataset& data, const FeatureReader& reader,
                   Control& control) {
    for (Index first = 0; first < data.rows(); first += feature_rows_at_once) {
        const Index count = std::min(feature_rows_at_once, data.rows() - first);
        const ProgressScope scope(control, 1.0 * first / data.rows(), 1.0 * (first + count) / data.rows());
        const ProgressHold hold(control);
        LargeArray<double> values;
        if (count == data.rows()) {
            values = map.features(data, control);
        } else {
            std::vector<Index> rows(count);
            std::iota(rows.begin(), rows.end(), first);
            values = map.features(data.select(rows), control);
        }
        reader(first, view(std::as_const(values).data(), count, map.dimension()));
        control.check();
    }
}

Matrix combined_features(const FeatureMap& map, const Dataset& data, std::span<const WeightBlock> v,
                         Index v_cols, Control& control) {
    Matrix W = Matrix::Zero(map.dimension(), v_cols);
    read_features(
        map, data,
        [&](Index first, const ConstMatrixView& features) {
            Matrix weights = Matrix::Zero(features.rows(), v_cols);
            bool any = false;
            for (const WeightBlock& block : v) {
                const Index begin = std::max(first, block.first);
                const Index end = std::min(first + features.rows(), block.first + block.rows);
                if (begin >= end) continue;
                const auto own = view(block.weights.data(), block.rows, std::ssize(block.columns));
                for (std::size_t c = 0; c < block.columns.size(); ++c)
                    weights.col(block.columns[c]).segment(begin - first, end - begin) =
                        own.col(static_cast<Index>(c)).segment(begin - block.first, end - begin);
                any = true;
            }
            if (any) transposed_multiply(features, weights, W, Into::add, control);
        },
        control);
    return W;
}

void multiply_features(const FeatureMap& map, const Dataset& data, const Matrix& W,
                       const ProductReader& reader, Control& control) {
    std::vector<double> values;
    read_features(
        map, data,
        [&](Index first, const ConstMatrixView& features) {
            values.resize(features.rows() * W.cols());
            multiply(features, W, view(values.data(), features.rows(), W.cols()), Into::assign, control);
            reader(first, values);
        },
        control);
}

std::vector<double> FeatureEngine::self(Side side) const {
    const Dataset& data = side == Side::left ? left_ : right_;
    if (map_.unit_length()) return std::vector<double>(data.rows(), 1.0);
    std::vector<double> squares(data.rows());
    read_features(
        map_, data,
        [&](Index first, const ConstMatrixView& features) {
            as_vector(squares).segment(first, features.rows()) = features.rowwise().squaredNorm();
        },
        control_);
    return squares;
}

void FeatureEngine::product(std::span<const WeightBlock> v, Index v_cols, const ProductReader& reader,
                            Control& control) const {
    multiply_features(map_, left_, combined_features(map_, right_, v, v_cols, control), reader, control);
}

}  // namespace dk

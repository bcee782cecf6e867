// SPDX-License-Identifier: Apache-2.0
#include "kernel/lowrank/feature_stream.hpp"

#include <algorithm>
#include <numeric>

#include "matrix/product.hpp"

namespace dk {

namespace {

/// Runs body(first, some) for the rows first to first + some.rows() - 1 and so on.
template <typename Body>
void for_pieces(const Dataset& data, Control& control, Body body) {
    for (Index first = 0; first < data.rows(); first += feature_rows_at_once) {
        const Index count = std::min(feature_rows_at_once, data.rows() - first);
        const ProgressScope scope(control, 1.0 * first / data.rows(), 1.0 * (first + count) / data.rows());
        const ProgressHold hold(control);
        if (count == data.rows()) {
            body(first, data);
        } else {
            std::vector<Index> rows(count);
            std::iota(rows.begin(), rows.end(), first);
            body(first, data.select(rows));
        }
        control.check();
    }
}

}  // namespace

void read_raw_features(const FeatureMap& map, const Dataset& data, const FeatureReader& reader,
                       Control& control) {
    const Index width = map.raw_dimension();
    LargeArray<double> values(std::min(data.rows(), feature_rows_at_once) * width);
    for_pieces(data, control, [&](Index first, const Dataset& some) {
        map.write_raw_features(some, view(values.data(), some.rows(), width), control);
        reader(first, view(std::as_const(values).data(), some.rows(), width));
    });
}

std::vector<Index> one_row_of_each_piece(Index rows, Index every) {
    std::vector<Index> chosen;
    for (Index piece = 0; piece * every + piece % every < rows; ++piece)
        chosen.push_back(piece * every + piece % every);
    return chosen;
}

Matrix combined_features(const FeatureMap& map, const Dataset& data, std::span<const WeightBlock> v,
                         Index v_cols, Control& control) {
    Matrix sums = Matrix::Zero(map.raw_dimension(), v_cols);
    read_raw_features(
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
            if (any) transposed_multiply(features, weights, sums, Into::add, control);
        },
        control);
    return map.from_raw(sums, control);
}

void multiply_raw_features(const FeatureMap& map, const Dataset& data, const Matrix& raw,
                           const ProductReader& reader, Control& control) {
    std::vector<double> values;
    read_raw_features(
        map, data,
        [&](Index first, const ConstMatrixView& features) {
            values.resize(features.rows() * raw.cols());
            multiply(features, raw, view(values.data(), features.rows(), raw.cols()), Into::assign, control);
            reader(first, values);
        },
        control);
}

std::vector<double> FeatureEngine::self(Side side) const {
    const Dataset& data = side == Side::left ? left_ : right_;
    if (map_.unit_length()) return std::vector<double>(data.rows(), 1.0);
    std::vector<double> squares(data.rows());
    for_pieces(data, control_, [&](Index first, const Dataset& some) {
        const LargeArray<double> values = map_.features(some, control_);
        as_vector(squares).segment(first, some.rows()) =
            view(values.data(), some.rows(), map_.dimension()).rowwise().squaredNorm();
    });
    return squares;
}

void FeatureEngine::product(std::span<const WeightBlock> v, Index v_cols, const ProductReader& reader,
                            Control& control) const {
    const Matrix combined = combined_features(map_, right_, v, v_cols, control);
    multiply_raw_features(map_, left_, map_.to_raw(combined, control), reader, control);
}

}  // namespace dk

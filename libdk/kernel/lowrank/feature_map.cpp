// SPDX-License-Identifier: Apache-2.0
// The kernel of a feature map is k(x, z) = phi(x).phi(z), and its matrix is K = Phi_left Phi_right'. The
// features of all rows of a side are computed once. A product K v = Phi_left (Phi_right' v) goes through
// them, without kernel values of pairs.
//
//   formula                 code
//   Phi_left, Phi_right     features_
#include "kernel/lowrank/feature_map.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernel/engine/both_sides.hpp"
#include "kernel/engine/factored_product.hpp"
#include "matrix/product.hpp"

namespace dk {

void FeatureMap::write_raw_features(const Dataset& data, MatrixView out, Control& control) const {
    const LargeArray<double> values = features(data, control);
    const ConstMatrixView all = view(values.data(), out.rows(), out.cols());
    const ProgressHold hold(control);
    parallel_for_rows(out.rows(), out.cols(), control, [&](Index i) { out.row(i) = all.row(i); });
}

namespace {

template <typename T>
class FeatureEvaluator final : public Evaluator<T> {
  public:
    FeatureEvaluator(const Operands<T>& operands, const FeatureMap& map)
        : symmetric_(operands.symmetric()), unit_length_(map.unit_length()), dimension_(map.dimension()) {
        const ProgressHold hold(operands.control());
        for (const Side side : {Side::left, Side::right}) {
            if (side == Side::right && symmetric_) continue;
            const Dataset& data = operands.data(side);
            operands.control().memory().require(
                8.0 * data.rows() * dimension_,
                text("features of ", data.rows(), " rows in ", dimension_, " dimensions"));
            auto& own = features_[side];
            own.rows = data.rows();
            own.values = in_pieces(map, data, operands.control());
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        MatrixOf<T> left(block.rows(), dimension_);
        for (Index i = 0; i < block.rows(); ++i)
            left.row(i) = side(Side::left).phi(dimension_).row(block.left_rows[i]);
        const auto right = side(Side::right).phi(dimension_).middleRows(block.right_row, block.cols);
        multiply_transposed(left, right, view(out, block.rows(), block.cols, stride));
    }

    std::vector<double> self(Side which) const override {
        const auto phi = side(which).phi(dimension_);
        if (unit_length_) return std::vector<double>(phi.rows(), 1.0);
        std::vector<double> norms(phi.rows());
        for (Index i = 0; i < phi.rows(); ++i) norms[i] = phi.row(i).template cast<double>().squaredNorm();
        return norms;
    }

    bool product(const double* v, Index v_cols, double* out, Control& control) const override {
        if constexpr (std::is_same_v<T, double>) {
            const auto& right = side(Side::right);
            const auto& left = side(Side::left);
            factored_product({left.values.data(), left.rows}, {right.values.data(), right.rows}, dimension_,
                             v, v_cols, out, control);
            return true;
        }
        return false;
    }
    FeatureRows features(Side which) const override {
        if constexpr (std::is_same_v<T, double>)
            return {side(which).values.data(), side(which).rows, dimension_};
        return {};
    }

  private:
    struct Features {
        Index rows = 0;
        LargeArray<T> values;
        ConstMatrixViewOf<T> phi(Index dimension) const { return view(values.data(), rows, dimension); }
    };
    /// Computes the features of some rows at a time, so that what a map needs beside them is of these rows
    /// alone.
    LargeArray<T> in_pieces(const FeatureMap& map, const Dataset& data, Control& control) const {
        constexpr Index at_once = Index{1} << 16U;
        if constexpr (std::is_same_v<T, double>) {
            if (data.rows() <= at_once) return map.features(data, control);
        }
        LargeArray<T> all(data.rows() * dimension_);
        for (Index first = 0; first < data.rows(); first += at_once) {
            const Index count = std::min(at_once, data.rows() - first);
            std::vector<Index> rows(count);
            std::iota(rows.begin(), rows.end(), first);
            const LargeArray<double> features =
                map.features(data.rows() <= at_once ? data : data.select(rows), control);
            view(all.data() + first * dimension_, count, dimension_) =
                view(features.data(), count, dimension_).template cast<T>();
        }
        return all;
    }

    const Features& side(Side which) const { return features_[symmetric_ ? Side::left : which]; }

    bool symmetric_;
    bool unit_length_;
    Index dimension_;
    BothSides<Features> features_;
};

}  // namespace

template <typename T>
std::unique_ptr<Evaluator<T>> make_feature_evaluator(const Operands<T>& operands, const FeatureMap& map) {
    return std::make_unique<FeatureEvaluator<T>>(operands, map);
}
template std::unique_ptr<Evaluator<double>> make_feature_evaluator(const Operands<double>&,
                                                                   const FeatureMap&);
template std::unique_ptr<Evaluator<float>> make_feature_evaluator(const Operands<float>&, const FeatureMap&);

namespace {

class FeatureKernel final : public BindableKernel<FeatureKernel> {
  public:
    FeatureKernel(std::shared_ptr<const FeatureMap> map, std::string text)
        : map_(std::move(map)), text_(std::move(text)) {}

    std::string text() const override { return text_; }
    bool works_on(DataKind kind) const override { return map_->works_on(kind); }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return false; }
    bool factored() const override { return true; }
    const FeatureMap* feature_map() const override { return map_.get(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        map_->collect_states(states);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return make_feature_evaluator(operands, *map_);
    }

  private:
    std::shared_ptr<const FeatureMap> map_;
    std::string text_;
};

}  // namespace

KernelPointer make_feature_kernel(std::shared_ptr<const FeatureMap> map, std::string text) {
    return std::make_shared<FeatureKernel>(std::move(map), std::move(text));
}

}  // namespace dk

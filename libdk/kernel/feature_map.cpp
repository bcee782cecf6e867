// SPDX-License-Identifier: Apache-2.0
#include "kernel/feature_map.hpp"

#include <algorithm>
#include <type_traits>

#include "base/text.hpp"
#include "kernel/factored_product.hpp"
#include "kernel/product.hpp"

namespace dk {

namespace {

template <typename T>
class FeatureEvaluator final : public Evaluator<T> {
  public:
    FeatureEvaluator(const Operands<T>& operands, const FeatureMap& map)
        : symmetric_(operands.symmetric()), dimension_(map.dimension()) {
        const ProgressHold hold(operands.control());
        for (const Side side : {Side::left, Side::right}) {
            if (side == Side::right && symmetric_) continue;
            const Dataset& data = operands.data(side);
            operands.control().memory().require(
                static_cast<double>(data.rows()) * static_cast<double>(dimension_) * 8,
                text("features of ", data.rows(), " rows in ", dimension_, " dimensions"));
            auto features = map.features(data, operands.control());
            auto& own = features_[static_cast<std::size_t>(side)];
            own.rows = data.rows();
            if constexpr (std::is_same_v<T, double>) {
                own.values = std::move(features);
            } else {
                own.values = LargeArray<T>(features.size());
                std::transform(features.data(), features.data() + features.size(), own.values.data(),
                               [](double v) { return static_cast<T>(v); });
            }
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        std::vector<T> left;
        for (const Index i : block.left_rows) {
            const T* row = side(Side::left).row(i, dimension_);
            left.insert(left.end(), row, row + dimension_);
        }
        dense_product(left.data(), dimension_, block.rows(),
                      side(Side::right).row(block.right_row, dimension_), dimension_, block.cols, dimension_,
                      out, stride);
    }

    std::vector<double> self(Side which) const override {
        std::vector<double> norms;
        for (Index i = 0; i < side(which).rows; ++i) {
            const T* row = side(which).row(i, dimension_);
            double sum = 0;
            for (Index f = 0; f < dimension_; ++f)
                sum += static_cast<double>(row[f]) * static_cast<double>(row[f]);
            norms.push_back(sum);
        }
        return norms;
    }

    /// Phi_left (Phi_right' v), which never sees a pair.
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
        const T* row(Index i, Index dimension) const { return values.data() + i * dimension; }
    };
    const Features& side(Side which) const {
        return features_[symmetric_ ? 0 : static_cast<std::size_t>(which)];
    }

    bool symmetric_;
    Index dimension_;
    std::array<Features, 2> features_;
};

class FeatureKernel final : public BindableKernel<FeatureKernel> {
  public:
    FeatureKernel(std::shared_ptr<const FeatureMap> map, std::string text)
        : map_(std::move(map)), text_(std::move(text)) {}

    std::string text() const override { return text_; }
    bool works_on(DataKind kind) const override { return map_->works_on(kind); }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return false; }
    bool factored() const override { return true; }
    void collect_states(std::vector<const KernelState*>& states) const override {
        map_->collect_states(states);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<FeatureEvaluator<T>>(operands, *map_);
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

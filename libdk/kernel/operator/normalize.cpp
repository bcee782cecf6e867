// SPDX-License-Identifier: Apache-2.0
// normalize(k) is k(x, z) / sqrt(k(x, x) k(z, z)), the cosine of the angle between the features of x and z. A
// kernel that has k(x, x) = 1 for every x stays as it is.
//
// Shawe-Taylor, Cristianini, Kernel methods for pattern analysis, 2004.
#include <cmath>

#include "base/error.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/engine/both_sides.hpp"
#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"
#include "kernel/lowrank/combined_maps.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

template <typename T>
using EvaluatorPointer = std::unique_ptr<Evaluator<T>>;

template <typename T>
class NormalisedEvaluator final : public Evaluator<T> {
  public:
    NormalisedEvaluator(const Operands<T>& operands, EvaluatorPointer<T> inner)
        : operands_(operands), inner_(std::move(inner)) {
        for (const Side side : {Side::left, Side::right}) {
            auto& factors = factors_[side];
            factors = inner_->self(side);
            for (double& v : factors) v = v > 0 ? 1 / std::sqrt(v) : 0.0;
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        inner_->evaluate(workspace, out, stride);
        auto K = view(out, block.rows(), block.cols, stride);
        const auto right = std::span(factors_.right).subspan(block.right_row, block.cols);
        for (Index i = 0; i < block.rows(); ++i) {
            const double left = factors_.left[block.left_rows[i]];
            T* k = &K(i, 0);
            if (left == 0) {
                for (Index j = 0; j < block.cols; ++j) k[j] = right[j] == 0 ? T{1} : T{0};
            } else {
                for (Index j = 0; j < block.cols; ++j) k[j] = static_cast<T>(k[j] * (left * right[j]));
            }
        }
    }
    std::vector<double> self(Side side) const override {
        return std::vector<double>(operands_.data(side).rows(), 1.0);
    }

  private:
    const Operands<T>& operands_;
    EvaluatorPointer<T> inner_;
    BothSides<std::vector<double>> factors_;
};

class Normalised final : public BindableKernel<Normalised> {
  public:
    explicit Normalised(KernelPointer inner) : inner_(std::move(inner)) {
        if (auto map = map_of(inner_)) map_ = unit_length_map(std::move(map));
    }

    std::string text() const override { return "normalize(" + inner_->text() + ")"; }
    bool unit_diagonal() const override { return true; }
    bool works_on(DataKind kind) const override { return inner_->works_on(kind); }
    bool positive_semidefinite() const override { return inner_->positive_semidefinite(); }
    bool cheap() const override { return inner_->cheap(); }
    bool knows_rows() const override { return inner_->knows_rows(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        inner_->collect_states(states);
    }
    bool constant_diagonal() const override { return true; }
    bool factored() const override { return map_ != nullptr; }
    const FeatureMap* feature_map() const override { return map_.get(); }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        if (map_) return make_feature_evaluator(operands, *map_);
        return std::make_unique<NormalisedEvaluator<T>>(operands, inner_->bind(operands));
    }

  private:
    KernelPointer inner_;
    std::shared_ptr<const FeatureMap> map_;  // null where the inner kernel has none
};

}  // namespace

KernelPointer normalised(const KernelPointer& kernel) {
    if (kernel->unit_diagonal()) return kernel;
    if (kernel->asks_caller()) {
        fail(Status::unsupported, "normalize needs the similarity of a point to itself, which kernel ",
             kernel->text(), " has for rows only; let the caller normalize its similarities");
    }
    if (const auto* normalisable = dynamic_cast<const Normalisable*>(kernel.get()))
        return normalisable->normalised();
    return std::make_shared<Normalised>(kernel);
}

KernelEntry normalize_operator() {
    return {
        .name = "normalize",
        .doc = "normalize(k) is the cosine of the angle between features: k(x, z) / sqrt(k(x, x) k(z, z)).",
        .facts = {.positive_semidefinite = "when k is",
                  .constant_diagonal = "always",
                  .differentiable = "when k is and has k(x, x) = 1"},
        .make =
            [](const Expression& call, const Columns& columns, Construction& construction) {
                return construction.expand_each(only_kernel_of(call), columns, normalised);
            },
        .keeps_fixed_values = true};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// Functions of one kernel's values: powers, the exponential, cosine normalisation.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "kernel/algebra.hpp"
#include "kernel/gradient.hpp"
#include "kernel/maps.hpp"

namespace dk {

namespace {

template <typename T>
using EvaluatorPointer = std::unique_ptr<Evaluator<T>>;

template <typename T>
class PowerEvaluator final : public Evaluator<T> {
  public:
    PowerEvaluator(EvaluatorPointer<T> base, int exponent) : base_(std::move(base)), exponent_(exponent) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        auto scratch = workspace.scratch();
        base_->evaluate(workspace, scratch.data(), block.cols);
        tile_maps<T>().power(scratch.data(), 1, 0, exponent_, block.rows(), block.cols, out, stride);
    }
    /// n k^(n - 1) grad k
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const auto values = values_of(*base_, workspace);
        std::vector<double> inner(coefficients, coefficients + values.size());
        for (std::size_t e = 0; e < inner.size(); ++e)
            inner[e] *= exponent_ * std::pow(static_cast<double>(values[e]), exponent_ - 1);
        base_->add_gradient(workspace, inner.data(), out, stride);
    }
    std::vector<double> self(Side side) const override {
        auto values = base_->self(side);
        for (double& v : values) v = std::pow(v, exponent_);
        return values;
    }

  private:
    EvaluatorPointer<T> base_;
    int exponent_;
};

class Power final : public BindableKernel<Power> {
  public:
    Power(KernelPointer base, int exponent) : base_(std::move(base)), exponent_(exponent) {}

    std::string text() const override { return dk::text("(", base_->text(), ")^", exponent_); }
    bool works_on(DataKind kind) const override { return base_->works_on(kind); }
    bool positive_semidefinite() const override { return base_->positive_semidefinite(); }
    bool constant_diagonal() const override { return base_->constant_diagonal(); }
    bool unit_diagonal() const override { return base_->unit_diagonal(); }
    bool differentiable() const override { return base_->differentiable(); }
    bool knows_rows() const override { return base_->knows_rows(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        base_->collect_states(states);
    }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<PowerEvaluator<T>>(base_->bind(operands), exponent_);
    }

  private:
    KernelPointer base_;
    int exponent_;
};

template <typename T>
class ExponentialEvaluator final : public Evaluator<T> {
  public:
    explicit ExponentialEvaluator(EvaluatorPointer<T> inner) : inner_(std::move(inner)) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        inner_->evaluate(workspace, out, stride);
        tile_maps<T>().exponential(out, 1, workspace.block().rows(), workspace.block().cols, stride, out,
                                   stride);
    }
    /// exp(k) grad k
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const auto values = values_of(*this, workspace);
        std::vector<double> inner(coefficients, coefficients + values.size());
        for (std::size_t e = 0; e < inner.size(); ++e) inner[e] *= static_cast<double>(values[e]);
        inner_->add_gradient(workspace, inner.data(), out, stride);
    }
    std::vector<double> self(Side side) const override {
        auto values = inner_->self(side);
        for (double& v : values) v = std::exp(v);
        return values;
    }

  private:
    EvaluatorPointer<T> inner_;
};

class Exponential final : public BindableKernel<Exponential> {
  public:
    explicit Exponential(KernelPointer inner) : inner_(std::move(inner)) {}

    std::string text() const override { return "exp(" + inner_->text() + ")"; }
    bool differentiable() const override { return inner_->differentiable(); }
    bool works_on(DataKind kind) const override { return inner_->works_on(kind); }
    bool positive_semidefinite() const override { return inner_->positive_semidefinite(); }
    bool knows_rows() const override { return inner_->knows_rows(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        inner_->collect_states(states);
    }
    bool constant_diagonal() const override { return inner_->constant_diagonal(); }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<ExponentialEvaluator<T>>(inner_->bind(operands));
    }

  private:
    KernelPointer inner_;
};

template <typename T>
class NormalisedEvaluator final : public Evaluator<T> {
  public:
    NormalisedEvaluator(const Operands<T>& operands, EvaluatorPointer<T> inner)
        : operands_(operands), inner_(std::move(inner)) {
        for (const Side side : {Side::left, Side::right}) {
            auto& factors = factors_[static_cast<std::size_t>(side)];
            factors = inner_->self(side);
            for (double& v : factors) v = v > 0 ? 1 / std::sqrt(v) : 0.0;
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        inner_->evaluate(workspace, out, stride);
        const double* right = factors_[1].data() + block.right_row;
        for (Index i = 0; i < block.rows(); ++i) {
            const double left = factors_[0][unsigned_of(block.left_rows[unsigned_of(i)])];
            T* row = out + i * stride;
            if (left == 0) {
                for (Index j = 0; j < block.cols; ++j) row[j] = right[j] == 0 ? T{1} : T{0};
            } else {
                for (Index j = 0; j < block.cols; ++j) row[j] = static_cast<T>(row[j] * (left * right[j]));
            }
        }
    }
    std::vector<double> self(Side side) const override {
        return std::vector<double>(unsigned_of(operands_.data(side).rows()), 1.0);
    }

  private:
    const Operands<T>& operands_;
    EvaluatorPointer<T> inner_;
    std::array<std::vector<double>, 2> factors_;
};

class Normalised final : public BindableKernel<Normalised> {
  public:
    explicit Normalised(KernelPointer inner) : inner_(std::move(inner)) {}

    std::string text() const override { return "normalize(" + inner_->text() + ")"; }
    bool unit_diagonal() const override { return true; }
    bool works_on(DataKind kind) const override { return inner_->works_on(kind); }
    bool positive_semidefinite() const override { return inner_->positive_semidefinite(); }
    bool knows_rows() const override { return inner_->knows_rows(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        inner_->collect_states(states);
    }
    bool constant_diagonal() const override { return true; }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<NormalisedEvaluator<T>>(operands, inner_->bind(operands));
    }

  private:
    KernelPointer inner_;
};

}  // namespace

KernelPointer power_of(KernelPointer kernel, int exponent) {
    if (exponent == 1) return kernel;
    return std::make_shared<Power>(std::move(kernel), exponent);
}

KernelPointer exponential_of(KernelPointer kernel) {
    return std::make_shared<Exponential>(std::move(kernel));
}

KernelPointer normalised(const KernelPointer& kernel) {
    if (kernel->unit_diagonal()) return kernel;
    if (const auto* normalisable = dynamic_cast<const Normalisable*>(kernel.get()))
        return normalisable->normalised();
    return std::make_shared<Normalised>(kernel);
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// k(x, z)^n for an integer n >= 1 is positive semidefinite where k is, because it is a product of kernels.
//
//   formula     code
//   n           exponent
//
// Shawe-Taylor, Cristianini, Kernel methods for pattern analysis, 2004.
#include <cmath>

#include "base/text.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/engine/gradient.hpp"
#include "kernel/maps/maps.hpp"

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
    /// The gradient of k^n is n k^(n - 1) times the gradient of k.
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const auto values = values_of(*base_, workspace);
        std::vector<double> inner(coefficients, coefficients + values.size());
        for (std::size_t e = 0; e < inner.size(); ++e)
            inner[e] *= exponent_ * std::pow(values[e], exponent_ - 1);
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
    bool asks_caller() const override { return base_->asks_caller(); }
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

}  // namespace

KernelPointer power_of(KernelPointer kernel, int exponent) {
    if (exponent == 1) return kernel;
    return std::make_shared<Power>(std::move(kernel), exponent);
}

}  // namespace dk

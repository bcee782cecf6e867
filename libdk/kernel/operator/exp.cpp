// SPDX-License-Identifier: Apache-2.0
// exp(k(x, z)) is the sum of k(x, z)^n / n! over n = 0, 1, ..., so that it is positive semidefinite where k
// is.
//
// Shawe-Taylor, Cristianini, Kernel methods for pattern analysis, 2004.
#include <cmath>

#include "kernel/algebra/algebra.hpp"
#include "kernel/engine/gradient.hpp"
#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"
#include "kernel/maps/maps.hpp"

namespace dk {

namespace {

template <typename T>
using EvaluatorPointer = std::unique_ptr<Evaluator<T>>;

template <typename T>
class ExponentialEvaluator final : public Evaluator<T> {
  public:
    explicit ExponentialEvaluator(EvaluatorPointer<T> inner) : inner_(std::move(inner)) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        inner_->evaluate(workspace, out, stride);
        tile_maps<T>().exponential(out, 1, workspace.block().rows(), workspace.block().cols, stride, out,
                                   stride);
    }
    /// The gradient of exp(k) is exp(k) times the gradient of k.
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const auto values = values_of(*this, workspace);
        std::vector<double> inner(coefficients, coefficients + values.size());
        for (std::size_t e = 0; e < inner.size(); ++e) inner[e] *= values[e];
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
    bool asks_caller() const override { return inner_->asks_caller(); }
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

}  // namespace

KernelPointer exponential_of(KernelPointer kernel) {
    return std::make_shared<Exponential>(std::move(kernel));
}

KernelEntry exp_operator() {
    return {.name = "exp",
            .doc = "exp(k) is the exponential of the values of k.",
            .facts = {.positive_semidefinite = "when k is",
                      .constant_diagonal = "when k has one",
                      .differentiable = "when k is"},
            .make =
                [](const Expression& call, const Columns& columns, Construction& construction) {
                    return construction.expand_each(only_kernel_of(call), columns, exponential_of);
                },
            .keeps_fixed_values = true};
}

}  // namespace dk

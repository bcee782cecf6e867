// SPDX-License-Identifier: Apache-2.0
// k(x, z) = tanh(gamma x.z + coef0) is not positive semidefinite.
//
// Vapnik, The nature of statistical learning theory, 1995.
#include <cmath>

#include "base/text.hpp"
#include "kernel/engine/gradient.hpp"
#include "kernel/language/registry.hpp"
#include "kernel/maps/maps.hpp"

namespace dk {

namespace parameter {
constexpr AutomaticKey<double> sigmoid_gamma{"gamma", Range::positive(),
                                             "gamma multiplies the inner product; auto finds it as for rbf."};
constexpr RealKey sigmoid_coef0{
    "coef0", 0, {-1e300, 1e300}, "coef0 is added to gamma times the inner product."};
}  // namespace parameter

namespace {

template <typename T>
class SigmoidEvaluator final : public Evaluator<T> {
  public:
    SigmoidEvaluator(Operands<T>& operands, const Columns& columns, double gamma, double coef0)
        : operands_(operands),
          columns_(columns),
          product_(operands.request_product(columns)),
          gamma_(gamma),
          coef0_(coef0) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        tile_maps<T>().tanh(workspace.inner_products(product_), gamma_, coef0_, workspace.block().rows(),
                            workspace.block().cols, out, stride);
    }
    /// The gradient of k with respect to x is gamma / cosh^2(gamma x.z + coef0) z.
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const T* products = workspace.inner_products(product_);
        std::vector<double> weights(coefficients,
                                    coefficients + workspace.block().rows() * workspace.block().cols);
        for (std::size_t e = 0; e < weights.size(); ++e) {
            weights[e] *= gamma_ / std::pow(std::cosh(gamma_ * products[e] + coef0_), 2);
        }
        add_weighted_rows(workspace, product_, columns_, weights.data(), out, stride);
    }
    std::vector<double> self(Side side) const override {
        std::vector<double> values = operands_.panel(side, product_).squared_norms;
        for (double& v : values) v = std::tanh(gamma_ * v + coef0_);
        return values;
    }

  private:
    const Operands<T>& operands_;
    Columns columns_;
    std::size_t product_;
    double gamma_;
    double coef0_;
};

class Sigmoid final : public ColumnKernel<Sigmoid> {
  public:
    Sigmoid(Columns columns, double gamma, double coef0)
        : ColumnKernel(std::move(columns)), gamma_(gamma), coef0_(coef0) {}

    std::string function_text() const { return dk::text("sigmoid(gamma=", gamma_, ", coef0=", coef0_, ")"); }
    bool positive_semidefinite() const override { return false; }
    bool constant_diagonal() const override { return false; }
    bool differentiable() const override { return true; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<SigmoidEvaluator<T>>(operands, columns(), gamma_, coef0_);
    }

  private:
    double gamma_;
    double coef0_;
};

}  // namespace

KernelEntry sigmoid_kernel() {
    return {.name = "sigmoid",
            .doc = "k(x, z) = tanh(gamma x.z + coef0), as a neuron computes.",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "never guaranteed",
                      .constant_diagonal = "never",
                      .differentiable = "always"},
            .parameters = {parameter::sigmoid_gamma, parameter::sigmoid_coef0},
            .make = [](const KernelArguments& a) {
                return std::make_shared<Sigmoid>(a.columns, a[parameter::sigmoid_gamma],
                                                 a[parameter::sigmoid_coef0]);
            }};
}

}  // namespace dk

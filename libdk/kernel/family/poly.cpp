// SPDX-License-Identifier: Apache-2.0
// k(x, z) = (gamma x.z + coef0)^degree is positive semidefinite where coef0 is at least 0.
//
// Boser, Guyon, Vapnik, A training algorithm for optimal margin classifiers, COLT 1992.
#include <cmath>

#include "base/text.hpp"
#include "kernel/engine/gradient.hpp"
#include "kernel/language/registry.hpp"
#include "kernel/maps/maps.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey degree{"degree", 3, {1, 100}, "degree is the exponent."};
constexpr RealKey poly_gamma{"gamma", 1, Range::positive(), "gamma multiplies the inner product."};
constexpr RealKey poly_coef0{"coef0", 1, {-1e300, 1e300}, "coef0 is added to gamma times the inner product."};
}  // namespace parameter

namespace {

struct PolyParameters {
    int degree;
    double gamma;
    double coef0;
};

template <typename T>
class PolyEvaluator final : public Evaluator<T> {
  public:
    PolyEvaluator(Operands<T>& operands, const Columns& columns, PolyParameters parameters)
        : operands_(operands),
          columns_(columns),
          product_(operands.request_product(columns)),
          parameters_(parameters) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        tile_maps<T>().power(workspace.inner_products(product_), parameters_.gamma, parameters_.coef0,
                             parameters_.degree, workspace.block().rows(), workspace.block().cols, out,
                             stride);
    }
    /// The gradient of k with respect to x is degree gamma (gamma x.z + coef0)^(degree - 1) z.
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const T* products = workspace.inner_products(product_);
        std::vector<double> weights(coefficients,
                                    coefficients + workspace.block().rows() * workspace.block().cols);
        for (std::size_t e = 0; e < weights.size(); ++e) {
            weights[e] *=
                parameters_.degree * parameters_.gamma *
                std::pow(parameters_.gamma * products[e] + parameters_.coef0, parameters_.degree - 1);
        }
        add_weighted_rows(workspace, product_, columns_, weights.data(), out, stride);
    }
    std::vector<double> self(Side side) const override {
        std::vector<double> values = operands_.panel(side, product_).squared_norms;
        for (double& v : values) v = std::pow(parameters_.gamma * v + parameters_.coef0, parameters_.degree);
        return values;
    }

  private:
    const Operands<T>& operands_;
    Columns columns_;
    std::size_t product_;
    PolyParameters parameters_;
};

class Poly final : public ColumnKernel<Poly> {
  public:
    Poly(Columns columns, PolyParameters parameters)
        : ColumnKernel(std::move(columns)), parameters_(parameters) {}

    std::string function_text() const {
        return dk::text("poly(degree=", parameters_.degree, ", gamma=", parameters_.gamma,
                        ", coef0=", parameters_.coef0, ")");
    }
    bool positive_semidefinite() const override { return parameters_.coef0 >= 0; }
    bool constant_diagonal() const override { return false; }
    bool differentiable() const override { return true; }
    bool cheap() const override { return true; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<PolyEvaluator<T>>(operands, columns(), parameters_);
    }

  private:
    PolyParameters parameters_;
};

}  // namespace

KernelEntry poly_kernel() {
    return {.name = "poly",
            .doc = "k(x, z) = (gamma x.z + coef0)^degree, a polynomial of the inner product.",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "when coef0 >= 0",
                      .constant_diagonal = "never",
                      .differentiable = "always"},
            .parameters = {parameter::degree, parameter::poly_gamma, parameter::poly_coef0},
            .make = [](const KernelArguments& a) {
                return std::make_shared<Poly>(
                    a.columns,
                    PolyParameters{a[parameter::degree], a[parameter::poly_gamma], a[parameter::poly_coef0]});
            }};
}

}  // namespace dk

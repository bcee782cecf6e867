// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/maps.hpp"

namespace dk {

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
        : operands_(operands), product_(operands.request_product(columns)), parameters_(parameters) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        tile_maps<T>().power(workspace.inner_products(product_), parameters_.gamma, parameters_.coef0,
                             parameters_.degree, workspace.block().rows(), workspace.block().cols, out,
                             stride);
    }
    std::vector<double> self(Side side) const override {
        std::vector<double> values = operands_.panel(side, product_).squared_norms;
        for (double& v : values) v = std::pow(parameters_.gamma * v + parameters_.coef0, parameters_.degree);
        return values;
    }

  private:
    const Operands<T>& operands_;
    std::size_t product_;
    PolyParameters parameters_;
};

/// k(x, z) = (gamma x.z + coef0)^degree
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

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<PolyEvaluator<T>>(operands, columns(), parameters_);
    }

  private:
    PolyParameters parameters_;
};

}  // namespace

KernelFamily poly_family() {
    return {.name = "poly",
            .doc = "k(x, z) = (gamma x.z + coef0)^degree",
            .reference = "",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "when coef0 >= 0",
            .constant_diagonal = "never",
            .parameters = {integer_parameter("degree", 3, 1, 100, "exponent"),
                           width_parameter("1", "factor of the inner product"),
                           real_parameter("coef0", 1, -1e300, 1e300, "offset of the inner product")},
            .positional = "",
            .make = [](const KernelArguments& a) {
                return std::make_shared<Poly>(
                    a.columns, PolyParameters{static_cast<int>(a["degree"]), a["gamma"], a["coef0"]});
            }};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// k(x, z) = (1/d sum_j exp(-gamma (x_j - z_j)^2))^degree, where j counts the d columns. With degree 1 it is
// the mean of a Gaussian kernel on each column, so that a function in its space is a sum of functions of
// single columns; with degree 2 of pairs of columns, and so on. What matters in one column then need not be
// learned anew for every value of the others, as it must with the Gaussian kernel, which is their product.
//
// Stitson, Gammerman, Vapnik, Vovk, Watkins, Weston, Support vector regression with ANOVA decomposition
// kernels, Advances in Kernel Methods, 1999; without the division by d in Hofmann, Schoelkopf, Smola, Kernel
// methods in machine learning, Annals of Statistics 36, 2008.
//
//     d = depth of the rows' panel     S = sum_j (1 - exp(-gamma (x_j - z_j)^2)) = PairSum::unlikeness
//     k = (1 - S / d)^degree, so that columns where sparse rows have no values add nothing
#include "base/text.hpp"
#include "kernel/engine/kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey interactions{
    "degree", 1, {1, 100}, "degree is the number of columns that act together: 1 lets each act for itself."};
}

namespace {

struct AnovaParameters {
    double gamma;
    int degree;
};

template <typename T>
class AnovaEvaluator final : public Evaluator<T> {
  public:
    AnovaEvaluator(Operands<T>& operands, const Columns& columns, AnovaParameters parameters)
        : operands_(operands), product_(operands.request_product(columns)), parameters_(parameters) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const double depth = operands_.panel(Side::right, product_).depth;
        const T* unlikeness = workspace.pair_sums({PairSum::unlikeness, parameters_.gamma}, product_);
        tile_maps<T>().power(unlikeness, -1 / depth, 1, parameters_.degree, block.rows(), block.cols, out,
                             stride);
    }

    std::vector<double> self(Side side) const override {
        return std::vector<double>(operands_.panel(side, product_).rows, 1.0);
    }

  private:
    const Operands<T>& operands_;
    std::size_t product_;
    AnovaParameters parameters_;
};

class Anova final : public ColumnKernel<Anova> {
  public:
    Anova(Columns columns, AnovaParameters parameters)
        : ColumnKernel(std::move(columns)), parameters_(parameters) {}

    std::string function_text() const {
        return dk::text("anova(gamma=", parameters_.gamma, ", degree=", parameters_.degree, ")");
    }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return true; }
    bool unit_diagonal() const override { return true; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<AnovaEvaluator<T>>(operands, columns(), parameters_);
    }

  private:
    AnovaParameters parameters_;
};

}  // namespace

KernelEntry anova_kernel() {
    return {.name = "anova",
            .doc =
                "k(x, z) = (mean exp(-gamma (x - z)^2))^degree is the mean over the columns of a Gaussian "
                "kernel on each, so that columns add up what they tell.",
            .reference =
                "Stitson, Gammerman, Vapnik, Vovk, Watkins, Weston, Support vector regression with ANOVA "
                "decomposition kernels, Advances in Kernel Methods, 1999",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {parameter::inverse_width, parameter::interactions},
            .make =
                [](const KernelArguments& a) {
                    return std::make_shared<Anova>(
                        a.columns, AnovaParameters{a[parameter::inverse_width], a[parameter::interactions]});
                },
            // Distances are those of single columns, of which a rule for rows finds the sum.
            .found_by_rule =
                [](std::string_view, std::string_view rule, const DataFacts& facts, const Columns& columns) {
                    return facts.width(rule, PairSum::squared, columns) *
                           static_cast<double>(facts.column_count(columns));
                }};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// k(x, z) = prod_j (1 + t(x_j, z_j)), where j counts the columns, is the kernel of linear splines with knots
// everywhere. For values of one sign, with m = min(|x|, |z|) and M = max(|x|, |z|),
//
//     t(x, z) = x z + int_0^m (|x| - u) (|z| - u) du = x z + m^2 (3 M - m) / 6,
//
// and t(x, z) = x z for values of different signs, whose splines have no knot in common. So k is positive
// semidefinite for all values, where the usual x z (1 + min(x, z)) - 1/2 (x + z) min(x, z)^2 + 1/3 min(x,
// z)^3, the same for values of at least 0, is for those alone.
//
//     S = prod_j (1 + t(x_j, z_j)) - 1 = PairSum::spline     k = 1 + S
//
// Values grow as the cube of every column: columns should be scaled, and normalize(spline) has values up
// to 1.
//
// Vapnik, Golowich, Smola, Support vector method for function approximation, regression estimation, and
// signal processing, NIPS 1996.
#include "kernel/engine/kernel.hpp"
#include "kernel/language/registry.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

template <typename T>
class SplineEvaluator final : public Evaluator<T> {
  public:
    SplineEvaluator(Operands<T>& operands, const Columns& columns)
        : operands_(operands), product_(operands.request_product(columns)) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const T* sums = workspace.pair_sums({PairSum::spline}, product_);
        view(out, block.rows(), block.cols, stride).array() =
            1 + view(sums, block.rows(), block.cols).array();
    }

    std::vector<double> self(Side side) const override {
        const Panel<T>& panel = operands_.panel(side, product_);
        std::vector<double> products(panel.rows, 1.0);
        const auto multiply = [&](Index row, double x) {
            products[row] *= 1 + x * x * (1 + std::abs(x) / 3);
        };
        for (Index i = 0; i < panel.rows; ++i) {
            if (panel.sparse) {
                for (Index e = panel.sparse->row_offsets[i]; e < panel.sparse->row_offsets[i + 1]; ++e)
                    multiply(i, panel.sparse->values[e]);
            } else {
                for (Index c = 0; c < panel.depth; ++c) multiply(i, panel.dense[i * panel.depth + c]);
            }
        }
        return products;
    }

  private:
    const Operands<T>& operands_;
    std::size_t product_;
};

class Spline final : public ColumnKernel<Spline> {
  public:
    explicit Spline(Columns columns) : ColumnKernel(std::move(columns)) {}

    static std::string function_text() { return "spline"; }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return false; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<SplineEvaluator<T>>(operands, columns());
    }
};

}  // namespace

KernelEntry spline_kernel() {
    return {
        .name = "spline",
        .doc =
            "k(x, z) = prod (1 + x z + m^2 (3 M - m) / 6), the kernel of linear splines, with the lesser m "
            "and the greater M of |x| and |z|, and without them where x and z have different signs.",
        .reference =
            "Vapnik, Golowich, Smola, Support vector method for function approximation, regression "
            "estimation, and signal processing, NIPS 1996",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "never",
                  .differentiable = "never"},
        .make = [](const KernelArguments& a) { return std::make_shared<Spline>(a.columns); }};
}

}  // namespace dk

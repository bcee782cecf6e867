// SPDX-License-Identifier: Apache-2.0
// k(x, z) = x.z is the inner product of x and z. The rows are their own features, so that products K v of the
// kernel matrix X Z' and a vector need no kernel values: K v = X (Z' v).
#include <type_traits>

#include "kernel/engine/factored_product.hpp"
#include "kernel/engine/gradient.hpp"
#include "kernel/language/registry.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

template <typename T>
class LinearEvaluator final : public Evaluator<T> {
  public:
    LinearEvaluator(Operands<T>& operands, const Columns& columns)
        : operands_(operands), columns_(columns), product_(operands.request_product(columns)) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const T* products = workspace.inner_products(product_);
        const Block& block = workspace.block();
        view(out, block.rows(), block.cols, stride) = view(products, block.rows(), block.cols);
    }
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        add_weighted_rows(workspace, product_, columns_, coefficients, out, stride);
    }
    std::vector<double> self(Side side) const override {
        return operands_.panel(side, product_).squared_norms;
    }
    bool product(const double* v, Index v_cols, double* out, Control& control) const override {
        if constexpr (std::is_same_v<T, double>) {
            const auto& left = operands_.panel(Side::left, product_);
            const auto& right = operands_.panel(Side::right, product_);
            if (right.dense == nullptr) {
                factored_product(*left.sparse, *right.sparse, v, v_cols, out, control);
            } else if (left.dense == nullptr) {
                factored_product(*left.sparse, {right.dense, right.rows}, right.depth, v, v_cols, out,
                                 control);
            } else {
                factored_product({left.dense, left.rows}, {right.dense, right.rows}, right.depth, v, v_cols,
                                 out, control);
            }
            return true;
        }
        return false;
    }
    FeatureRows features(Side side) const override {
        if constexpr (std::is_same_v<T, double>) {
            const auto& panel = operands_.panel(side, product_);
            if (panel.dense != nullptr) return {panel.dense, panel.rows, panel.depth};
            const SparseMatrix& sparse = *panel.sparse;
            return {sparse.values.data(), sparse.rows, sparse.cols, sparse.row_offsets.data(),
                    sparse.columns.data()};
        }
        return {};
    }

  private:
    const Operands<T>& operands_;
    Columns columns_;
    std::size_t product_;
};

class Linear final : public ColumnKernel<Linear> {
  public:
    using ColumnKernel::ColumnKernel;
    std::string function_text() const { return "linear"; }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return false; }
    bool differentiable() const override { return true; }
    bool factored() const override { return true; }
    bool linear() const override { return columns().empty(); }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<LinearEvaluator<T>>(operands, columns());
    }
};

}  // namespace

KernelEntry linear_kernel() {
    return {.name = "linear",
            .doc = "k(x, z) = x.z, the inner product of the rows.",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "never",
                      .differentiable = "always"},
            .make = [](const KernelArguments& a) { return std::make_shared<Linear>(a.columns); }};
}

}  // namespace dk

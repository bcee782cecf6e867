// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/maps.hpp"

namespace dk {

namespace {

template <typename T>
class LaplacianEvaluator final : public Evaluator<T> {
  public:
    LaplacianEvaluator(Operands<T>& operands, const Columns& columns, double gamma)
        : operands_(operands), product_(operands.request_product(columns)), gamma_(gamma) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        workspace.absolute_distances(product_, out, stride);
        tile_maps<T>().exponential(out, -gamma_, block.rows(), block.cols, stride, out, stride);
    }
    std::vector<double> self(Side side) const override {
        return std::vector<double>(operands_.panel(side, product_).squared_norms.size(), 1.0);
    }

  private:
    const Operands<T>& operands_;
    std::size_t product_;
    double gamma_;
};

/// k(x, z) = exp(-gamma |x - z|_1)
class Laplacian final : public ColumnKernel<Laplacian> {
  public:
    Laplacian(Columns columns, double gamma) : ColumnKernel(std::move(columns)), gamma_(gamma) {}

    std::string function_text() const { return dk::text("laplacian(gamma=", gamma_, ")"); }
    bool works_on(DataKind kind) const override { return kind == DataKind::dense; }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return true; }
    bool unit_diagonal() const override { return true; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<LaplacianEvaluator<T>>(operands, columns(), gamma_);
    }

  private:
    double gamma_;
};

}  // namespace

KernelFamily laplacian_family() {
    return {
        .name = "laplacian",
        .doc = "k(x, z) = exp(-gamma |x - z|_1)",
        .reference = "",
        .data = {DataKind::dense},
        .positive_semidefinite = "always",
        .constant_diagonal = "always",
        .parameters = {width_parameter("auto", "inverse width; auto is 1 / (columns * their mean variance)")},
        .positional = "",
        .make = [](const KernelArguments& a) { return std::make_shared<Laplacian>(a.columns, a["gamma"]); }};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/maps.hpp"

namespace dk {

namespace {

template <typename T>
class RbfEvaluator final : public Evaluator<T> {
  public:
    RbfEvaluator(Operands<T>& operands, const Columns& columns, double gamma)
        : operands_(operands), product_(operands.request_centred_product(columns)), gamma_(gamma) {
        const auto largest = [&](Side side) {
            return std::ranges::max(operands.panel(side, product_).squared_norms);
        };
        subtracts_all_pairs_ = Workspace<T>::subtracts(operands.panel(Side::right, product_));
        // |x|^2 + |z|^2 - 2 x.z is off by rounding of the norms, which gamma magnifies. The error of k
        // is below 40 roundings when pairs with |x - z|^2 under a hundredth of the norms are computed
        // by subtraction, and needs no care at all while gamma times the norms stays small.
        subtracts_close_pairs_ = gamma * (largest(Side::left) + largest(Side::right)) > 100;
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const auto& maps = tile_maps<T>();
        if (subtracts_all_pairs_) {
            maps.exponential(workspace.squared_distances(product_), -gamma_, block.rows(), block.cols,
                             block.cols, out, stride);
            return;
        }
        const T* products = workspace.inner_products(product_);
        const auto left = workspace.squared_norms(Side::left, product_);
        const auto right = workspace.squared_norms(Side::right, product_);
        if (!subtracts_close_pairs_) {
            maps.gaussian(products, left.data(), right.data(), gamma_, block.rows(), block.cols, out, stride);
            return;
        }
        maps.squared_distance(products, left.data(), right.data(), block.rows(), block.cols, out, stride);
        for (Index i = 0; i < block.rows(); ++i)
            subtract_close_pairs(block, i, left, right, out + i * stride);
        maps.exponential(out, -gamma_, block.rows(), block.cols, stride, out, stride);
    }

    std::vector<double> self(Side side) const override {
        return std::vector<double>(operands_.panel(side, product_).squared_norms.size(), 1.0);
    }

  private:
    void subtract_close_pairs(const Block& block, Index i, std::span<const double> left,
                              std::span<const double> right, T* distances) const {
        for (Index j = 0; j < block.cols; ++j) {
            const double norms = left[unsigned_of(i)] + right[unsigned_of(j)];
            if (static_cast<double>(distances[j]) >= 0.01 * norms) continue;
            distances[j] = static_cast<T>(
                squared_distance(operands_.panel(Side::left, product_), block.left_rows[unsigned_of(i)],
                                 operands_.panel(Side::right, product_), block.right_row + j));
        }
    }

    const Operands<T>& operands_;
    std::size_t product_;
    double gamma_;
    bool subtracts_all_pairs_ = false;
    bool subtracts_close_pairs_ = false;
};

/// k(x, z) = exp(-gamma |x - z|^2)
class Rbf final : public ColumnKernel<Rbf> {
  public:
    Rbf(Columns columns, double gamma) : ColumnKernel(std::move(columns)), gamma_(gamma) {}

    std::string function_text() const { return dk::text("rbf(gamma=", gamma_, ")"); }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return true; }
    bool unit_diagonal() const override { return true; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<RbfEvaluator<T>>(operands, columns(), gamma_);
    }

  private:
    double gamma_;
};

}  // namespace

KernelFamily rbf_family() {
    return {
        .name = "rbf",
        .doc = "Gaussian: k(x, z) = exp(-gamma |x - z|^2)",
        .reference = "",
        .data = {DataKind::dense, DataKind::sparse},
        .positive_semidefinite = "always",
        .constant_diagonal = "always",
        .parameters = {width_parameter("auto", "inverse width; auto is 1 / (columns * their mean variance)")},
        .positional = "",
        .make = [](const KernelArguments& a) { return std::make_shared<Rbf>(a.columns, a["gamma"]); }};
}

}  // namespace dk

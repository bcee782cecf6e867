// SPDX-License-Identifier: Apache-2.0
// This file has what kernels share that are a sum over the columns, k(x, z) = sum_j s(x_j, z_j), or its
// exponential k(x, z) = exp(-gamma sum_j s(x_j, z_j)). The terms s are those of PairSum
// (kernel/maps/maps.hpp).
//
// The Laplacian kernel has random features: Rahimi, Recht, Random features for large-scale kernel machines,
// NIPS 2007.
#include "kernel/family/pair_sum_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "kernel/engine/both_sides.hpp"
#include "kernel/lowrank/random_features.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

/// The sum of every row. It is k(x, x) of the kernels that are sums, because 2 x x / (x + x) = x
/// and min(x, x) = x. The function throws Error(invalid_data) for a value below 0, for which these kernels
/// are not defined.
template <typename T>
std::vector<double> non_negative_row_sums(const Panel<T>& panel, const std::string& kernel) {
    std::vector<double> sums(panel.rows);
    const auto add = [&](Index row, Index column, double value) {
        if (value < 0) {
            fail(Status::invalid_data, "kernel ", kernel, " needs values of at least 0; row ", row, " has ",
                 value, " in column ", column, " of its columns (counted from 0)");
        }
        sums[row] += value;
    };
    if (panel.sparse) {
        for (Index i = 0; i < panel.rows; ++i) {
            for (Index e = panel.sparse->row_offsets[i]; e < panel.sparse->row_offsets[i + 1]; ++e)
                add(i, panel.sparse->columns[e], panel.sparse->values[e]);
        }
        return sums;
    }
    const auto x = view(panel.dense, panel.rows, panel.depth);
    for (Index i = 0; i < panel.rows; ++i) {
        for (Index c = 0; c < panel.depth; ++c) add(i, c, x(i, c));
    }
    return sums;
}

template <typename T>
class PairSumEvaluator final : public Evaluator<T> {
  public:
    PairSumEvaluator(Operands<T>& operands, const Columns& columns, const PairSumFunction& function)
        : operands_(operands), product_(operands.request_product(columns)), function_(function) {
        if (function.sum == PairSum::absolute) return;
        for (const Side side : {Side::left, Side::right}) {
            row_sums_[side] = non_negative_row_sums(operands.panel(side, product_), function.name);
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const T* sums = workspace.pair_sums({function_.sum}, product_);
        if (function_.gamma > 0) {
            tile_maps<T>().exponential(sums, -function_.gamma, block.rows(), block.cols, block.cols, out,
                                       stride);
            return;
        }
        view(out, block.rows(), block.cols, stride) = view(sums, block.rows(), block.cols);
    }

    std::vector<double> self(Side side) const override {
        if (function_.gamma > 0) return std::vector<double>(operands_.panel(side, product_).rows, 1.0);
        return row_sums_[side];
    }

  private:
    const Operands<T>& operands_;
    std::size_t product_;
    PairSumFunction function_;
    BothSides<std::vector<double>> row_sums_;
};

class PairSumKernel final : public ColumnKernel<PairSumKernel> {
  public:
    PairSumKernel(Columns columns, PairSumFunction function)
        : ColumnKernel(std::move(columns)), function_(std::move(function)) {}

    std::string function_text() const {
        return exponential() ? dk::text(function_.name, "(gamma=", function_.gamma, ")") : function_.name;
    }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return exponential(); }
    bool unit_diagonal() const override { return exponential(); }

    /// The frequencies of the Laplacian kernel have independent coordinates, each a Cauchy deviate of width
    /// gamma.
    std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                      const Dataset& data) const override {
        if (function_.sum != PairSum::absolute) return nullptr;
        const auto cauchy = [gamma = function_.gamma](Random& random) {
            return gamma * std::tan(3.14159265358979323846 * (random.uniform() - 0.5));
        };
        return make_fourier_map(columns(), count, {cauchy, nullptr}, seed, data);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<PairSumEvaluator<T>>(operands, columns(), function_);
    }

  private:
    bool exponential() const { return function_.gamma > 0; }

    PairSumFunction function_;
};

}  // namespace

KernelPointer make_pair_sum_kernel(Columns columns, PairSumFunction function) {
    return std::make_shared<PairSumKernel>(std::move(columns), std::move(function));
}

}  // namespace dk

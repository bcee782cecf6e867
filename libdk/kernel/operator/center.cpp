// SPDX-License-Identifier: Apache-2.0
// center(k) moves the features of k so that their mean over the training rows r_1 .. r_n is zero:
//   k~(x, z) = k(x, z) - mean_i k(x, r_i) - mean_i k(r_i, z) + mean_ij k(r_i, r_j).
//
//   paper                 code
//   mean_i k(x, r_i)      means_
//   mean_ij k(r_i, r_j)   grand_mean_, the number of the state
//   r_i                   the rows of the state
//
// Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation
// 10, 1998.
#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/engine/both_sides.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

/// Computes mean_i k(x, r_i) for every row x.
std::vector<double> mean_similarities(const KernelPointer& kernel, const Dataset& data,
                                      const Dataset& reference, Control& control) {
    const std::vector<double> shares(reference.rows(), 1.0 / reference.rows());
    std::vector<double> means(data.rows());
    GramEngine<double>(kernel, data, reference, &control).product(shares.data(), 1, means.data(), control);
    return means;
}

template <typename T>
class CentredEvaluator final : public Evaluator<T> {
  public:
    CentredEvaluator(Operands<T>& operands, const KernelPointer& kernel, const KernelState& state)
        : inner_(kernel->bind(operands)), grand_mean_(state.numbers.front()) {
        const ProgressHold hold(operands.control());
        for (const Side side : {Side::left, Side::right}) {
            auto& means = means_[side];
            means =
                side == Side::right && operands.symmetric()
                    ? means_.left
                    : mean_similarities(kernel, operands.data(side), state.rows.front(), operands.control());
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        inner_->evaluate(workspace, out, stride);
        auto K = view(out, block.rows(), block.cols, stride);
        for (Index i = 0; i < block.rows(); ++i) {
            const double left = means_.left[block.left_rows[i]] - grand_mean_;
            for (Index j = 0; j < block.cols; ++j)
                K(i, j) = static_cast<T>(K(i, j) - (left + means_.right[block.right_row + j]));
        }
    }

    std::vector<double> self(Side side) const override {
        auto values = inner_->self(side);
        const auto& means = means_[side];
        for (std::size_t i = 0; i < values.size(); ++i) values[i] -= 2 * means[i] - grand_mean_;
        return values;
    }

  private:
    std::unique_ptr<Evaluator<T>> inner_;
    double grand_mean_;
    BothSides<std::vector<double>> means_;
};

class Centred final : public BindableKernel<Centred> {
  public:
    Centred(KernelPointer kernel, KernelState state) : kernel_(std::move(kernel)), state_(std::move(state)) {}

    std::string text() const override { return "center(" + kernel_->text() + ")"; }
    bool works_on(DataKind kind) const override { return kernel_->works_on(kind); }
    bool positive_semidefinite() const override { return kernel_->positive_semidefinite(); }
    bool constant_diagonal() const override { return false; }
    void collect_states(std::vector<const KernelState*>& states) const override {
        kernel_->collect_states(states);
        states.push_back(&state_);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<CentredEvaluator<T>>(operands, kernel_, state_);
    }

  private:
    KernelPointer kernel_;
    KernelState state_;
};

KernelPointer centred(const KernelPointer& kernel, const Dataset& reference, Control& control) {
    const auto means = mean_similarities(kernel, reference, reference, control);
    const double sum = std::accumulate(means.begin(), means.end(), 0.0);
    KernelState state;
    state.rows.push_back(reference_rows(reference));
    state.numbers = {sum / std::ssize(means)};
    return std::make_shared<Centred>(kernel, std::move(state));
}

KernelPointer restore_centred(const KernelPointer& kernel, KernelState state) {
    if (state.rows.size() != 1 || state.numbers.size() != 1)
        fail(Status::model_format, "damaged model: reference rows of a centred kernel");
    return std::make_shared<Centred>(kernel, std::move(state));
}

/// Each center around another doubles what a value costs.
constexpr Index most_nested = 4;

/// Tells how many calls of center stand within each other.
Index nested_centers(const Expression& expression) {
    Index deepest = 0;
    for (const Expression& child : expression.children) deepest = std::max(deepest, nested_centers(child));
    for (const Argument& argument : expression.arguments) {
        if (argument.expression) deepest = std::max(deepest, nested_centers(*argument.expression));
    }
    return deepest + (expression.name == "center" ? 1 : 0);
}

}  // namespace

KernelEntry center_operator() {
    return {.name = "center",
            .doc = "center(k) moves the features of k so that their mean over the training rows is zero.",
            .reference =
                "Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, "
                "Neural Computation 10, 1998",
            .facts = {.positive_semidefinite = "when k is",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .make = [](const Expression& call, const Columns& columns, Construction& construction) {
                if (nested_centers(call) > most_nested)
                    fail_at(call.position, text("center stands within center more than ", most_nested,
                                                " times; a kernel that is centred stays so"));
                return construction.expand_learned(call, only_kernel_of(call), columns, centred,
                                                   restore_centred);
            }};
}

}  // namespace dk

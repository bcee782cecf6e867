// SPDX-License-Identifier: Apache-2.0
#include "kernel/centred.hpp"

#include <numeric>

#include "base/error.hpp"
#include "kernel/gram_engine.hpp"

namespace dk {

namespace {

/// mean_i k(x, r_i) of every row x.
std::vector<double> mean_similarities(const KernelPointer& kernel, const Dataset& data,
                                      const Dataset& reference, Control& control) {
    const std::vector<double> shares(unsigned_of(reference.rows()),
                                     1.0 / static_cast<double>(reference.rows()));
    std::vector<double> means(unsigned_of(data.rows()));
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
            auto& means = means_[static_cast<std::size_t>(side)];
            means =
                side == Side::right && operands.symmetric()
                    ? means_[0]
                    : mean_similarities(kernel, operands.data(side), state.rows.front(), operands.control());
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        inner_->evaluate(workspace, out, stride);
        for (Index i = 0; i < block.rows(); ++i) {
            const double left = means_[0][unsigned_of(block.left_rows[unsigned_of(i)])] - grand_mean_;
            for (Index j = 0; j < block.cols; ++j) {
                const double right = means_[1][unsigned_of(block.right_row + j)];
                T& value = out[i * stride + j];
                value = static_cast<T>(static_cast<double>(value) - (left + right));
            }
        }
    }

    std::vector<double> self(Side side) const override {
        auto values = inner_->self(side);
        const auto& means = means_[static_cast<std::size_t>(side)];
        for (std::size_t i = 0; i < values.size(); ++i) values[i] -= 2 * means[i] - grand_mean_;
        return values;
    }

  private:
    std::unique_ptr<Evaluator<T>> inner_;
    double grand_mean_;
    std::array<std::vector<double>, 2> means_;
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

}  // namespace

KernelPointer centred(KernelPointer kernel, const Dataset& reference, Control& control) {
    const auto means = mean_similarities(kernel, reference, reference, control);
    const double sum = std::accumulate(means.begin(), means.end(), 0.0);
    KernelState state;
    state.rows.push_back(reference_rows(reference));
    state.numbers = {sum / static_cast<double>(means.size())};
    return std::make_shared<Centred>(std::move(kernel), std::move(state));
}

KernelPointer restore_centred(KernelPointer kernel, KernelState state) {
    if (state.rows.size() != 1 || state.numbers.size() != 1)
        fail(Status::model_format, "damaged model: reference rows of a centred kernel");
    return std::make_shared<Centred>(std::move(kernel), std::move(state));
}

}  // namespace dk

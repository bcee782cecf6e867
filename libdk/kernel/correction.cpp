// SPDX-License-Identifier: Apache-2.0
#include "kernel/correction.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "kernel/nystrom.hpp"

namespace dk {

namespace {

template <typename T>
class ShiftedEvaluator final : public Evaluator<T> {
  public:
    ShiftedEvaluator(Operands<T>& operands, const KernelPointer& kernel, double shift)
        : operands_(operands), inner_(kernel->bind(operands)), shift_(shift) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        inner_->evaluate(workspace, out, stride);
        for (Index j = 0; j < block.cols; ++j) {
            const Index twin = operands_.left_twin(block.right_row + j);
            for (Index i = 0; i < block.rows(); ++i) {
                if (block.left_rows[unsigned_of(i)] == twin) out[i * stride + j] += static_cast<T>(shift_);
            }
        }
    }
    std::vector<double> self(Side side) const override {
        auto values = inner_->self(side);
        for (double& v : values) v += shift_;
        return values;
    }

  private:
    const Operands<T>& operands_;
    std::unique_ptr<Evaluator<T>> inner_;
    double shift_;
};

/// k(x, z), and `shift` more where x and z are the same row.
class Shifted final : public BindableKernel<Shifted> {
  public:
    Shifted(KernelPointer kernel, KernelState state) : kernel_(std::move(kernel)), state_(std::move(state)) {}

    std::string text() const override { return "corrected(" + kernel_->text() + ", method=shift)"; }
    bool works_on(DataKind kind) const override { return kernel_->works_on(kind); }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return kernel_->constant_diagonal(); }
    bool knows_rows() const override { return true; }
    void collect_states(std::vector<const KernelState*>& states) const override {
        kernel_->collect_states(states);
        states.push_back(&state_);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<ShiftedEvaluator<T>>(operands, kernel_, state_.numbers.front());
    }

  private:
    KernelPointer kernel_;
    KernelState state_;
};

KernelPointer feature_kernel(std::shared_ptr<const FeatureMap> map, const KernelPointer& kernel,
                             const std::string& method) {
    return make_feature_kernel(std::move(map), "corrected(" + kernel->text() + ", method=" + method + ")");
}

EigenvalueRule rule_of(const std::string& method) {
    return method == "clip"   ? EigenvalueRule::clip
           : method == "flip" ? EigenvalueRule::flip
                              : EigenvalueRule::square;
}

}  // namespace

Correction corrected(const KernelPointer& kernel, const std::string& method, const Dataset& data,
                     Control& control) {
    const SymmetricEigen spectrum = kernel_spectrum(kernel, data, control);
    const double lowest = spectrum.values.front();
    const double highest = spectrum.values.back();
    const double least = -1e-10 * std::max(std::abs(lowest), std::abs(highest));
    Correction out{kernel, lowest, highest,
                   std::ranges::count_if(spectrum.values, [&](double v) { return v < least; }), false};
    if (out.negative_eigenvalues == 0) return out;
    out.changed = true;
    if (method == "shift") {
        KernelState state;
        state.numbers = {-lowest};
        out.kernel = std::make_shared<Shifted>(kernel, std::move(state));
    } else {
        out.kernel = feature_kernel(make_nystrom_map(kernel, data, rule_of(method), spectrum, control),
                                    kernel, method);
    }
    return out;
}

KernelPointer restore_corrected(KernelPointer kernel, const std::string& method, KernelState state) {
    if (method == "shift") {
        if (state.numbers.size() != 1) fail(Status::model_format, "damaged model: a shift is one number");
        return std::make_shared<Shifted>(std::move(kernel), std::move(state));
    }
    return feature_kernel(restore_nystrom_map(kernel, std::move(state)), kernel, method);
}

}  // namespace dk

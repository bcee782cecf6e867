// SPDX-License-Identifier: Apache-2.0
// corrected(k, method=...) makes a kernel positive semidefinite on the training rows: the eigenvalues Lambda
// of their matrix K = U Lambda U' become f(Lambda). The methods clip, flip and square do this by a feature
// map of the similarities of a row to the training rows (nystrom.cpp), which test rows have as well. The
// method shift adds -lambda_min to the similarity of each training row with itself, and leaves the
// similarities of other rows as they are.
//
//   paper            code
//   K, U, Lambda     spectrum, the result of kernel_spectrum()
//   f                corrected_eigenvalue()
//   lambda_min       lowest
//
// Chen, Garcia, Gupta, Rahimi, Cazzanti, Similarity-based classification: concepts and algorithms, JMLR 10,
// 2009.
#include "kernel/operator/corrected.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/language/construction.hpp"
#include "kernel/language/kernel_call.hpp"
#include "kernel/lowrank/nystrom.hpp"
#include "kernel/lowrank/spectrum.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace parameter {
constexpr ChoiceKey<SpectrumMethod> correction{
    "method", spectrum_methods,
    "What becomes of negative eigenvalues of the training rows' matrix: clip "
    "makes them 0, flip changes their sign, square squares all eigenvalues, and "
    "shift adds the lowest one's size to each row's similarity with itself."};
}  // namespace parameter

namespace {

template <typename T>
class ShiftedEvaluator final : public Evaluator<T> {
  public:
    ShiftedEvaluator(Operands<T>& operands, const KernelPointer& kernel, double shift)
        : operands_(operands), inner_(kernel->bind(operands)), shift_(shift) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        inner_->evaluate(workspace, out, stride);
        if (!operands_.of_one_set()) return;
        const RowIdentity& left = operands_.data(Side::left).identity();
        const RowIdentity& right = operands_.data(Side::right).identity();
        auto K = view(out, block.rows(), block.cols, stride);
        for (Index i = 0; i < block.rows(); ++i) {
            const Index place = left.place(block.left_rows[i]);
            for (Index j = 0; j < block.cols; ++j) {
                if (right.place(block.right_row + j) == place) K(i, j) += static_cast<T>(shift_);
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

/// The kernel k(x, z), and -lambda_min more where x and z are the same training row.
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
                             SpectrumMethod method) {
    return make_feature_kernel(std::move(map),
                               text("corrected(", kernel->text(), ", method=", name_of(method), ")"));
}

}  // namespace

Correction corrected(const KernelPointer& kernel, SpectrumMethod method, const Dataset& data,
                     Control& control) {
    const SymmetricEigen spectrum = kernel_spectrum(kernel, data, control);
    const double lowest = spectrum.values.minCoeff();
    const double highest = spectrum.values.maxCoeff();
    const double least = -negligible_eigenvalue(spectrum);
    Correction out{kernel, lowest, highest, (spectrum.values.array() < least).count(), false};
    if (out.negative_eigenvalues == 0) return out;
    out.changed = true;
    if (method == SpectrumMethod::shift) {
        KernelState state;
        state.numbers = {corrected_eigenvalue(SpectrumMethod::shift, 0, lowest)};  // what 0 becomes
        out.kernel = std::make_shared<Shifted>(kernel, std::move(state));
    } else {
        out.kernel =
            feature_kernel(make_nystrom_map(kernel, data, method, spectrum, control), kernel, method);
    }
    return out;
}

namespace {

KernelPointer restore_corrected(KernelPointer kernel, SpectrumMethod method, KernelState state) {
    if (method == SpectrumMethod::shift) {
        if (state.numbers.size() != 1) fail(Status::model_format, "damaged model: a shift is one number");
        return std::make_shared<Shifted>(std::move(kernel), std::move(state));
    }
    return feature_kernel(restore_nystrom_map(kernel, std::move(state)), kernel, method);
}

}  // namespace

KernelEntry corrected_operator() {
    return {.name = "corrected",
            .doc = "corrected(k) makes k positive semidefinite on the training rows.",
            .reference =
                "Chen, Garcia, Gupta, Rahimi, Cazzanti, Similarity-based classification: concepts and "
                "algorithms, JMLR 10, 2009",
            .facts = {.positive_semidefinite = "always",
                      .constant_diagonal = "when method=shift and k has one",
                      .differentiable = "never"},
            .parameters = {parameter::correction},
            .make = [](const Expression& call, const Columns& columns, Construction& construction) {
                const Parameters parameters =
                    operator_parameters(entry_named(call.name, call.position), call);
                const SpectrumMethod method = parameters[parameter::correction];
                return construction.expand_learned(
                    call, *call.arguments.front().expression, columns,
                    [&](const KernelPointer& kernel, const Dataset& data, Control& control) {
                        return corrected(kernel, method, data, control).kernel;
                    },
                    [&](const KernelPointer& kernel, KernelState state) {
                        return restore_corrected(kernel, method, std::move(state));
                    });
            }};
}

}  // namespace dk

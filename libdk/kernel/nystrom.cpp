// SPDX-License-Identifier: Apache-2.0
#include "kernel/nystrom.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernel/gram_engine.hpp"

namespace dk {

namespace {

constexpr double negligible = 1e-10;  // of the largest eigenvalue

class NystromMap final : public FeatureMap {
  public:
    NystromMap(KernelPointer kernel, KernelState state)
        : kernel_(std::move(kernel)), state_(std::move(state)) {}

    /// Without weights the features are the similarities themselves.
    Index dimension() const override {
        const Index count = landmarks().rows();
        return state_.numbers.empty() ? count : size_of(state_.numbers) / count;
    }
    bool works_on(DataKind kind) const override { return kernel_->works_on(kind); }

    LargeArray<double> features(const Dataset& data, Control& control) const override {
        LargeArray<double> out(data.rows() * dimension());
        const GramEngine<double> engine(kernel_, data, landmarks(), &control);
        if (state_.numbers.empty()) {
            engine.matrices(out.data(), control);
        } else {
            engine.product(state_.numbers.data(), dimension(), out.data(), control);
        }
        return out;
    }

    void collect_states(std::vector<const KernelState*>& states) const override {
        kernel_->collect_states(states);
        states.push_back(&state_);
    }

  private:
    const Dataset& landmarks() const { return state_.rows.front(); }

    KernelPointer kernel_;
    KernelState state_;
};

/// landmarks x kept eigenvalues: column c is u_c / sqrt(|lambda_c|).
std::vector<double> whitening(const SymmetricEigen& eigen, EigenvalueRule rule, Control& control) {
    const Index n = size_of(eigen.values);
    const double largest = std::max(std::abs(eigen.values.front()), std::abs(eigen.values.back()));
    std::vector<Index> kept;
    for (Index k = n - 1; k >= 0; --k) {
        const double value = eigen.values[unsigned_of(k)];
        if (std::abs(value) > negligible * largest && (value > 0 || rule == EigenvalueRule::flip))
            kept.push_back(k);
    }
    if (kept.empty())
        fail(Status::numerical, "the kernel matrix of the landmarks has no positive eigenvalue");
    std::vector<double> weights(unsigned_of(n) * kept.size());
    constexpr Index rows_at_once = 32;  // of which a cache line of every eigenvector is used whole
    const ProgressHold hold(control);
    parallel_for((n + rows_at_once - 1) / rows_at_once, control, [&](Index block) {
        for (std::size_t c = 0; c < kept.size(); ++c) {
            const double scale = 1 / std::sqrt(std::abs(eigen.values[unsigned_of(kept[c])]));
            const double* vector = eigen.vectors.data() + kept[c] * n;
            for (Index i = block * rows_at_once; i < std::min(n, (block + 1) * rows_at_once); ++i)
                weights[unsigned_of(i) * kept.size() + c] = vector[i] * scale;
        }
    });
    return weights;
}

}  // namespace

SymmetricEigen kernel_spectrum(const KernelPointer& kernel, const Dataset& rows, Control& control) {
    const Index n = rows.rows();
    control.memory().require(3 * 8.0 * static_cast<double>(n) * static_cast<double>(n),
                             text("the spectrum of a kernel matrix of ", n, " rows"));
    LargeArray<double> matrix(n * n);
    GramEngine<double>(kernel, rows, rows, &control).matrices(matrix.data(), control);
    return symmetric_eigen(std::move(matrix), n, control);
}

std::shared_ptr<const FeatureMap> make_nystrom_map(KernelPointer kernel, const Dataset& landmarks,
                                                   EigenvalueRule rule, const SymmetricEigen& spectrum,
                                                   Control& control) {
    KernelState state;
    if (rule != EigenvalueRule::square) state.numbers = whitening(spectrum, rule, control);
    state.rows.push_back(reference_rows(landmarks));
    return std::make_shared<NystromMap>(std::move(kernel), std::move(state));
}

std::shared_ptr<const FeatureMap> restore_nystrom_map(KernelPointer kernel, KernelState state) {
    if (state.rows.size() != 1 || size_of(state.numbers) % state.rows.front().rows() != 0)
        fail(Status::model_format, "damaged model: landmarks do not fit their weights");
    return std::make_shared<NystromMap>(std::move(kernel), std::move(state));
}

}  // namespace dk

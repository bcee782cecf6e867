// SPDX-License-Identifier: Apache-2.0
// The Nystrom approximation of a kernel uses its values with landmarks Z alone:
//   phi(x) = k(x, Z) W   with   K = k(Z, Z) = U Lambda U',   W = U sqrt(f(Lambda)) / |Lambda|.
// So the features of the landmarks are U Lambda sqrt(f(Lambda)) / |Lambda|, and their products are
// U f(Lambda) U'. For f(lambda) = max(lambda, 0) these are K itself where K is positive semidefinite. Other f
// correct the spectrum (spectrum.cpp). For f(lambda) = lambda^2 the matrix W is U, which is orthogonal, so
// that phi(x) = k(x, Z) has the same products, and W is left out.
//
//   paper    code                what it is
//   Z        landmarks()         some of the training rows, or centres of them
//   U'       spectrum.vectors    row k is the eigenvector of spectrum.values(k)
//   Lambda   spectrum.values     the eigenvalues, in ascending order
//   f        corrected()         what the method makes of an eigenvalue
//   W        W()                 the state's numbers: a column for every eigenvalue for which f is not 0
//
// Williams, Seeger, Using the Nystrom method to speed up kernel machines, NIPS 2000.
#include "kernel/lowrank/nystrom.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "matrix/matrix.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

class NystromMap final : public FeatureMap {
  public:
    NystromMap(KernelPointer kernel, KernelState state)
        : kernel_(std::move(kernel)), state_(std::move(state)) {}

    /// The number of features. Without weights W the features are the values k(x, Z) themselves.
    Index dimension() const override {
        const Index count = landmarks().rows();
        return state_.numbers.empty() ? count : std::ssize(state_.numbers) / count;
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

    Index raw_dimension() const override { return landmarks().rows(); }
    void write_raw_features(const Dataset& data, MatrixView out, Control& control) const override {
        const GramEngine<double> engine(kernel_, data, landmarks(), &control);
        std::vector<Index> rows(data.rows());
        std::iota(rows.begin(), rows.end(), Index{0});
        const ProgressHold hold(control);
        engine.rows_of(rows, 0, out.cols(), out.data(), out.outerStride(), control);
    }
    Matrix to_raw(const Matrix& w, Control& control) const override {
        if (state_.numbers.empty()) return w;
        Matrix raw(raw_dimension(), w.cols());
        multiply(W(), w, raw, Into::assign, control);
        return raw;
    }
    Matrix from_raw(const Matrix& s, Control& control) const override {
        if (state_.numbers.empty()) return s;
        Matrix combined(dimension(), s.cols());
        transposed_multiply(W(), s, combined, Into::assign, control);
        return combined;
    }
    Matrix combined(const Matrix& raw, Control& control) const override {
        if (state_.numbers.empty()) return raw;
        Matrix features(raw.rows(), dimension());
        multiply(raw, W(), features, Into::assign, control);
        return features;
    }

    void collect_states(std::vector<const KernelState*>& states) const override {
        kernel_->collect_states(states);
        states.push_back(&state_);
    }

  private:
    const Dataset& landmarks() const { return state_.rows.front(); }
    ConstMatrixView W() const { return view(state_.numbers.data(), landmarks().rows(), dimension()); }

    KernelPointer kernel_;
    KernelState state_;
};

/// Computes W, whose column c is u_c sqrt(f(lambda_c)) / |lambda_c|, for the eigenvalues that are more than
/// rounding and for which f is not 0. The largest eigenvalues come first.
std::vector<double> landmark_weights(const SymmetricEigen& spectrum, SpectrumMethod method,
                                     Control& control) {
    const Index n = spectrum.values.size();
    const double lowest = spectrum.values(0);
    const auto corrected = [&](Index k) { return corrected_eigenvalue(method, spectrum.values(k), lowest); };
    std::vector<Index> kept;
    for (Index k = n - 1; k >= 0; --k) {
        if (std::abs(spectrum.values(k)) > negligible_eigenvalue(spectrum) && corrected(k) > 0)
            kept.push_back(k);
    }
    if (kept.empty())
        fail(Status::numerical, "the kernel matrix of the landmarks has no positive eigenvalue");
    const Index count = std::ssize(kept);
    std::vector<double> storage(n * count);
    auto weights = view(storage.data(), n, count);
    const auto vectors = spectrum.vectors.view();
    constexpr Index rows_a_line = 32;  // so that a cache line of an eigenvector is used as a whole
    const ProgressHold hold(control);
    parallel_for((n + rows_a_line - 1) / rows_a_line, control, [&](Index block) {
        const Index first = block * rows_a_line;
        const Index height = std::min(rows_a_line, n - first);
        for (Index c = 0; c < count; ++c) {
            const Index k = kept[c];
            const double scale = std::sqrt(corrected(k)) / std::abs(spectrum.values(k));
            weights.col(c).segment(first, height) = scale * vectors.row(k).segment(first, height);
        }
    });
    return storage;
}

}  // namespace

std::shared_ptr<const FeatureMap> make_nystrom_map(KernelPointer kernel, const Dataset& landmarks,
                                                   SpectrumMethod method, const SymmetricEigen& spectrum,
                                                   Control& control) {
    KernelState state;
    if (method != SpectrumMethod::square) state.numbers = landmark_weights(spectrum, method, control);
    state.rows.push_back(reference_rows(landmarks));
    return std::make_shared<NystromMap>(std::move(kernel), std::move(state));
}

std::shared_ptr<const FeatureMap> restore_nystrom_map(KernelPointer kernel, KernelState state) {
    if (state.rows.size() != 1 || std::ssize(state.numbers) % state.rows.front().rows() != 0)
        fail(Status::model_format, "damaged model: landmarks do not fit their weights");
    return std::make_shared<NystromMap>(std::move(kernel), std::move(state));
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// A kernel matrix K = U diag(lambda) U' that has negative eigenvalues is replaced by U diag(f(lambda)) U',
// which is positive semidefinite:
//   clip      f(lambda) = max(lambda, 0)
//   flip      f(lambda) = |lambda|
//   shift     f(lambda) = lambda - min(lambda_min, 0)
//   square    f(lambda) = lambda^2
//
//   paper          code
//   lambda         value
//   lambda_min     lowest
//
// Chen, Garcia, Gupta, Rahimi, Cazzanti, Similarity-based classification: concepts and algorithms, JMLR 10,
// 2009.
#include "kernel/lowrank/spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/engine/gram_engine.hpp"

namespace dk {

SpectrumMethod spectrum_method(std::string_view name) {
    const auto names = spectrum_methods.all();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) fail(Status::internal, "there is no spectrum method ", in_quotes(name));
    return static_cast<SpectrumMethod>(found - names.begin());
}

std::string_view name_of(SpectrumMethod method) {
    return spectrum_methods.all()[static_cast<std::size_t>(method)];
}

double corrected_eigenvalue(SpectrumMethod method, double value, double lowest) {
    switch (method) {
        case SpectrumMethod::clip:
            return std::max(value, 0.0);
        case SpectrumMethod::flip:
            return std::abs(value);
        case SpectrumMethod::shift:
            return value - std::min(lowest, 0.0);
        case SpectrumMethod::square:
            return value * value;
    }
    return value;
}

double negligible_eigenvalue(const SymmetricEigen& spectrum) {
    return 1e-10 * spectrum.values.cwiseAbs().maxCoeff();
}

SymmetricEigen kernel_spectrum(const KernelPointer& kernel, const Dataset& rows, Control& control) {
    const Index n = rows.rows();
    control.memory().require(3 * 8.0 * n * n, text("the spectrum of a kernel matrix of ", n, " rows"));
    LargeMatrix matrix(n, n);
    GramEngine<double>(kernel, rows, rows, &control).matrices(matrix.data(), control);
    return symmetric_eigen(std::move(matrix), control);
}

}  // namespace dk

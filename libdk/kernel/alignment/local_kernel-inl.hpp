// SPDX-License-Identifier: Apache-2.0
//
// The local kernel of two steps x_i and y_j is kappa = k / (2 - k), or k itself, for
//
//     k(i, j) = w exp(-|x_i - y_j|^2 / (2 sigma^2)),     w = max(0, 1 - |i - j| / T), or 1 without a band T.
//
//     letter     name
//     sigma      GlobalAlignment::sigma
//     T          GlobalAlignment::band
//
// M. Cuturi, Fast global alignment kernels, ICML 2011. Files that Highway compiles once for every set of
// instructions include this one again for each set. So its guard changes with Highway's target.
#if defined(DK_KERNEL_ALIGNMENT_LOCAL_KERNEL) == defined(HWY_TARGET_TOGGLE)
#ifdef DK_KERNEL_ALIGNMENT_LOCAL_KERNEL
#undef DK_KERNEL_ALIGNMENT_LOCAL_KERNEL
#else
#define DK_KERNEL_ALIGNMENT_LOCAL_KERNEL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernel/alignment/scaled_numbers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {

/// Computes the local kernel. Below exp(-600) it has an exponent of its own, which narrow blocks never meet.
class LocalKernel {
  public:
    explicit LocalKernel(const GlobalAlignment& parameters)
        : divisible_(parameters.divisible),
          band_(static_cast<double>(parameters.band)),
          factor_(-std::min(0.5 / (parameters.sigma * parameters.sigma), 1e300)) {}

    /// Gives kappa where k is at least exp(-600).
    V near(V distance, Index beside) const {
        return divided(weighed(hn::Exp(D(), hn::Mul(constant(factor_), distance)), beside));
    }

    /// Gives kappa of any k; below exp(-1e15) it counts as that.
    Scaled any(V distance, Index beside) const {
        const V exponent = hn::Max(hn::Mul(constant(factor_), distance), constant(-farthest));
        const auto far = hn::Lt(exponent, constant(-600));
        // ln 2 in two parts, of which the first has no more than 21 bits, so that its product is exact.
        const V twos = hn::Round(hn::Mul(exponent, constant(std::numbers::log2e)));
        const V rest = hn::NegMulAdd(twos, constant(1.42860682030941723212e-6),
                                     hn::NegMulAdd(twos, constant(6.93145751953125e-1), exponent));
        const V k = weighed(hn::Exp(D(), hn::IfThenElse(far, rest, exponent)), beside);
        if (!divisible_) return {k, hn::IfThenElseZero(far, twos)};
        return {hn::Div(k, hn::Sub(constant(2), hn::IfThenZeroElse(far, k))), hn::IfThenElseZero(far, twos)};
    }

    /// Bounds -log2 kappa of distances up to this one; infinity where narrow blocks can't take it.
    V most_shrinking(V distance) const {
        const V exponent = hn::Mul(constant(-factor_), distance);
        const double others = (divisible_ ? 1 : 0) + (band_ > 0 ? std::log2(band_) : 0) + 1;
        const V twos = hn::MulAdd(exponent, constant(std::numbers::log2e), constant(others));
        return hn::IfThenElse(hn::Lt(exponent, constant(590)), twos, constant(infinity));
    }

  private:
    V weighed(V k, Index beside) const {
        if (band_ == 0) return k;
        return hn::Mul(k, constant(std::max(0.0, 1 - std::abs(static_cast<double>(beside)) / band_)));
    }
    V divided(V k) const { return divisible_ ? hn::Div(k, hn::Sub(constant(2), k)) : k; }

    static constexpr double farthest = 1e15;  // whose exponents of 2 are integers that a double holds

    bool divisible_;
    double band_;
    double factor_;
};

}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

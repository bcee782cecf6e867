// SPDX-License-Identifier: Apache-2.0
// The global alignment kernel of two series x and z sums over all alignments pi of their steps:
//   K(x, z) = sum_pi prod_i kappa(x_pi1(i), z_pi2(i)).
// The local kernel kappa = k / (2 - k) of two steps u and v is made of k = exp(-|u - v|^2 / (2 sigma^2)), so
// that K is positive semidefinite. This kernel is the normalised K(x, z) / sqrt(K(x, x) K(z, z)). The
// recursion for K, which gives log K because K itself can overflow, is in
// kernel/alignment/global_alignment.cpp.
//
//   paper      code
//   sigma      sigma
//   T          band, beyond which a pair of steps has weight 0
//   log K      global_alignment_logarithms()
//   kappa      k / (2 - k), or k itself for divisible=0
//
// Cuturi, Fast global alignment kernels, ICML 2011.
#include "base/error.hpp"
#include "kernel/family/series_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr AutomaticKey<double> sigma{"sigma", Range::positive(),
                                     "sigma is the width of the local kernel; auto is the median distance of "
                                     "two steps times the root of the median length."};
constexpr IntegerKey gak_band{
    "band",
    0,
    {0, 1e9},
    "Steps i and j that are matched count 1 - |i - j| / band, and none beyond the band; 0 counts all alike."};
constexpr IntegerKey divisible{
    "divisible",
    1,
    {0, 1},
    "1 takes the local kernel k / (2 - k), which is positive semidefinite for sure; 0 the Gaussian k."};
}  // namespace parameter

namespace {

double find_sigma(std::string_view parameter, std::string_view rule, const DataFacts& facts,
                  const Columns& channels) {
    if (parameter != parameter::sigma.name || rule == "mean")
        fail(Status::invalid_kernel, "parameter ", parameter, " of kernel gak has no ", rule, " value");
    if (!facts.data() || facts.data()->kind() != DataKind::series) return 1;
    return automatic_alignment_width(*facts.data(), channels);
}

KernelPointer make_gak(const KernelArguments& a) {
    const GlobalAlignment alignment{a[parameter::sigma], a[parameter::gak_band],
                                    a[parameter::divisible] != 0};
    const std::string text = dk::text("gak(sigma=", alignment.sigma, ", band=", alignment.band,
                                      alignment.divisible ? ")" : ", divisible=0)");
    return make_series_kernel(a.columns, {text, alignment, alignment.divisible});
}

}  // namespace

KernelEntry gak_kernel() {
    return {.name = "gak",
            .doc = "The global alignment kernel sums over all alignments of two series, and is normalised.",
            .reference = "Cuturi, Fast global alignment kernels, ICML 2011",
            .facts = {.data = {DataKind::series},
                      .positive_semidefinite = "when divisible",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {parameter::sigma, parameter::gak_band, parameter::divisible},
            .make = make_gak,
            .found_by_rule = find_sigma};
}

}  // namespace dk

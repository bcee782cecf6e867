// SPDX-License-Identifier: Apache-2.0
// The global alignment kernel of two series: the sum over all alignments pi of
//   prod_i kappa(x_pi1(i), z_pi2(i)) with the local kernel kappa = k / (2 - k), k = exp(-|x - z|^2 / (2
//   sigma^2)),
// divided by the root of the product of what x and z have with themselves.
//
// Cuturi, Fast global alignment kernels, ICML 2011.
#include "base/error.hpp"
#include "kernel/family/series_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

double find_sigma(std::string_view parameter, std::string_view rule, const DataFacts& facts,
                  const Columns& channels) {
    if (parameter != "sigma" || rule == "mean")
        fail(Status::invalid_kernel, "parameter ", parameter, " of kernel gak has no ", rule, " value");
    if (!facts.data() || facts.data()->kind() != DataKind::series) return 1;
    return automatic_alignment_width(*facts.data(), channels);
}

KernelPointer make_gak(const KernelArguments& a) {
    const GlobalAlignment alignment{a["sigma"], a.integer("band"), a["divisible"] != 0};
    const std::string text = dk::text("gak(sigma=", alignment.sigma, ", band=", alignment.band,
                                      alignment.divisible ? ")" : ", divisible=0)");
    return make_series_kernel(a.columns, {text, alignment, alignment.divisible});
}

}  // namespace

KernelEntry gak_kernel() {
    ParameterSpec sigma = positive_parameter("sigma", 1,
                                             "The width of the local kernel; auto is the median distance of "
                                             "two steps times the root of the median length.");
    sigma.default_value = "auto";
    return {.name = "gak",
            .doc = "The global alignment kernel sums over all alignments of two series, and is normalised.",
            .reference = "Cuturi, Fast global alignment kernels, ICML 2011",
            .facts = {.data = {DataKind::series},
                      .positive_semidefinite = "when divisible",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {std::move(sigma),
                           integer_parameter("band", 0, 0, 1e9,
                                             "Steps i and j that are matched count 1 - |i - j| / band, and "
                                             "none beyond the band; 0 counts all alike."),
                           integer_parameter("divisible", 1, 0, 1,
                                             "1 takes the local kernel k / (2 - k), which is positive "
                                             "semidefinite for sure; 0 the Gaussian k.")},
            .make = make_gak,
            .found_by_rule = find_sigma};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernel/family.hpp"
#include "kernel/series_kernel.hpp"

namespace dk {

namespace {

double find_sigma(std::string_view parameter, std::string_view rule, const Setting& setting,
                  const Columns& channels) {
    if (parameter != "sigma" || rule == "mean")
        fail(Status::invalid_kernel, "parameter ", parameter, " of kernel gak has no ", rule, " value");
    if (!setting.data() || setting.data()->kind() != DataKind::series) return 1;
    return automatic_alignment_width(*setting.data(), channels);
}

KernelPointer make_gak(const KernelArguments& a) {
    const GlobalAlignment alignment{a["sigma"], static_cast<Index>(a["band"]), a["divisible"] != 0};
    const std::string text = dk::text("gak(sigma=", alignment.sigma, ", band=", alignment.band,
                                      alignment.divisible ? ")" : ", divisible=0)");
    return make_series_kernel(a.columns, {text, alignment, alignment.divisible});
}

}  // namespace

KernelFamily gak_family() {
    ParameterSpec sigma = positive_parameter(
        "sigma", 1, "width; auto is the median distance of two steps times the root of the median length");
    sigma.default_value = "auto";
    return {
        .name = "gak",
        .doc = "global alignment kernel of series: all alignments, normalised",
        .reference = "Cuturi, Fast global alignment kernels, ICML 2011",
        .data = {DataKind::series},
        .positive_semidefinite = "when divisible",
        .constant_diagonal = "always",
        .parameters = {std::move(sigma),
                       integer_parameter("band", 0, 0, 1e9,
                                         "triangular weight 1 - |i - j| / band; 0 for none"),
                       integer_parameter("divisible", 1, 0, 1,
                                         "1: local kernel k / (2 - k), which is safe; 0: the Gaussian k")},
        .positional = "",
        .make = make_gak,
        .found_by_rule = find_sigma};
}

}  // namespace dk

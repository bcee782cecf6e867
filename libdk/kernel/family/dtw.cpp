// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma d(x, z)), d the least sum of squared distances over all alignments of two series.
//
// Sakoe and Chiba, IEEE Trans. ASSP 26, 1978.
#include "base/text.hpp"
#include "kernel/family/series_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

double find_gamma(std::string_view, std::string_view rule, const DataFacts& facts, const Columns& channels) {
    if (!facts.data() || facts.data()->kind() != DataKind::series) return 1;
    require_columns(channels, *facts.data());
    return warping_width(rule, *facts.data(), channels);
}

KernelPointer make_dtw(const KernelArguments& a) {
    const Warping warping{a["gamma"], a.integer("band")};
    return make_series_kernel(
        a.columns, {text("dtw(gamma=", warping.gamma, ", band=", warping.band, ")"), warping, false});
}

}  // namespace

KernelEntry dtw_kernel() {
    return {.name = "dtw",
            .doc =
                "k(x, z) = exp(-gamma d), where d is the least sum of squared distances over all alignments "
                "of two series (time warping).",
            .reference = "Sakoe and Chiba, IEEE Trans. ASSP 26, 1978",
            .facts = {.data = {DataKind::series},
                      .positive_semidefinite = "never guaranteed",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {width_parameter("auto",
                                           "The inverse width gamma. The rules auto and mean take 1 over the "
                                           "mean distance of training rows, median 1 over the median."),
                           integer_parameter(
                               "band", 0, 0, 1e9,
                               "Only alignments of steps i and j with |i - j| <= band count, or with the "
                               "difference of the lengths where that is more; 0 counts all.")},
            .make = make_dtw,
            .found_by_rule = find_gamma};
}

}  // namespace dk

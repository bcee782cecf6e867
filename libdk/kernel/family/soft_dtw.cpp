// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma D(x, z)), where D is the divergence of soft dynamic time warping. In place of the
// least sum of squared distances over all alignments of two series stands a soft minimum of these sums, which
// changes smoothly with the series; the divergence is 0 for a series and itself:
//
//   d(x, z) = -r log sum over alignments of exp(-(sum of squared distances) / r)
//   D(x, z) = d(x, z) - 1/2 (d(x, x) + d(z, z))
//
//   paper    code
//   gamma    smoothing, r above; for small ones D is close to the distance of dtw
//   D        distance_of() in series_kernel.cpp
//
// Cuturi, Blondel, Soft-DTW: a differentiable loss function for time-series, ICML 2017; Blondel, Mensch,
// Vert, Differentiable divergences between time series, AISTATS 2021.
#include "base/text.hpp"
#include "kernel/family/series_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr AutomaticKey<double> soft_dtw_gamma{
    "gamma", Range::positive(),
    "gamma is the inverse width. The rules auto and mean take 1 over the mean distance of training rows by "
    "dtw, median 1 over the median."};
constexpr RealKey smoothing{
    "smoothing",
    1,
    {1e-6, 1e9},
    "The soft minimum counts alignments whose sums of squared distances are within about "
    "so much of the least; the smaller it is, the closer is the kernel to dtw."};
}  // namespace parameter

namespace {

double find_soft_dtw_gamma(std::string_view, std::string_view rule, const DataFacts& facts,
                           const Columns& channels) {
    if (!facts.data() || facts.data()->kind() != DataKind::series) return 1;
    require_columns(channels, *facts.data());
    return warping_width(rule, *facts.data(), channels);
}

KernelPointer make_soft_dtw(const KernelArguments& a) {
    const SoftWarping warping{a[parameter::soft_dtw_gamma], a[parameter::smoothing]};
    return make_series_kernel(
        a.columns,
        {text("soft_dtw(gamma=", warping.gamma, ", smoothing=", warping.smoothing, ")"), warping, false});
}

}  // namespace

KernelEntry soft_dtw_kernel() {
    return {
        .name = "soft_dtw",
        .doc =
            "k(x, z) = exp(-gamma D), where D is the divergence of soft time warping: a smooth minimum of "
            "the sums of squared distances over all alignments of two series, which is 0 for equal ones.",
        .reference =
            "Blondel, Mensch, Vert, Differentiable divergences between time series, AISTATS 2021; Cuturi, "
            "Blondel, Soft-DTW: a differentiable loss function for time-series, ICML 2017",
        .facts = {.data = {DataKind::series},
                  .positive_semidefinite = "never guaranteed",
                  .constant_diagonal = "always",
                  .differentiable = "never"},
        .parameters = {parameter::soft_dtw_gamma, parameter::smoothing},
        .make = make_soft_dtw,
        .found_by_rule = find_soft_dtw_gamma};
}

}  // namespace dk

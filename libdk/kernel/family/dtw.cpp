// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma d(x, z)), where d is the dynamic time warping distance of two series: an alignment
// matches the steps of x and z in their order, and d is the least sum of squared distances of matched steps
// over all alignments. The recursion for d is in kernel/alignment/warping.cpp.
//
//   paper    code
//   d        warping_distances()
//   r        band, the width of the adjustment window: |i - j| <= r for matched steps i and j
//   E        slope, of Itakura's parallelogram between the first pair and the last one
//
// Sakoe, Chiba, Dynamic programming algorithm optimization for spoken word recognition, IEEE Transactions on
// Acoustics, Speech, and Signal Processing 26, 1978. Itakura, Minimum prediction residual principle applied
// to speech recognition, same transactions, 23, 1975.
#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/family/series_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr AutomaticKey<double> dtw_gamma{
    "gamma", Range::positive(),
    "gamma is the inverse width. The rules auto and mean take 1 over the "
    "mean distance of training rows, median 1 over the median."};
constexpr IntegerKey dtw_band{"band",
                              0,
                              {0, 1e9},
                              "Only alignments of steps i and j with |i - j| <= band count, or with the "
                              "difference of the lengths where that is more; 0 counts all."};
constexpr RealKey dtw_slope{
    "slope",
    0,
    {0, 1e9},
    "Only alignments in Itakura's parallelogram count, whose sides are at most so many "
    "times as steep as the line between both ends and at least that fraction: 2 is "
    "usual, 1 leaves that line alone, and 0 counts all."};
}  // namespace parameter

namespace {

double find_dtw_gamma(std::string_view, std::string_view rule, const DataFacts& facts,
                      const Columns& channels) {
    if (!facts.data() || facts.data()->kind() != DataKind::series) return 1;
    require_columns(channels, *facts.data());
    return warping_width(rule, *facts.data(), channels);
}

KernelPointer make_dtw(const KernelArguments& a) {
    const Warping warping{a[parameter::dtw_gamma], {a[parameter::dtw_band], a[parameter::dtw_slope]}};
    const WarpingWindow& window = warping.window;
    if (window.slope > 0 && window.slope < 1)
        fail(Status::invalid_kernel, "dtw: slope = ", window.slope,
             " is not allowed; it must be 0 or at least 1");
    const std::string slope = window.slope > 0 ? text(", slope=", window.slope) : "";
    return make_series_kernel(
        a.columns, {text("dtw(gamma=", warping.gamma, ", band=", window.band, slope, ")"), warping, false});
}

}  // namespace

KernelEntry dtw_kernel() {
    return {.name = "dtw",
            .doc =
                "k(x, z) = exp(-gamma d), where d is the least sum of squared distances over all alignments "
                "of two series (time warping).",
            .reference =
                "Sakoe and Chiba, Dynamic programming algorithm optimization for spoken word recognition, "
                "IEEE Transactions on Acoustics, Speech, and Signal Processing 26, 1978",
            .facts = {.data = {DataKind::series},
                      .positive_semidefinite = "never guaranteed",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {parameter::dtw_gamma, parameter::dtw_band, parameter::dtw_slope},
            .make = make_dtw,
            .found_by_rule = find_dtw_gamma};
}

}  // namespace dk

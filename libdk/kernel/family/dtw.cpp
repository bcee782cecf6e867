// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family.hpp"
#include "kernel/series_kernel.hpp"

namespace dk {

namespace {

double find_gamma(std::string_view, std::string_view rule, const Setting& setting, const Columns& channels) {
    if (!setting.data() || setting.data()->kind() != DataKind::series) return 1;
    require_columns(channels, *setting.data());
    return warping_width(rule, *setting.data(), channels);
}

KernelPointer make_dtw(const KernelArguments& a) {
    const Warping warping{a["gamma"], static_cast<Index>(a["band"])};
    return make_series_kernel(
        a.columns, {text("dtw(gamma=", warping.gamma, ", band=", warping.band, ")"), warping, false});
}

}  // namespace

KernelFamily dtw_family() {
    return {.name = "dtw",
            .doc = "exp(-gamma d), d the least sum of squared distances over all alignments (time warping)",
            .reference = "Sakoe and Chiba, IEEE Trans. ASSP 26, 1978",
            .data = {DataKind::series},
            .positive_semidefinite = "never guaranteed",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width; auto and mean are 1 / mean d"),
                           integer_parameter("band", 0, 0, 1e9,
                                             "only alignments with |i - j| <= band, or the difference of the "
                                             "lengths; 0 for all")},
            .positional = "",
            .make = make_dtw,
            .found_by_rule = find_gamma};
}

}  // namespace dk

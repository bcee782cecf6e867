// SPDX-License-Identifier: Apache-2.0
// The stability of M selections among d members, which select member f in a share p_f and k members on
// average, is
//
//     1 - [ 1/d sum_f M / (M - 1) p_f (1 - p_f) ] / [ k/d (1 - k/d) ]
//
//     letter    name
//     M, d      count, members
//     p_f       share
//     k/d       selected
//
// S. Nogueira, K. Sechidis, G. Brown, On the stability of feature selection algorithms, JMLR 18, 2018,
// definition 4.
#include "pipeline/validation/selection_stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dk {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Computes |A and B| / |A or B|, and gives NaN where both are empty.
double jaccard(std::span<const Member> a, std::span<const Member> b) {
    Index both = 0;
    Index either = 0;
    for (std::size_t m = 0; m < a.size(); ++m) {
        if (a[m] == Member::absent || b[m] == Member::absent) continue;
        both += a[m] == Member::selected && b[m] == Member::selected;
        either += a[m] == Member::selected || b[m] == Member::selected;
    }
    return either == 0 ? unknown : 1.0 * both / either;
}

}  // namespace

double jaccard_stability(const Selections& selections, Control& control) {
    double sum = 0;
    Index pairs = 0;
    for (Index a = 0; a < selections.count(); ++a) {
        for (Index b = 0; b < a; ++b) {
            control.check();
            const double index = jaccard(selections[a], selections[b]);
            if (std::isnan(index)) continue;
            sum += index;
            ++pairs;
        }
    }
    return pairs == 0 ? unknown : sum / pairs;
}

double selection_stability(const Selections& selections) {
    const Index count = selections.count();
    const Index members = selections.members;
    if (count < 2) return unknown;
    double variance = 0;
    double selected = 0;
    for (Index f = 0; f < members; ++f) {
        Index times = 0;
        for (Index s = 0; s < count; ++s) times += selections[s][f] == Member::selected;
        const double share = 1.0 * times / count;
        variance += count / (count - 1.0) * share * (1 - share) / members;
        selected += share / members;
    }
    // The mean of shares that are all 1 may miss 1 by rounding.
    if (variance == 0 && std::min(selected, 1 - selected) < 1e-12) return unknown;
    return 1 - variance / (selected * (1 - selected));
}

}  // namespace dk

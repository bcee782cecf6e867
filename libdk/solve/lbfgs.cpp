// SPDX-License-Identifier: Apache-2.0
#include "solve/lbfgs.hpp"

#include "solve/vectors.hpp"

namespace dk {

void LimitedMemory::add(std::vector<double> step, std::vector<double> change) {
    const double curvature = dot(step, change);
    if (!(curvature > 1e-12 * dot(change, change))) return;
    pairs_.push_back({std::move(step), std::move(change), curvature});
    if (pairs_.size() > most_) pairs_.pop_front();
}

std::vector<double> LimitedMemory::direction(std::span<const double> gradient) const {
    std::vector<double> out(gradient.begin(), gradient.end());
    std::vector<double> shares(pairs_.size());
    for (std::size_t p = pairs_.size(); p-- > 0;) {
        shares[p] = dot(pairs_[p].step, out) / pairs_[p].curvature;
        add_scaled(out, -shares[p], pairs_[p].change);
    }
    if (!pairs_.empty()) {
        const Pair& last = pairs_.back();
        const double scale = last.curvature / dot(last.change, last.change);
        for (double& v : out) v *= scale;
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const double back = dot(pairs_[p].change, out) / pairs_[p].curvature;
        add_scaled(out, shares[p] - back, pairs_[p].step);
    }
    for (double& v : out) v = -v;
    return out;
}

}  // namespace dk

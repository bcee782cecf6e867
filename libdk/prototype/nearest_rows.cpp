// SPDX-License-Identifier: Apache-2.0
#include "prototype/nearest_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

void NearestRows::see(Index first, Index count, std::span<const double> self, const double* products,
                      Control& control) {
    if (neighbours_ == 0) return;
    constexpr Index at_once = 16;  // A thread takes so many prototypes that it reads whole cache lines.
    const auto inner = view(products, count, prototypes_);
    const ProgressHold hold(control);
    parallel_for((prototypes_ + at_once - 1) / at_once, control, [&](Index block) {
        const Index begin = block * at_once;
        const Index end = std::min(prototypes_, begin + at_once);
        std::vector<double> limits;  // A row whose excess is less is among the nearest so far.
        for (Index p = begin; p < end; ++p) {
            const auto& best = best_[p];
            limits.push_back(std::ssize(best) < neighbours_ ? infinity : best.back().excess);
        }
        for (Index i = 0; i < count; ++i) {
            for (Index p = begin; p < end; ++p) {
                const double excess = self[i] - 2 * inner(i, p);
                // What is not finite compares with nothing; write() tells that it is missing.
                if (excess >= limits[p - begin] || !std::isfinite(excess)) continue;
                auto& best = best_[p];
                const Candidate found{excess, first + i};
                best.insert(std::upper_bound(best.begin(), best.end(), found), found);
                if (std::ssize(best) > neighbours_) best.pop_back();
                if (std::ssize(best) == neighbours_) limits[p - begin] = best.back().excess;
            }
        }
    });
}

void NearestRows::write(std::span<const double> squared_norms, std::vector<Index>& rows,
                        std::vector<double>& distances) const {
    for (Index p = 0; p < prototypes_; ++p) {
        if (std::ssize(best_[p]) < neighbours_)
            fail(Status::numerical, "distances of rows from prototype ", p, " overflow; scale the data");
        for (const Candidate& candidate : best_[p]) {
            rows.push_back(candidate.row);
            distances.push_back(std::sqrt(std::max(0.0, candidate.excess + squared_norms[p])));
        }
    }
}

}  // namespace dk

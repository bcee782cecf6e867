// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "prototype/kernel_k_means.hpp"

namespace dk {

/// Clusters by kernel k-means from so many starts, of which the one with the least energy is kept.
struct FoundClusters {
    RowClusters rows = {};
    double energy = 0;
    bool converged = true;
};
FoundClusters best_clusters(const ConstMatrixRef& gram, Index clusters, Index starts, Index rounds,
                            std::uint64_t seed, Control& control);

}  // namespace dk

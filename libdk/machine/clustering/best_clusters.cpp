// SPDX-License-Identifier: Apache-2.0
#include "machine/clustering/best_clusters.hpp"

#include <cmath>
#include <utility>

namespace dk {

FoundClusters best_clusters(const ConstMatrixRef& gram, Index clusters, Index starts, Index rounds,
                            std::uint64_t seed, Control& control) {
    FoundClusters best;
    Random random(seed);
    for (Index start = 0; start < starts; ++start) {
        const ProgressScope scope(control, static_cast<double>(start) / static_cast<double>(starts),
                                  static_cast<double>(start + 1) / static_cast<double>(starts));
        control.check(0);
        FoundClusters found{.rows = start == 0 ? kernel_k_means(gram, clusters, 0, control)
                                               : spread_seeds(gram, clusters, random, control)};
        improve_clusters(gram, found.rows, rounds, control);
        found.converged = move_single_rows(gram, found.rows, rounds, control);
        found.energy = cluster_energy(gram, found.rows, control);
        const double rounding = 1e-12 * std::abs(best.energy);
        if (start == 0 || found.energy < best.energy - rounding) best = std::move(found);
    }
    return best;
}

}  // namespace dk

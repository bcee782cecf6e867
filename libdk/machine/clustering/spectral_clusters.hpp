// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/clustering/best_clusters.hpp"

namespace dk {

/// Divides rows into clusters between which few pairs are alike, by the eigenvectors of their normalised
/// similarities, which are the kernel matrix and have to be at least 0. Takes the memory of four such
/// matrices beside the given one; the energy is that of k-means among the
/// eigenvectors. Throws Error(unsupported) where a similarity is negative.
FoundClusters spectral_clusters(const ConstMatrixRef& gram, Index clusters, Index starts, Index rounds,
                                std::uint64_t seed, Control& control);

}  // namespace dk

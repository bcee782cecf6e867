// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "prototype/kernel_k_means.hpp"

namespace dk {

/// Divides rows into clusters between which few pairs are alike, by the eigenvectors of their normalised
/// similarities, which are the kernel matrix and have to be at least 0. Takes the memory of four such
/// matrices beside the given one. Throws Error(unsupported) where a similarity is negative.
RowClusters spectral_clusters(const ConstMatrixRef& gram, Index clusters, Index starts, Index rounds,
                              std::uint64_t seed, Control& control);

}  // namespace dk

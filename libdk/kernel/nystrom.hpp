// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/feature_map.hpp"
#include "solve/symmetric_eigen.hpp"

namespace dk {

/// What becomes of the eigenvalues of the landmarks' matrix.
enum class EigenvalueRule {
    clip,   // negative ones are left out
    flip,   // they count by their size
    square  // each is multiplied by its size: phi(x) = k(x, Z)
};

/// The eigenvalues and eigenvectors of the matrix of all pairs of rows.
SymmetricEigen kernel_spectrum(const KernelPointer& kernel, const Dataset& rows, Control& control);

/// phi(x) = k(x, Z) W for landmarks Z, with W from the spectrum of k(Z, Z) (Williams and Seeger, NIPS 2000):
/// phi(x).phi(z) is k(x, z) where x or z is a landmark and k is positive semidefinite, and
/// what the rule makes of k where it is not (Chen et al., Similarity-based classification, JMLR 10, 2009).
std::shared_ptr<const FeatureMap> make_nystrom_map(KernelPointer kernel, const Dataset& landmarks,
                                                   EigenvalueRule rule, const SymmetricEigen& spectrum,
                                                   Control& control);

/// The same from a state that such a map gave.
std::shared_ptr<const FeatureMap> restore_nystrom_map(KernelPointer kernel, KernelState state);

}  // namespace dk

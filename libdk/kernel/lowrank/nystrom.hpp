// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lowrank/feature_map.hpp"
#include "kernel/lowrank/spectrum.hpp"

namespace dk {

/// Makes the map phi(x) = k(x, Z) W for landmarks Z, where W comes from the spectrum of k(Z, Z). Where k is
/// positive semidefinite, phi(x).phi(z) is k(x, z) if x or z is a landmark. Where it is not, the products of
/// the landmarks' features are what the method, which can be any but shift, makes of k(Z, Z).
std::shared_ptr<const FeatureMap> make_nystrom_map(KernelPointer kernel, const Dataset& landmarks,
                                                   SpectrumMethod method, const SymmetricEigen& spectrum,
                                                   Control& control);

/// Makes the map again from the state that collect_states() gave.
std::shared_ptr<const FeatureMap> restore_nystrom_map(KernelPointer kernel, KernelState state);

}  // namespace dk

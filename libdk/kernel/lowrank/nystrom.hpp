// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lowrank/feature_map.hpp"
#include "kernel/lowrank/spectrum.hpp"

namespace dk {

/// phi(x) = k(x, Z) W for landmarks Z, with W from the spectrum of k(Z, Z): phi(x).phi(z) is k(x, z) where x
/// or z is a landmark and k is positive semidefinite, and what the method (any but shift) makes of k where it
/// is not.
std::shared_ptr<const FeatureMap> make_nystrom_map(KernelPointer kernel, const Dataset& landmarks,
                                                   SpectrumMethod method, const SymmetricEigen& spectrum,
                                                   Control& control);

/// The map that gave this state to a model file.
std::shared_ptr<const FeatureMap> restore_nystrom_map(KernelPointer kernel, KernelState state);

}  // namespace dk

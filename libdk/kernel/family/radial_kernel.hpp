// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/engine/kernel.hpp"
#include "kernel/maps/radial_maps.hpp"

namespace dk {

/// What makes a radial kernel.
struct RadialParts {
    std::string text;  // its specification, such as "cauchy(gamma=0.5)"
    Radial radial;
    bool positive_semidefinite = true;
};

/// Makes a kernel that is a function of |x - z|^2 over some columns; no columns mean all of them.
KernelPointer make_radial_kernel(Columns columns, RadialParts parts);

}  // namespace dk

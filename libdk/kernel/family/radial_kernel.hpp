// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/engine/radial_maps.hpp"
#include "kernel/kernel.hpp"

namespace dk {

struct RadialParts {
    std::string text;  // "cauchy(gamma=0.5)"
    Radial radial;
    bool positive_semidefinite = true;
};

/// A kernel that is a function of |x - z|^2 over some columns.
KernelPointer make_radial_kernel(Columns columns, RadialParts parts);

}  // namespace dk

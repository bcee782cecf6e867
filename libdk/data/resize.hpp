// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "base/control.hpp"

namespace dk {

/// Resizes a vector step by step, because the system takes its time to find memory for a large one, and a
/// cancel must be answered meanwhile.
template <typename T>
void resize_in_steps(std::vector<T>& values, Index count, Control& control) {
    constexpr Index step = Index{1} << 20U;
    values.reserve(count);
    while (std::ssize(values) < count) {
        control.check();
        values.resize(std::min(count, std::ssize(values) + step));
    }
    values.resize(count);
}

}  // namespace dk

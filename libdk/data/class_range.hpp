// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// The rows begin to end() - 1 of one class, in data whose rows are sorted by class.
struct ClassRange {
    Index begin = 0;
    Index size = 0;

    Index end() const { return begin + size; }
};

}  // namespace dk

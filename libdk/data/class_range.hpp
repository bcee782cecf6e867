// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.hpp"

namespace dk {

/// The rows of one class where rows are ordered by class.
struct ClassRange {
    Index begin = 0;
    Index size = 0;

    Index end() const { return begin + size; }
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/dataset.hpp"

namespace dk {

/// Tells whether both datasets have the same features of the same rows in the same order, whichever objects
/// hold them. A missing value is the same as another one. Similarities are the same where both share them.
bool same_rows(const Dataset& one, const Dataset& other);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/dataset.hpp"

namespace dk {

/// Tells whether both datasets have the same features of the same rows in the same order, whichever objects
/// hold them. A missing value is the same as another one. Similarities that are computed on demand are the
/// same where both ask the same function.
bool same_rows(const Dataset& one, const Dataset& other);

}  // namespace dk

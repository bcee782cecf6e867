// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/dataset.hpp"
#include "dk/dk.h"

namespace dk::abi {

/// Makes functions of the caller's callbacks. They throw Error(callback) where a callback fails, and
/// Error(invalid_data) where a similarity is not finite. A null callback is refused.
GramMatrices::Compute similarity_of(dk_similarity_callback callback, void* user);
PointSimilarity::Compute point_similarity_of(dk_point_similarity_callback callback, void* user);

/// Checks the argument `concurrent`, and tells whether several threads may call back at once.
bool required_concurrent(std::int32_t concurrent);

}  // namespace dk::abi

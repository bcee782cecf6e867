// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"
#include "machine/lvq/kernel_vector_quantisation.hpp"

namespace dk {

/// How a prototype of many rows becomes one of few.
enum class SparseForm { omp, nearest, hull };
inline constexpr ChoiceNames sparse_forms{"omp", "nearest", "hull"};

/// Gives each prototype at most `limit` coefficients, which sum to 1: prototypes x rows. The file
/// sparse_prototypes.cpp has the forms and their reference.
Matrix sparse_coefficients(const ConstMatrixRef& gram, const QuantisationPrototypes& prototypes,
                           SparseForm form, Index limit, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"
#include "solve/squares/penalised_squares.hpp"

namespace dk {

/// Solves (4), which gives the best weights and offsets for given prototypes from S, the similarities of rows
/// to them.
PenalisedSolution best_weights(const Matrix& S, const SuperSparseTargets& targets,
                               const SuperSparseOptions& options, const Matrix& start, Control& control);

}  // namespace dk

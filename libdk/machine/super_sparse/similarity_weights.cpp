// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/similarity_weights.hpp"

namespace dk {

PenalisedSolution best_weights(const Matrix& S, const SuperSparseTargets& targets,
                               const SuperSparseOptions& options, const Matrix& start, Control& control) {
    return solve_penalised_squares({.features = view(S.data(), S.rows(), S.cols()),
                                    .targets = targets.Y(),
                                    .weights = as_vector(targets.row_weights),
                                    .lambda = options.lambda,
                                    .lasso = options.lasso},
                                   start, control);
}

}  // namespace dk

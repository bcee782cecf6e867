// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "kernel/kernel.hpp"

namespace dk {

// Functions of few prototypes that are free vectors (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse
// learning in similarity spaces, 2016): g_c(x) = sum_j beta_jc k(x, z_j) + b_c with
//     min over z, beta, b of  sum_i u_i sum_c (g_c(x_i) - y_ic)^2 + lambda |beta|^2  (or lambda |beta|_1).
// For given z the weights are solved exactly, so that the gradient in z needs no derivative of theirs.

struct SuperSparseOptions {
    Index prototypes = 10;
    double lambda = 1e-5;
    bool lasso = false;       // |beta|_1 in place of |beta|^2
    bool repulsion = false;   // whether the first steps keep prototypes apart, less each step
    bool moves = true;        // whether prototypes leave the rows they start at
    Index copies = -1;        // of each row, moved by noise, where another model sets the targets
    double focus = 1;         // how much more rows near that model's boundaries weigh
    double tolerance = 1e-5;  // relative fall of the objective to stop at, twice in turn
    std::int64_t most_iterations = 100;
    std::uint64_t seed = 1;
};

struct SuperSparseTargets {
    std::vector<double> values;  // rows x functions
    Index functions = 1;
    std::vector<double> row_weights;  // u, with sum 1
};

struct SuperSparseSolution {
    Dataset points;                        // the prototypes
    std::vector<Index> training_ids = {};  // the row that each is, -1 where it has moved
    std::vector<double> weights = {};      // prototypes x functions
    std::vector<double> offsets = {};
    std::vector<double> objectives = {};  // after each step
    std::int64_t iterations = 0;
    bool converged = false;
};

/// Starts at the rows that an orthogonal matching pursuit chooses among some, and moves all prototypes at
/// once by a quasi-Newton method (L-BFGS with backtracking). Rows without coordinates stay where they start.
/// `start`, if not null: where to begin instead. Copies of rows are the caller's to make.
SuperSparseSolution fit_super_sparse(const KernelPointer& kernel, const Dataset& data,
                                     const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                     Control& control, const Dataset* start = nullptr);

/// The gradient of the objective in the prototypes (points x columns), the weights being the best for them.
std::vector<double> super_sparse_gradient(const KernelPointer& kernel, const Dataset& data,
                                          const SuperSparseTargets& targets,
                                          const SuperSparseOptions& options, const DenseMatrix& points,
                                          Control& control);

/// The objective without its penalty, of other rows.
double super_sparse_error(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                          const SuperSparseSolution& solution, Control& control);

}  // namespace dk

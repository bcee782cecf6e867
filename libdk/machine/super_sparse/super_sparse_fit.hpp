// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "kernel/engine/kernel.hpp"
#include "machine/super_sparse/point_space.hpp"
#include "matrix/matrix.hpp"

namespace dk {

// Learning of functions of a few prototypes, which need not be training rows. The program and its letters
// stand at the top of super_sparse_fit.cpp.

/// The number of prototypes m, the penalty, and how learning goes.
struct SuperSparseOptions {
    Index prototypes = 10;
    double lambda = 1e-5;
    bool lasso = false;               // whether the penalty is |beta|_1 in place of |beta|^2
    bool repulsion = false;           // whether the first steps push prototypes apart
    bool repulsion_may_lack = false;  // whether it is left out where it can't be had, and not an error
    bool random_start = false;  // whether prototypes start at random rows, and not at those a pursuit chooses
    bool joint = true;          // whether all prototypes move at once, and not one after the other
    bool moves = true;          // whether prototypes leave the rows at which they start
    PointGradient gradient = PointGradient::automatic;
    double gradient_step = 0;  // of finite differences; 0 for the usual length
    Index copies = -1;         // how many noisy copies of each row are made; -1 for as many as are needed
    double focus = 1;          // how much more rows weigh that are near boundaries of another model
    double tolerance = 1e-5;   // Learning stops when Omega falls by less than this share twice in turn.
    std::int64_t most_iterations = 100;
    std::uint64_t seed = 1;
};

/// What the functions are to be at the training rows, and how much each row counts.
struct SuperSparseTargets {
    std::vector<double> values;  // Y, row by row
    Index functions = 1;
    std::vector<double> row_weights;  // u, whose sum is 1

    /// The values as a matrix, rows x functions.
    ConstMatrixView Y() const { return view(values.data(), std::ssize(values) / functions, functions); }
};

struct SuperSparseSolution {
    Dataset points;                        // the prototypes z
    std::vector<Index> training_ids = {};  // the training row that each prototype is, -1 where it has moved
    std::vector<double> weights = {};      // beta, row by row: prototypes x functions
    std::vector<double> offsets = {};      // b, one for each function
    std::vector<double> objectives = {};   // Omega after each step
    std::int64_t iterations = 0;
    bool converged = false;

    /// The weights as a matrix, prototypes x functions.
    ConstMatrixView beta() const { return view(weights.data(), points.rows(), std::ssize(offsets)); }
};

/// Learns the functions that come nearest to the targets. Prototypes start at training rows, or at the points
/// of `start` where it is not null. Those among dense rows move along gradients, those of series and strings
/// by edits; of graphs and similarities other rows take their place. Those of sparse rows stay where they
/// start. The copies that the options tell of are the caller's to make.
SuperSparseSolution fit_super_sparse(const KernelPointer& kernel, const Dataset& data,
                                     const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                     Control& control, const SuperSparseSolution* start = nullptr);

/// Gives the gradient of the objective in the prototypes, points x columns and row by row, where the weights
/// are the best for these points.
std::vector<double> super_sparse_gradient(const KernelPointer& kernel, const Dataset& data,
                                          const SuperSparseTargets& targets,
                                          const SuperSparseOptions& options, const DenseMatrix& points,
                                          Control& control);

/// Computes the functions g of rows, rows x functions.
Matrix super_sparse_decisions(const KernelPointer& kernel, const Dataset& data,
                              const SuperSparseSolution& solution, Control& control);

}  // namespace dk

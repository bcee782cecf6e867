// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/large_array.hpp"

namespace dk {

/// Ridge regression on few landmarks: (K_nM' K_nM + ridge K_MM) A = K_nM' Y, where K_nM (rows x landmarks) is
/// known by its products only.
struct LandmarkRidge {
    Index rows;
    Index landmarks;
    Index columns;
    std::span<const double> targets;  // Y, rows x columns
    const double* landmark_gram;      // K_MM
    double ridge;
    std::function<void(const double* v, double* out)> product;             // K_nM v
    std::function<void(const double* v, double* out)> transposed_product;  // K_nM' v
    double tolerance = 1e-7;  // of the preconditioned residual, against that of zero
    int most_iterations = 50;
};

struct LandmarkRidgeSolution {
    std::vector<double> coefficients;  // A, landmarks x columns
    int iterations = 0;
    double residual = 0;
    bool converged = false;
};

/// Conjugate gradients on all columns together, with the landmarks' matrix as the preconditioner (Rudi,
/// Carratino, Rosasco, FALKON, NIPS 2017). Takes two landmarks x landmarks matrices; each step costs one
/// product of either kind.
LandmarkRidgeSolution solve_landmark_ridge(const LandmarkRidge& problem, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// LandmarkRidge is ridge regression on few landmarks: (K_nM' K_nM + ridge K_MM) A = K_nM' Y, where K_nM
/// (rows x landmarks) is known by its products only.
struct LandmarkRidge {
    double rows;                    // n, or the sum of the weights of weighed rows
    Index columns;                  // of Y
    ConstMatrixView landmark_gram;  // K_MM
    double ridge;
    std::function<void(const Matrix& v, Matrix& out)> normal_product;  // out = K_nM' K_nM v
    std::function<void(Matrix& out)> right;                            // out = K_nM' Y
    /// Writes K_nM' K_nM, and K_nM' Y from the same kernel values. It takes as long as some steps do, and
    /// makes steps few; null where it is not worth it.
    std::function<void(MatrixView square, Matrix& right)> square = nullptr;
    double tolerance = 1e-7;  // the preconditioned residual to reach, relative to that of A = 0
    int most_iterations = 50;

    Index landmarks() const { return landmark_gram.rows(); }
};

struct LandmarkRidgeSolution {
    Matrix coefficients;  // A, landmarks x columns
    int iterations = 0;
    double residual = 0;
    bool converged = false;
};

/// Solves it by FALKON: conjugate gradients run on all columns together, with a preconditioner that is made
/// of the landmarks' matrix alone, or of K_nM' K_nM too. They take the memory of two landmarks x landmarks
/// matrices, or four, and each step costs one product with K_nM' K_nM.
LandmarkRidgeSolution solve_landmark_ridge(const LandmarkRidge& problem, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "solve/landmarks/landmark_sums.hpp"

namespace dk {

/// Gives the sums of values and targets less their means over the rows, which is what a program with an
/// offset is solved with.
LandmarkSums centred_sums(const LandmarkSums& sums, Control& control);

/// LandmarkSpectrum solves (K_nM' K_nM + ridge K_MM) A = K_nM' Y, also with an offset, for any number of
/// ridges after one eigendecomposition, and tells what all other rows predict of each.
class LandmarkSpectrum {
  public:
    /// Takes the memory of five landmarks x landmarks matrices beside the sums.
    LandmarkSpectrum(const ConstMatrixRef& landmark_gram, const LandmarkSums& sums, bool offset,
                     Control& control);

    struct Solution {
        Matrix coefficients;  // A, landmarks x columns
        Eigen::RowVectorXd offsets;
    };
    Solution solve(double ridge, Control& control) const;

    /// What the leave-one-out predictions of some rows need, for any number of ridges.
    struct Leverages {
        LargeMatrix features;  // of these rows, less the means: features x rows
        LargeMatrix squares;   // their squares
        Vector roots;          // square roots of the rows' weights, with which all of this is multiplied
    };
    /// `values` has the kernel values of landmarks (rows) with these rows (columns), and `roots` the square
    /// roots of the rows' weights, with which the values are multiplied.
    Leverages leverages(const ConstMatrixRef& values, const Vector& roots, Control& control) const;
    /// Gives what all other rows predict of each of these rows, whose targets are given, both multiplied with
    /// the roots: rows x columns for each ridge.
    std::vector<Matrix> left_out(const Leverages& leverages, const ConstMatrixRef& targets,
                                 std::span<const double> ridges, Control& control) const;

  private:
    bool offset_;
    double weight_;
    LargeMatrix map_;                  // W, landmarks x features
    Vector eigenvalues_;               // Lambda
    Matrix right_;                     // W' K_nM' (Y - 1 y'), features x columns
    Vector feature_means_;             // W' K_nM' 1 / n, or 0 without an offset
    Vector value_means_;               // K_nM' 1 / n
    Eigen::RowVectorXd target_means_;  // y, or 0 without an offset
};

}  // namespace dk

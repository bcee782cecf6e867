// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// What a surrogate expects at a point: the mean and the deviation of what could be there.
struct Expectation {
    double mean;
    double deviation;
};

/// How far scores reach, and how much they vary by chance: the length and the noise of a Gaussian process.
struct Smoothness {
    double length;
    double noise;
};

/// Finds the smoothness for which scores at points, points x dimensions, are the most likely.
Smoothness likely_smoothness(const Matrix& points, const Vector& scores, Control& control);

/// A Gaussian process over points of the unit cube, which tells from what some of them scored what others may
/// score (surrogate.cpp).
class Surrogate {
  public:
    /// Learns from the scores at points, points x dimensions. There is at least one point.
    Surrogate(const Matrix& points, const Vector& scores, Smoothness smoothness, Control& control);

    Expectation at(std::span<const double> point) const;

    /// Gives the largest mean at the points that it has learned from.
    double best_mean() const { return best_mean_; }

  private:
    Matrix points_;
    double centre_ = 0;  // of the scores
    double spread_ = 1;
    double length_;
    Matrix factor_;  // L, where L L' is the covariance of the scores
    Vector weights_;
    double best_mean_;
};

/// Gives by how much a score is expected to exceed `best`, where it counts as 0 if it does not.
double expected_improvement(const Expectation& expectation, double best);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "solve/squares/centred_columns.hpp"

namespace dk {

/// The weights beta of one function of the lasso for one lambda after another. Each solution starts at the
/// one before, so that lambdas should descend. The program stands at the top of lasso.cpp.
class Lasso {
  public:
    /// `centred` must outlive the object. `function` is the row of its targets. A solution is found when the
    /// duality gap is at most `tolerance` times the objective of beta = 0.
    Lasso(const CentredColumns& centred, Index function, double tolerance = 1e-8);

    /// Finds the weights for this lambda, which is at least 0.
    const Vector& solve(double lambda, Control& control);

    const Vector& beta() const { return beta_; }
    /// Tells how far the objective of the last solution is above the least one at most.
    double gap() const { return gap_; }
    /// Tells whether every solution was found within the largest number of sweeps.
    bool converged() const { return converged_; }
    /// Counts the sweeps of all solutions.
    std::int64_t sweeps() const { return sweeps_; }

  private:
    double renew(Index j, double lambda);
    double sweep_all(double lambda, Control& control);
    double sweep_support(double lambda, Control& control);
    void step_on_face(double lambda, Control& control);
    void settle_support(double lambda, double enough, std::int64_t limit, Control& control);
    double gap_of(double lambda, Control& control) const;

    ConstMatrixView columns_;
    Vector targets_;
    double tolerance_;
    double scale_;    // |y|^2, which tolerances are shares of
    Vector squares_;  // a_j = |S_j|^2
    Vector beta_;
    Vector residual_;  // r = y - S beta
    double gap_ = 0;
    bool converged_ = true;
    std::int64_t sweeps_ = 0;
};

/// Gives the least lambda for which the weights of all functions are zero: the largest |S_j' y|.
double largest_lasso_lambda(const CentredColumns& centred, Control& control);

/// Gives 100 lambdas from the largest one to a thousandth of it, whose logarithms are equally far apart.
std::vector<double> lasso_path(double largest);

}  // namespace dk

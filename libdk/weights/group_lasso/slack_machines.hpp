// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weights/group_lasso/bank_features.hpp"
#include "weights/group_lasso/bank_machines.hpp"

namespace dk {

/// What the slack of the rows that have some is of one machine, as a function of w: (a) in
/// feature_margins.cpp, whose letters these are.
struct SlackSquares {
    Matrix G;
    Vector r;
    Vector sums;             // of the features, weighted by costs
    Vector gradient;         // Phi' v
    double cost = 0;         // the sum of costs
    double signed_cost = 0;  // and of costs with the rows' signs
    double duals = 0;        // and of y_i v_i
    double s = 0;

    explicit SlackSquares(Index features)
        : G(Matrix::Zero(features, features)),
          r(Vector::Zero(features)),
          sums(Vector::Zero(features)),
          gradient(Vector::Zero(features)) {}

    /// Adds rows of features with their signs, costs and slack.
    void add(const Matrix& features, std::span<const double> signs, std::span<const double> costs,
             std::span<const double> slack, Control& control);
    /// Leaves out the offset by its best value: centres G and r, and makes s the least sum of squares of a
    /// constant.
    void centre();
};

/// The machines of one Newton step, which fit the rows with slack by least squares.
class SlackMachines final : public BankMachines {
  public:
    /// `squares` are centred, one of each machine.
    SlackMachines(const BankFeatures& features, std::vector<SlackSquares> squares, Control& control)
        : features_(features), squares_(std::move(squares)), control_(control) {}

    void solve(const Vector& weights, double tolerance) override;
    bool exact() const override { return true; }
    Vector energies() const override { return features_.squares_of_kernels(gradients_); }
    double errors() const override { return errors_; }
    double linear() const override { return linear_; }
    double largest_linear() const override { return linear_; }
    /// Gives the functions of the last solve(), features x machines.
    const Matrix& functions() const { return w_; }

  private:
    const BankFeatures& features_;
    std::vector<SlackSquares> squares_;
    Control& control_;
    Matrix w_;
    Matrix gradients_;  // Phi' v
    double errors_ = 0;
    double linear_ = 0;
};

}  // namespace dk

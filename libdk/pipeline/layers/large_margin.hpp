// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "matrix/matrix.hpp"

namespace dk {

struct LargeMarginOptions {
    Index neighbours = 3;  // of its own class that each row is to be near to
    double push = 1;       // what a row of another class within the margin costs
    int most_steps = 200;
    double tolerance = 1e-5;  // Learning stops when the loss falls by a smaller share.
};

/// The loss of a map L and its gradient by L, both as large_margin.cpp defines them.
struct LargeMarginLoss {
    double loss = 0;
    Matrix gradient = {};
};

/// Rows with the neighbours of their own class that each is to be near to. It looks for them once, at the
/// Euclidean distances of the rows as they are.
class LargeMarginProblem {
  public:
    /// The data are dense and have classes; they must outlive the object.
    LargeMarginProblem(const Dataset& data, const LargeMarginOptions& options, Control& control);

    /// Computes the loss of the map x -> L x, and its gradient where it is asked for.
    LargeMarginLoss evaluate(const Matrix& map, bool with_gradient, Control& control) const;

    const std::vector<std::vector<Index>>& targets() const { return targets_; }

  private:
    ConstMatrixView rows() const;

    const Dataset& data_;
    double push_;
    std::vector<std::vector<Index>> targets_;  // of each row, the nearest first
};

struct LargeMarginSolution {
    Matrix map = {};                  // L, columns x columns
    std::vector<double> losses = {};  // at the start and after each step
    bool converged = false;
};

/// Finds the map, from the identity on, by steps along the gradient that are halved until the loss falls.
LargeMarginSolution large_margin_map(const Dataset& data, const LargeMarginOptions& options,
                                     Control& control);

}  // namespace dk

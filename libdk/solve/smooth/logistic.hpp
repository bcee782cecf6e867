// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// What an iterate of logistic regression asks of the rows, where D has the curvatures of their costs.
struct LogisticPoint {
    Vector v;           // the rows' coefficients, minus the slopes of their costs in f
    Vector curvatures;  // the diagonal of D, above 0 for rows that cost anything
    Vector right;       // D f + v
};

/// A LogisticSpace has the function w.phi of logistic regression, of which it knows the values at all rows,
/// and can tell where Newton's method would go.
class LogisticSpace {
  public:
    LogisticSpace() = default;
    virtual ~LogisticSpace() = default;
    LogisticSpace(const LogisticSpace&) = delete;
    LogisticSpace& operator=(const LogisticSpace&) = delete;

    /// Gives w.phi at all rows.
    const Vector& values() const { return values_; }
    /// Gives the values at the point that propose() found.
    const Vector& proposed_values() const { return proposed_values_; }

    /// Looks at a point of all rows, and gives |sum_i v_i phi_i|^2.
    virtual double look_at(const LogisticPoint& point) = 0;
    /// Finds the minimum over w and b of |w|^2 / 2 + sum_i D_i (right_i / D_i - w.phi_i - b)^2 / 2 for the
    /// point that it looked at.
    virtual void propose() = 0;
    /// Makes the next proposals more exact; false where they are exact but for rounding.
    virtual bool refine() { return false; }
    /// Gives |w + step (proposed w - w)|^2 / 2.
    virtual double half_length(double step) const = 0;
    /// Goes so far of the way to the proposed w.
    virtual void move(double step) = 0;

    /// A function as sums over the rows, sum_i coefficients_i phi_i.
    struct Expansion {
        Vector coefficients;
        Vector values;  // at all rows
        double half_length;
    };
    /// Gives the function of models: w itself, where its coefficients are known, or that of the v of the
    /// point that was looked at, which is near it at the optimum alone.
    virtual Expansion expansion() = 0;

  protected:
    Vector values_;
    Vector proposed_values_;
};

struct LogisticRows {
    std::vector<double> signs;  // +1 or -1
    std::vector<double> costs;  // at least 0
};

struct LogisticOptions {
    double gap;               // the duality gap, divided by the objective, at which it stops
    std::int64_t most_steps;  // of Newton's method
};

struct LogisticSolution {
    std::vector<double> coefficients = {};  // the function is sum_i coefficients_i k(x_i, .) + offset
    double offset = 0;
    double objective = infinity;  // of this function
    double gap = infinity;        // as a share of the objective
    std::int64_t steps = 0;
    bool converged = false;
};

/// Solves the program at the top of logistic.cpp from where the space is.
LogisticSolution solve_logistic(LogisticSpace& space, const LogisticRows& rows,
                                const LogisticOptions& options, Control& control);

}  // namespace dk

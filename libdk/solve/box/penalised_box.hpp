// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "solve/box/box_program.hpp"

namespace dk {

/// A PenalisedBox is a box program whose matrix K = F F' has sparse features F. It keeps w = F'b up to date,
/// so that the gradient in one variable costs one row of F. The sums of the groups are held by multipliers
/// and a penalty, which leaves a method only the bounds to heed:
///
///     min 1/2 |w|^2 + 1/2 sum_t ridge_t b_t^2 + c'b + sum_g (multiplier_g e_g + 1/2 penalty e_g^2)
///
/// over lower <= b <= upper, where e_g is the excess of group g's sum over what it shall be. This is the
/// method of multipliers (Hestenes, Multiplier and gradient methods, JOTA 4, 1969).
class PenalisedBox {
  public:
    PenalisedBox(const BoxProgram& program, Control& control);

    std::span<const double> values() const { return as_span(b_); }
    double value(Index t) const { return b_[t]; }
    double lower(Index t) const { return program_.lower[t]; }
    double upper(Index t) const { return program_.upper[t]; }
    double ridge(Index t) const { return program_.ridge.empty() ? 0 : program_.ridge[t]; }

    double gradient(Index t);
    /// Gives the second derivative in one variable.
    double curvature(Index t) const {
        return program_.gram.diagonal()[program_.row(t)] + ridge(t) + penalty_;
    }
    void move_to(Index t, double value);
    /// Asks the processor for the row of F that the gradient will need, since rows come in random order.
    void prefetch(Index t) const;

    /// Moves tells what moving some variables changes.
    struct Moves {
        Vector weights;                // the change of w
        std::array<double, 2> sums{};  // the changes of the groups' sums
        double half_square = 0;        // 1/2 d'Hd of the moves d with the matrix H of second derivatives
    };
    Moves moves(std::span<const Index> variables, const Vector& by);
    /// Gives how much these moves change the gradient in the same variables.
    Vector curve(std::span<const Index> variables, const Vector& by, const Moves& moves);
    void apply(std::span<const Index> variables, const Vector& by, const Moves& moves);

    /// Gives the penalty, which stays what it is from the beginning.
    double penalty() const { return penalty_; }
    /// Moves the multipliers such that the gradients of the variables inside their bounds are 0 in the mean,
    /// as they are at the optimum. Steps from a start near it would otherwise go away from it until the
    /// multipliers are right. Variables that are 0 do not count.
    void begin_multipliers();
    /// Takes one step of the multipliers, and gives a multiple of the penalty times the largest excess. A
    /// step doubles while a sum errs to the same side: narrow bounds let a sum err by little, however far its
    /// multiplier has to go.
    double renew_multipliers();

    /// Gives the work so far, as the number of products of a feature with an element of a vector.
    std::int64_t products() const { return products_; }
    /// Gives about what one step of every variable costs.
    std::int64_t products_of_a_pass() const {
        return 2 * (features_.row_offsets[features_.rows] + features_.rows);
    }

  private:
    Index row_length(Index row) const { return features_.row_offsets[row + 1] - features_.row_offsets[row]; }
    Index products_of(std::span<const Index> variables) const;
    double row_product(Index row, const Vector& v) const;
    void count(Index row);

    const BoxProgram& program_;
    Control& control_;
    FeatureRows features_;  // F
    Vector b_;
    Vector weights_;  // w
    std::array<double, 2> excess_{};
    std::array<double, 2> multipliers_{};
    std::array<double, 2> last_excess_{};
    std::array<double, 2> stride_{1, 1};  // the length of a multiplier's step, in penalties
    double penalty_ = 1;
    std::int64_t products_ = 0;
    Index unpolled_ = 0;
};

}  // namespace dk

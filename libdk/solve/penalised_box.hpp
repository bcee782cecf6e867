// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "solve/box_program.hpp"

namespace dk {

/// A box program whose matrix has sparse features, with w = F' b kept up to date, so that the gradient of one
/// variable costs a row of F. Its sums are held by multipliers and a penalty (Hestenes, JOTA 4, 1969), which
/// leaves bounds alone for a method to heed:
///
/// min 1/2 |F' b|^2 + 1/2 ridge b^2 + linear b + sum_g multiplier_g excess_g + 1/2 penalty excess_g^2
class PenalisedBox {
  public:
    PenalisedBox(const BoxProgram& program, Control& control);

    std::span<const double> values() const { return b_; }
    double value(Index t) const { return b_[unsigned_of(t)]; }
    double lower(Index t) const { return program_.lower[unsigned_of(t)]; }
    double upper(Index t) const { return program_.upper[unsigned_of(t)]; }
    double ridge(Index t) const { return program_.ridge.empty() ? 0 : program_.ridge[unsigned_of(t)]; }

    double gradient(Index t);
    /// The second derivative.
    double curvature(Index t) const {
        return program_.gram.diagonal()[unsigned_of(program_.row(t))] + ridge(t) + penalty_;
    }
    void move_to(Index t, double value);
    /// Asks the processor for what the gradient will need.
    void prefetch(Index t) const;

    /// What some variables' moves change: w, sums, and half the square of both and of the ridge.
    struct Moves {
        std::vector<double> weights;
        std::array<double, 2> sums{};
        double half_square = 0;
    };
    Moves moves(std::span<const Index> variables, std::span<const double> by);
    /// The gradient's change of these variables.
    void curve(std::span<const Index> variables, std::span<const double> by, const Moves& moves,
               std::span<double> out);
    void apply(std::span<const Index> variables, std::span<const double> by, const Moves& moves);

    /// One step of the multipliers; the penalty times the most that a sum lacks. Steps grow while a sum lacks
    /// the same way, because narrow bounds let it lack little, however far its multiplier has to go.
    double renew_multipliers();

    /// Of values with those of a vector, so far.
    std::int64_t products() const { return products_; }
    /// Of one step of every variable, about.
    std::int64_t products_of_a_pass() const {
        return 2 * (features_.row_offsets[features_.rows] + features_.rows);
    }

  private:
    Index row_length(Index row) const { return features_.row_offsets[row + 1] - features_.row_offsets[row]; }
    void count(Index row);

    const BoxProgram& program_;
    Control& control_;
    FeatureRows features_;
    std::vector<double> b_;
    std::vector<double> weights_;  // w
    std::array<double, 2> excess_{};
    std::array<double, 2> multipliers_{};
    std::array<double, 2> last_excess_{};
    std::array<double, 2> stride_{1, 1};  // in penalties
    double penalty_ = 1;
    std::int64_t products_ = 0;
    Index unpolled_ = 0;
};

}  // namespace dk

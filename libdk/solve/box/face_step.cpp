// SPDX-License-Identifier: Apache-2.0
// A face step moves the variables I that are inside their bounds, while the others stay. With the gradient g
// and the matrix H of second derivatives in these variables, conjugate gradients find a way d near to the
// minimum of
//
//     g'd + 1/2 d'Hd,
//
// They are preconditioned by the diagonal of H. Then b(a) = P(b + a d), with the projection P onto the box,
// is tried for a = 1, 1/2, 1/4, ... until the value falls enough.
//
//     symbol   code
//     -g       descent_
//     d        way
//     H p      box_.curve(inside_, p, ...)
//     p'Hp     2 moves.half_square
//
// Reference: More, Toraldo, On the solution of large quadratic programming problems with bound constraints,
// SIAM J. Optim. 1, 1991.
#include "solve/box/face_step.hpp"

#include <algorithm>

namespace dk {

namespace {

constexpr int most_gradient_steps = 20;
constexpr double enough = 0.01;              // Conjugate gradients end at this share of the squared residual.
constexpr double flat = 1e-14;               // A curvature below this share of the diagonal's is rounding.
constexpr double sufficient_decrease = 0.1;  // The value shall fall by this share of what the slope promises.
constexpr int halvings_of_a_face = 6;

class Face {
  public:
    Face(PenalisedBox& box, std::span<const Index> inside)
        : box_(box), inside_(inside), descent_(std::ssize(inside)), diagonal_(std::ssize(inside)) {
        for (Index i = 0; i < descent_.size(); ++i) {
            descent_[i] = -box.gradient(inside[i]);
            diagonal_[i] = box.curvature(inside[i]);
        }
    }

    double step() {
        search(conjugate_gradients());
        return gain_;
    }

  private:
    Vector conjugate_gradients() {
        Vector way = Vector::Zero(descent_.size());
        Vector residual = descent_;
        Vector direction = residual.cwiseQuotient(diagonal_);
        double size = residual.dot(direction);
        const double goal = enough * size;
        for (int step = 0; step < most_gradient_steps && size > goal; ++step) {
            const auto moves = box_.moves(inside_, direction);
            const double curvature = 2 * moves.half_square;
            if (!(curvature > flat * direction.cwiseAbs2().dot(diagonal_))) {
                // The value falls without end along this direction, so only the bounds limit the way.
                if (step == 0) way += direction / flat;
                break;
            }
            const double length = size / curvature;
            way += length * direction;
            residual -= length * box_.curve(inside_, direction, moves);
            const Vector scaled = residual.cwiseQuotient(diagonal_);
            const double next = residual.dot(scaled);
            direction = scaled + next / size * direction;
            size = next;
        }
        return way;
    }

    /// Halves the way until the value falls enough. If no half does, it goes up to the first bound at most,
    /// where the value certainly falls.
    void search(const Vector& way) {
        double length = 1;
        for (int halving = 0; halving < halvings_of_a_face; ++halving) {
            if (take(way, length, sufficient_decrease)) return;
            length *= 0.5;
        }
        take(way, std::min(1.0, first_bound(way)), 0);
    }

    /// Moves to P(b + length way) and gives true, provided that the value falls there by `least_share` of
    /// what the slope promises; otherwise nothing moves.
    bool take(const Vector& way, double length, double least_share) {
        Vector by(way.size());
        for (Index i = 0; i < way.size(); ++i) {
            const Index t = inside_[i];
            const double b = box_.value(t);
            by[i] = std::clamp(b + length * way[i], box_.lower(t), box_.upper(t)) - b;
        }
        const double slope = descent_.dot(by);
        const auto moves = box_.moves(inside_, by);
        gain_ = slope - moves.half_square;
        if (!(gain_ > 0 && gain_ >= least_share * slope)) {
            gain_ = 0;
            return false;
        }
        box_.apply(inside_, by, moves);
        return true;
    }

    /// Gives the length at which the first variable reaches a bound.
    double first_bound(const Vector& way) const {
        double length = 1 / flat;
        for (Index i = 0; i < way.size(); ++i) {
            const Index t = inside_[i];
            const double b = box_.value(t);
            if (way[i] > 0) length = std::min(length, (box_.upper(t) - b) / way[i]);
            if (way[i] < 0) length = std::min(length, (box_.lower(t) - b) / way[i]);
        }
        return length;
    }

    PenalisedBox& box_;
    std::span<const Index> inside_;
    Vector descent_;
    Vector diagonal_;  // the diagonal of H
    double gain_ = 0;
};

}  // namespace

double face_step(PenalisedBox& box, std::span<const Index> inside) {
    return inside.empty() ? 0 : Face(box, inside).step();
}

}  // namespace dk

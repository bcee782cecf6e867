// SPDX-License-Identifier: Apache-2.0
#include "solve/face_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/vectors.hpp"

namespace dk {

namespace {

constexpr int most_steps = 20;
constexpr double enough = 0.01;              // of the squared residual
constexpr double flat = 1e-14;               // curvature, relative to that of the single variables
constexpr double sufficient_decrease = 0.1;  // of what the slope promises
constexpr int most_halvings = 6;

using Values = std::vector<double>;

class Face {
  public:
    Face(PenalisedBox& box, std::span<const Index> inside)
        : box_(box), inside_(inside), descent_(inside.size()) {
        for (std::size_t i = 0; i < inside.size(); ++i) descent_[i] = -box.gradient(inside[i]);
    }

    double step() {
        search(conjugate_gradients());
        return gain_;
    }

  private:
    Values conjugate_gradients() {
        Values way(inside_.size());
        Values residual = descent_;
        Values scaled = preconditioned(residual);
        Values direction = scaled;
        Values product(inside_.size());
        double size = dot(residual, scaled);
        const double goal = enough * size;
        for (int step = 0; step < most_steps && size > goal; ++step) {
            const auto moves = box_.moves(inside_, direction);
            const double curvature = 2 * moves.half_square;
            if (!(curvature > flat * scale(direction))) {  // nothing but bounds ends this way
                if (step == 0) add_scaled(way, 1 / flat, direction);
                break;
            }
            box_.curve(inside_, direction, moves, product);
            const double length = size / curvature;
            add_scaled(way, length, direction);
            add_scaled(residual, -length, product);
            scaled = preconditioned(residual);
            const double next = dot(residual, scaled);
            for (std::size_t i = 0; i < direction.size(); ++i)
                direction[i] = scaled[i] + next / size * direction[i];
            size = next;
        }
        return way;
    }

    Values preconditioned(const Values& residual) const {
        Values out(residual.size());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = residual[i] / box_.curvature(inside_[i]);
        return out;
    }
    double scale(const Values& direction) const {
        double sum = 0;
        for (std::size_t i = 0; i < direction.size(); ++i)
            sum += box_.curvature(inside_[i]) * direction[i] * direction[i];
        return sum;
    }

    /// Half the way until the value falls enough; at last up to the first bound, where it certainly does.
    void search(const Values& way) {
        double length = 1;
        for (int halving = 0; halving < most_halvings; ++halving) {
            if (take(way, length, sufficient_decrease)) return;
            length *= 0.5;
        }
        take(way, std::min(1.0, first_bound(way)), 0);
    }

    bool take(const Values& way, double length, double least_share) {
        Values by(way.size());
        for (std::size_t i = 0; i < way.size(); ++i) {
            const Index t = inside_[i];
            const double b = box_.value(t);
            by[i] = std::clamp(b + length * way[i], box_.lower(t), box_.upper(t)) - b;
        }
        const double slope = dot(descent_, by);
        const auto moves = box_.moves(inside_, by);
        gain_ = slope - moves.half_square;
        if (!(gain_ > 0 && gain_ >= least_share * slope)) {
            gain_ = 0;
            return false;
        }
        box_.apply(inside_, by, moves);
        return true;
    }

    double first_bound(const Values& way) const {
        double length = 1 / flat;
        for (std::size_t i = 0; i < way.size(); ++i) {
            const double b = box_.value(inside_[i]);
            if (way[i] > 0) length = std::min(length, (box_.upper(inside_[i]) - b) / way[i]);
            if (way[i] < 0) length = std::min(length, (box_.lower(inside_[i]) - b) / way[i]);
        }
        return length;
    }

    PenalisedBox& box_;
    std::span<const Index> inside_;
    Values descent_;
    double gain_ = 0;
};

}  // namespace

double face_step(PenalisedBox& box, std::span<const Index> inside) {
    return inside.empty() ? 0 : Face(box, inside).step();
}

}  // namespace dk

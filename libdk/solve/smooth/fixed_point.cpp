// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing solves x = g(x). With the residuals f_i = g(x_i) - x_i of the last m + 1 steps, it solves
//
//     min over gamma of |f_k - sum_i gamma_i (f_k - f_i)|^2
//
// and goes on from x_k - sum_i gamma_i (x_k - x_i) + beta r, where r is the residual that this least-squares
// problem leaves.
//
//     paper      code
//     x_k, f_k   steps_.back().x, steps_.back().residual
//     beta_k     stretch_
//     m          most_ - 1
//
// Reference: Walker, Ni, Anderson acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49, 2011.
#include "solve/smooth/fixed_point.hpp"

#include <iterator>

namespace dk {

namespace {

/// A difference of residuals is rounding where less than this share of it is left after the differences
/// before it are taken out.
constexpr double least_new_part = 1e-8;

}  // namespace

void FixedPointMixing::add(std::span<const double> x, std::span<const double> g) {
    steps_.push_back({as_vector(x), as_vector(g) - as_vector(x)});
    if (std::ssize(steps_) > most_) steps_.pop_front();
}

/// Solves the least-squares problem by Gram and Schmidt: the differences of residuals, the newest first, are
/// made orthonormal, and the differences of points undergo the same operations.
std::vector<double> FixedPointMixing::next() const {
    const Step& last = steps_.back();
    Step mixed = last;
    const auto take_out = [](Step& from, const Step& direction) {
        const double part = direction.residual.dot(from.residual);
        from.x -= part * direction.x;
        from.residual -= part * direction.residual;
    };
    std::vector<Step> directions;
    for (Index older = std::ssize(steps_) - 2; older >= 0; --older) {
        Step change{last.x - steps_[older].x, last.residual - steps_[older].residual};
        const double whole = change.residual.norm();
        for (const Step& direction : directions) take_out(change, direction);
        const double length = change.residual.norm();
        if (length <= least_new_part * whole) continue;
        change.x /= length;
        change.residual /= length;
        take_out(mixed, change);
        directions.push_back(std::move(change));
    }
    const Vector point = mixed.x + (directions.empty() ? 1 : stretch_) * mixed.residual;
    return {point.begin(), point.end()};
}

void FixedPointMixing::restart() {
    steps_.erase(steps_.begin(), std::prev(steps_.end()));
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "solve/fixed_point.hpp"

#include <cmath>
#include <iterator>

#include "solve/vectors.hpp"

namespace dk {

namespace {

/// Less of a difference than this, after those before it are taken out, is rounding.
constexpr double least_new_part = 1e-8;

}  // namespace

void FixedPointMixing::add(std::span<const double> x, std::span<const double> g) {
    Step step{{x.begin(), x.end()}, {g.begin(), g.end()}};
    add_scaled(step.residual, -1, step.x);
    steps_.push_back(std::move(step));
    if (steps_.size() > most_) steps_.pop_front();
}

std::vector<double> FixedPointMixing::next() const {
    // Least squares by Gram and Schmidt, the newest differences first; what residuals undergo, x does too.
    Step mixed = steps_.back();
    std::vector<Step> directions;
    for (std::size_t older = steps_.size() - 1; older-- > 0;) {
        Step change = steps_.back();
        add_scaled(change.x, -1, steps_[older].x);
        add_scaled(change.residual, -1, steps_[older].residual);
        const double whole = std::sqrt(dot(change.residual, change.residual));
        for (const Step& direction : directions) {
            const double part = dot(direction.residual, change.residual);
            add_scaled(change.x, -part, direction.x);
            add_scaled(change.residual, -part, direction.residual);
        }
        const double length = std::sqrt(dot(change.residual, change.residual));
        if (length <= least_new_part * whole) continue;
        for (double& v : change.x) v /= length;
        for (double& v : change.residual) v /= length;
        const double part = dot(change.residual, mixed.residual);
        add_scaled(mixed.x, -part, change.x);
        add_scaled(mixed.residual, -part, change.residual);
        directions.push_back(std::move(change));
    }
    add_scaled(mixed.x, directions.empty() ? 1 : stretch_, mixed.residual);
    return mixed.x;
}

void FixedPointMixing::restart() {
    steps_.erase(steps_.begin(), std::prev(steps_.end()));
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// The limited-memory BFGS method minimises a smooth function with the gradient g along -H g, where H
// approximates the inverse Hessian. The two-loop recursion finds H g from the last steps s_i = x_{i+1} - x_i
// and changes y_i = g_{i+1} - g_i:
//
//     q = g;  from the newest pair to the oldest:  alpha_i = s_i'q / s_i'y_i,  q -= alpha_i y_i
//     r = (s'y / y'y of the newest pair) q
//     from the oldest pair to the newest:  r += (alpha_i - y_i'r / s_i'y_i) s_i
//     H g = r
//
//     paper    code
//     s_i      Pair::step
//     y_i      Pair::change
//     s_i'y_i  Pair::curvature
//     q and r  r
//
// Reference: Nocedal, Updating quasi-Newton matrices with limited storage, Math. Comp. 35, 1980.
#include "solve/smooth/lbfgs.hpp"

namespace dk {

void LimitedMemory::add(const ConstVectorRef& step, const ConstVectorRef& change) {
    const double curvature = step.dot(change);
    if (!(curvature > 1e-12 * change.squaredNorm())) return;
    pairs_.push_back({step, change, curvature});
    if (std::ssize(pairs_) > most_) pairs_.pop_front();
}

Vector LimitedMemory::direction(const ConstVectorRef& gradient) const {
    Vector r = gradient;
    Vector alpha(std::ssize(pairs_));
    for (Index i = alpha.size() - 1; i >= 0; --i) {
        const auto& [s, y, curvature] = pairs_[i];
        alpha[i] = s.dot(r) / curvature;
        r -= alpha[i] * y;
    }
    if (!pairs_.empty()) r *= pairs_.back().curvature / pairs_.back().change.squaredNorm();
    for (Index i = 0; i < alpha.size(); ++i) {
        const auto& [s, y, curvature] = pairs_[i];
        r += (alpha[i] - y.dot(r) / curvature) * s;
    }
    return -r;
}

}  // namespace dk

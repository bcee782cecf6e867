// SPDX-License-Identifier: Apache-2.0
// The maximum theta of F(x) = (b'x - rho / 2 |x|^2) / w'x is where the maximum of the parametric program
//
//     max over the simplex   (b - theta w)'x - rho / 2 |x|^2
//
// is zero. Its solution is the projection of (b - theta w) / rho onto the simplex; without rho it is a
// vertex. Dinkelbach's steps set theta to F of the last solution, and so rise to the maximum.
//
// W. Dinkelbach, On nonlinear fractional programming, Management Science 13, 1967.
#include "solve/smooth/trace_ratio.hpp"

#include "solve/smooth/simplex.hpp"

namespace dk {

TraceRatioSolution maximise_trace_ratio(const ConstVectorRef& b, const ConstVectorRef& w, double rho) {
    constexpr int most_steps = 200;
    constexpr double least_rise = 1e-12;
    const auto ratio = [&](const Vector& x) { return (b.dot(x) - rho / 2 * x.squaredNorm()) / w.dot(x); };
    TraceRatioSolution solution{.x = Vector::Constant(b.size(), 1.0 / static_cast<double>(b.size()))};
    solution.ratio = ratio(solution.x);
    solution.ratios = {solution.ratio};
    for (int step = 0; step < most_steps; ++step) {
        const Vector costs = solution.ratio * w - b;
        const std::vector<double> found =
            rho > 0 ? quadratic_simplex(as_span(costs), rho) : cheapest_vertex(as_span(costs));
        const Vector x = as_vector(found);
        const double reached = ratio(x);
        const double rise = reached - solution.ratio;
        if (!(rise > 0)) break;
        solution.x = x;
        solution.ratio = reached;
        solution.ratios.push_back(reached);
        if (rise < least_rise) break;
    }
    return solution;
}

}  // namespace dk

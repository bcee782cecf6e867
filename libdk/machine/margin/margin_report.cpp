// SPDX-License-Identifier: Apache-2.0
#include "machine/margin/margin_report.hpp"

#include <algorithm>
#include <cmath>

namespace dk {

void report_solution(Report& report, const BoxProgram& program, const SmoSolution& solution) {
    std::int64_t support = 0;
    std::int64_t bounded = 0;
    for (std::size_t t = 0; t < solution.beta.size(); ++t) {
        if (solution.beta[t] == 0) continue;
        ++support;
        const double bound = solution.beta[t] > 0 ? program.upper[t] : program.lower[t];
        if (solution.beta[t] == bound) ++bounded;
    }
    report.add("objective", solution.objective)
        .add("gap", solution.gap)
        .add("iterations", solution.iterations)
        .add("rounds", solution.rounds)
        .add("converged", solution.converged)
        .add("support_vectors", support)
        .add("bounded", bounded);
    if (solution.rough_search) report.add("search", std::string("single precision"));
}

void fill_start(std::vector<double>& start, std::span<const Index> variables, std::span<const double> bounds,
                double total) {
    double left = std::abs(total);
    for (const Index t : variables) {
        const double taken = std::min(left, std::abs(bounds[t]));
        start[t] = std::copysign(taken, total);
        left -= taken;
        if (left <= 0) return;
    }
}

SmoOptions smo_options(const Parameters& parameters) {
    return {.tolerance = parameters[parameter::tolerance],
            .max_iterations = parameters[parameter::max_iterations],
            .rough_search = parameters[parameter::precision] == parameter::PrecisionChoice::automatic};
}

}  // namespace dk

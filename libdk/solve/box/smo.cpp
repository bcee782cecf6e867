// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "solve/box/coordinate_start.hpp"
#include "solve/box/decomposition.hpp"
#include "solve/box/interior_point.hpp"
#include "solve/box/rough_search.hpp"

namespace dk {

namespace {

// Smaller programs are solved before descent has settled.
constexpr Index least_coordinates = 256;

/// Moves the start nearer to the optimum where the matrix has features, and gives the number of steps that
/// this took.
std::int64_t approach(BoxProgram& program, const SmoOptions& options, Control& control) {
    const FeatureRows features = program.gram.features();
    std::int64_t steps = 0;
    if (features.sparse() && program.size() >= least_coordinates) {
        const ProgressScope scope(control, 0, 0.5);
        const std::int64_t most = options.max_iterations > 0 ? options.max_iterations - 1
                                                             : std::numeric_limits<std::int64_t>::max();
        CoordinateStart found = coordinate_start(program, options.tolerance, most, control);
        program.start = std::move(found.beta);
        program.start_product = {};
        steps = found.steps;
        if (found.converged || steps == most) return steps;
    }
    const ProgressScope scope(control, 0.5, 1);
    if (auto start = interior_start(program, control)) {
        program.start = std::move(*start);
        program.start_product = {};
    }
    return steps;
}

}  // namespace

SmoSolution solve_smo(const BoxProgram& program, const SmoOptions& options, Control& control) {
    if (program.gram.features().values == nullptr) {
        if (auto solution = solve_roughly_first(program, options, control)) return std::move(*solution);
        return solve_by_decomposition(program, options, control);
    }
    BoxProgram near = program;
    std::int64_t steps = 0;
    {
        const ProgressScope scope(control, 0, 0.5);
        steps = approach(near, options, control);
    }
    const ProgressScope scope(control, 0.5, 1);
    SmoSolution solution = solve_by_decomposition(near, after(options, steps), control);
    solution.iterations += steps;
    return solution;
}

double smo_offset(const BoxProgram& program, const SmoSolution& solution, int group) {
    double free_sum = 0;
    double free_count = 0;
    double lowest = -infinity;
    double highest = infinity;
    for (Index t = 0; t < program.size(); ++t) {
        if (!program.in_second.empty() && program.in_second[t] != group) continue;
        const double value = solution.descent[t];
        const bool can_rise = solution.beta[t] < program.upper[t];
        const bool can_fall = solution.beta[t] > program.lower[t];
        if (can_rise && can_fall) {
            free_sum += value;
            free_count += 1;
        } else if (can_rise) {
            lowest = std::max(lowest, value);
        } else if (can_fall) {
            highest = std::min(highest, value);
        }  // A variable whose bounds are equal does not limit the offset.
    }
    if (free_count > 0) return free_sum / free_count;
    if (lowest == -infinity) return highest;
    if (highest == infinity) return lowest;
    return 0.5 * (lowest + highest);
}

}  // namespace dk

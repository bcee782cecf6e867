// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "solve/box/coordinate_start.hpp"
#include "solve/box/decomposition.hpp"
#include "solve/box/interior_point.hpp"

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

/// Leaves for what follows at least one of the iterations that are allowed, and as many as are left.
SmoOptions after(const SmoOptions& options, std::int64_t iterations) {
    SmoOptions rest = options;
    if (rest.max_iterations > 0)
        rest.max_iterations = std::max<std::int64_t>(1, rest.max_iterations - iterations);
    return rest;
}

/// Gives K b, with values that are computed for this product alone, so that they need no memory.
std::vector<double> passing_product(const BoxProgram& program, std::span<const double> b, Control& control) {
    std::vector<double> by_row(program.gram.size());
    for (Index t = 0; t < program.size(); ++t) by_row[program.row(t)] += b[t];
    std::vector<Index> all;
    std::vector<Index> used;
    std::vector<double> weights;
    for (Index i = 0; i < std::ssize(by_row); ++i) {
        all.push_back(i);
        if (by_row[i] == 0) continue;
        used.push_back(i);
        weights.push_back(by_row[i]);
    }
    std::vector<double> product(by_row.size());
    program.gram.add_product_at(all, used, weights, product, control);
    return product;
}

/// Solves the program with a rough copy of its matrix, and goes on from there with the matrix itself.
SmoSolution solve_roughly_first(const BoxProgram& program, std::unique_ptr<GramMatrix> rough,
                                const SmoOptions& options, Control& control) {
    BoxProgram near = program;
    SmoSolution found;
    {
        const ProgressScope scope(control, 0, 0.7);
        const BoxProgram search{.gram = *rough,
                                .rows = program.rows,
                                .linear = program.linear,
                                .lower = program.lower,
                                .upper = program.upper,
                                .ridge = program.ridge,
                                .start = program.start,
                                .in_second = program.in_second};
        found = solve_by_decomposition(search, options, control);
    }
    rough.reset();  // It makes room for rows of the matrix.
    near.start = std::move(found.beta);
    const ProgressScope scope(control, 0.7, 1);
    near.start_product = passing_product(near, near.start, control);
    SmoSolution solution = solve_by_decomposition(near, after(options, found.iterations), control);
    solution.iterations += found.iterations;
    solution.rounds += found.rounds;
    solution.rough_search = true;
    return solution;
}

}  // namespace

SmoSolution solve_smo(const BoxProgram& program, const SmoOptions& options, Control& control) {
    if (program.gram.features().values == nullptr) {
        if (auto rough = options.rough_search ? program.gram.rough_copy(control) : nullptr)
            return solve_roughly_first(program, std::move(rough), options, control);
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

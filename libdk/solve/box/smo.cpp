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

/// Leaves for what follows at least one of the iterations that are given, and as many as are left.
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

/// Tells whether the program stays bounded when K has the rounding of single precision, which can make it
/// indefinite: each variable has bounds or a ridge that outweighs the rounding.
bool is_bounded_roughly(const BoxProgram& program) {
    constexpr double single_rounding = std::numeric_limits<float>::epsilon();
    const double least_ridge = 1000 * single_rounding * std::ranges::max(program.gram.diagonal());
    for (Index t = 0; t < program.size(); ++t) {
        const bool bounds = std::isfinite(program.lower[t]) && std::isfinite(program.upper[t]);
        if (!bounds && (program.ridge.empty() || program.ridge[t] < least_ridge)) return false;
    }
    return true;
}

/// Gives the objective at b, for which K b is known.
double objective_at(const BoxProgram& program, std::span<const double> b, std::span<const double> product) {
    double objective = 0;
    for (Index t = 0; t < program.size(); ++t) {
        const double ridge = program.ridge.empty() ? 0 : program.ridge[t];
        objective += b[t] * (0.5 * (product[program.row(t)] + ridge * b[t]) + program.linear[t]);
    }
    return objective;
}

/// Solves the program with a rough copy of its matrix, and goes on from there with the matrix itself. What
/// was found is dropped where the objectives of both matrices differ, since it is then one of rounding.
SmoSolution solve_roughly_first(const BoxProgram& program, GramMatrix& rough, const SmoOptions& options,
                                Control& control) {
    constexpr double largest_difference = 0.01;
    const Index n = program.size();
    SmoOptions allowed = options;
    allowed.max_iterations = most_iterations(options, n);
    SmoOptions of_search = allowed;
    of_search.max_iterations = std::min<std::int64_t>(allowed.max_iterations, 10000 + 100 * n);
    BoxProgram near = program;
    SmoSolution found;
    {
        const ProgressScope scope(control, 0, 0.7);
        const BoxProgram search{.gram = rough,
                                .rows = program.rows,
                                .linear = program.linear,
                                .lower = program.lower,
                                .upper = program.upper,
                                .ridge = program.ridge,
                                .start = program.start,
                                .in_second = program.in_second};
        found = solve_by_decomposition(search, of_search, control);
    }
    const ProgressScope scope(control, 0.7, 1);
    std::vector<double> product = passing_product(program, found.beta, control);
    const double objective = objective_at(program, found.beta, product);
    const bool sound = std::abs(objective - found.objective) <= largest_difference * std::abs(objective);
    if (sound) {
        near.start = std::move(found.beta);
        near.start_product = std::move(product);
    }
    SmoSolution solution = solve_by_decomposition(near, after(allowed, found.iterations), control);
    solution.iterations += found.iterations;
    solution.rounds += found.rounds;
    solution.rough_search = sound;
    return solution;
}

}  // namespace

SmoSolution solve_smo(const BoxProgram& program, const SmoOptions& options, Control& control) {
    if (program.gram.features().values == nullptr) {
        const bool may_search = options.rough_search && is_bounded_roughly(program);
        if (GramMatrix* rough = may_search ? program.gram.rough_copy(control) : nullptr)
            return solve_roughly_first(program, *rough, options, control);
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

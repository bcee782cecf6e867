// SPDX-License-Identifier: Apache-2.0
// This file solves a box program (see box_program.hpp) by means of a rough copy R of its matrix K, whose
// values are of single precision, and certifies the solution by values of K:
//
//     b        = the solution with R
//     K b      at the rows that could decide, by K;   elsewhere R b stands for it
//     solve the program with K, from b
//     where a row could decide after all at which R b stands for K b:   solve it again, with K b at all rows
//
// A row decides where its variable is not zero, or could violate optimality. Most rows of a support
// vector machine do not: they lie on the right side, far from the margin. Where the rounding r of each row is
// known, such that |R_ij - K_ij| <= r_i + r_j, the products of a row are known to within
//
//     |(R b)_i - (K b)_i| <= sum_j |b_j| (r_i + r_j),
//
// and a row whose variable violates nothing for any value within these limits decides nothing. So the
// solution, its objective and its gap are those of K; the descent is so at the rows that could decide. Where
// the roundings are not known, all rows are computed by K.
//
//     letter     name
//     R, K       rough, program.gram
//     b          found.beta
//     r          GramMatrix::rounding_bounds()
#include "solve/box/rough_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "solve/box/decomposition.hpp"

namespace dk {

namespace {

/// What was found is dropped where the objectives of both matrices differ by this share, since it is then one
/// of rounding.
constexpr double largest_difference = 0.01;

/// A row is computed by K where its variable would be within so many tolerances of a violation, because it
/// may come nearer while K improves the solution.
constexpr double tolerances_of_distance = 4;

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

/// Gives the objective at b, for which K b is known where b is not zero.
double objective_at(const BoxProgram& program, std::span<const double> b, std::span<const double> product) {
    double objective = 0;
    for (Index t = 0; t < program.size(); ++t) {
        const double ridge = program.ridge.empty() ? 0 : program.ridge[t];
        objective += b[t] * (0.5 * (product[program.row(t)] + ridge * b[t]) + program.linear[t]);
    }
    return objective;
}

/// ProductsByBoth has K b at the rows that could decide, and R b with its rounding at the others.
class ProductsByBoth {
  public:
    ProductsByBoth(const BoxProgram& program, const SmoSolution& found, std::span<const double> roundings)
        : program_(program), products_(program.gram.size()), errors_(program.gram.size(), infinity) {
        for (Index t = 0; t < program.size(); ++t) {
            const double ridge = program.ridge.empty() ? 0 : program.ridge[t];
            products_[program.row(t)] = -(found.descent[t] + ridge * found.beta[t] + program.linear[t]);
        }
        if (roundings.empty()) return;
        double length = 0;   // sum_j |b_j|
        double rounded = 0;  // sum_j |b_j| r_j
        for (Index t = 0; t < program.size(); ++t) {
            length += std::abs(found.beta[t]);
            rounded += std::abs(found.beta[t]) * roundings[program.row(t)];
        }
        for (std::size_t i = 0; i < errors_.size(); ++i)
            errors_[i] = length * roundings[i] + rounded + found.drift;
    }

    const std::vector<double>& values() const { return products_; }

    /// Computes K b at the rows whose variables could decide within this distance.
    void compute_deciding(const SmoSolution& found, double distance, Control& control) {
        const auto rows = deciding_rows(found, distance);
        std::vector<double> by_row(products_.size());
        for (Index t = 0; t < program_.size(); ++t) by_row[program_.row(t)] += found.beta[t];
        std::vector<Index> used;
        std::vector<double> weights;
        for (Index i = 0; i < std::ssize(by_row); ++i) {
            if (by_row[i] == 0) continue;
            used.push_back(i);
            weights.push_back(by_row[i]);
        }
        for (const Index i : rows) products_[i] = errors_[i] = 0;
        any_exact_ = true;
        if (!rows.empty()) program_.gram.add_product_at(rows, used, weights, products_, control);
    }

    /// Tells whether a row where R b stands for K b could decide.
    bool in_doubt(const SmoSolution& solution) const { return !deciding_rows(solution, 0).empty(); }

  private:
    /// Limits are the largest descent of a variable that can rise and the smallest of one that can fall.
    struct Limits {
        double highest = -infinity;
        double lowest = infinity;
    };

    /// Gives the rows, ascending, that are not known exactly and whose variable is not zero, or could come
    /// within the distance of limiting what others may do.
    std::vector<Index> deciding_rows(const SmoSolution& solution, double distance) const {
        const auto limits = limits_of(solution);
        std::vector<Index> rows;
        for (Index t = 0; t < program_.size(); ++t) {
            const Index i = program_.row(t);
            if (errors_[i] == 0) continue;
            const double b = solution.beta[t];
            const double reach = 2 * errors_[i] + distance;  // twice, since limits may be of R too
            const Limits& limit = limits[program_.group(t)];
            const bool may_rise = b < program_.upper[t] && !(solution.descent[t] + reach < limit.highest);
            const bool may_fall = b > program_.lower[t] && !(solution.descent[t] - reach > limit.lowest);
            if (b != 0 || may_rise || may_fall) rows.push_back(i);
        }
        if (!std::ranges::is_sorted(rows)) std::ranges::sort(rows);
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        return rows;
    }

    /// Gives the limits that the rows give which are known exactly, or all rows where none is yet.
    std::array<Limits, 2> limits_of(const SmoSolution& solution) const {
        std::array<Limits, 2> limits;
        for (Index t = 0; t < program_.size(); ++t) {
            if (any_exact_ && errors_[program_.row(t)] != 0) continue;
            Limits& limit = limits[program_.group(t)];
            const double descent = solution.descent[t];
            const double b = solution.beta[t];
            limit.highest = std::max(limit.highest, b < program_.upper[t] ? descent : -infinity);
            limit.lowest = std::min(limit.lowest, b > program_.lower[t] ? descent : infinity);
        }
        return limits;
    }

    const BoxProgram& program_;
    std::vector<double> products_;
    std::vector<double> errors_;  // bounds of the error of each product; 0 where it is of K
    bool any_exact_ = false;      // whether any is of K
};

/// Solves the program with R in place of K.
SmoSolution search(const BoxProgram& program, GramMatrix& rough, SmoOptions options, Control& control) {
    options.max_iterations = std::min<std::int64_t>(options.max_iterations, 10000 + 100 * program.size());
    const BoxProgram near{.gram = rough,
                          .rows = program.rows,
                          .linear = program.linear,
                          .lower = program.lower,
                          .upper = program.upper,
                          .ridge = program.ridge,
                          .start = program.start,
                          .in_second = program.in_second};
    return solve_by_decomposition(near, options, control);
}

}  // namespace

std::optional<SmoSolution> solve_roughly_first(const BoxProgram& program, const SmoOptions& options,
                                               Control& control) {
    if (!options.rough_search || !is_bounded_roughly(program)) return std::nullopt;
    GramMatrix* rough = program.gram.rough_copy(control);
    if (rough == nullptr) return std::nullopt;
    SmoOptions allowed = options;
    allowed.max_iterations = most_iterations(options, program.size());
    SmoSolution found;
    {
        const ProgressScope scope(control, 0, 0.7);
        found = search(program, *rough, allowed, control);
    }
    const ProgressScope scope(control, 0.7, 1);
    ProductsByBoth products(program, found, rough->rounding_bounds());
    // What has not converged may still move far, and then any row could decide.
    const double distance = found.converged ? tolerances_of_distance * options.tolerance : infinity;
    products.compute_deciding(found, distance, control);
    const double objective = objective_at(program, found.beta, products.values());
    const bool sound = std::abs(objective - found.objective) <= largest_difference * std::abs(objective);
    BoxProgram near = program;
    if (sound) {
        near.start = found.beta;
        near.start_product = products.values();
    }
    SmoSolution solution = solve_by_decomposition(near, after(allowed, found.iterations), control);
    if (sound && products.in_doubt(solution)) {
        near.start = std::move(solution.beta);
        near.start_product = {};  // The solver computes it by K for all rows.
        const SmoSolution first = std::move(solution);
        solution = solve_by_decomposition(near, after(allowed, found.iterations + first.iterations), control);
        solution.iterations += first.iterations;
        solution.rounds += first.rounds;
    }
    solution.iterations += found.iterations;
    solution.rounds += found.rounds;
    solution.rough_search = sound;
    return solution;
}

}  // namespace dk

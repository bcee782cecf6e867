// SPDX-License-Identifier: Apache-2.0
#include "solve/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/select.hpp"
#include "solve/coordinate_start.hpp"
#include "solve/interior_point.hpp"
#include "solve/local_smo.hpp"
#include "solve/violation_progress.hpp"
#include "solve/working_set.hpp"

namespace dk {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = std::numeric_limits<double>::epsilon();

constexpr Index largest_working_set = 1024;

/// A working set is solved to this share of the violation it starts with.
constexpr double local_share = 0.1;
constexpr Index least_coordinates = 2048;  // smaller programs are one or two working sets

template <typename T>
class Decomposition {
  public:
    Decomposition(const BoxProgram& program, const SmoOptions& options, Control& control)
        : program_(program),
          options_(options),
          control_(control),
          n_(program.size()),
          progress_(options.tolerance) {
        limit_ = options.max_iterations > 0
                     ? options.max_iterations
                     : std::max<std::int64_t>(100000000, 1000 * static_cast<std::int64_t>(n_));
        solution_.beta = program.start;
        solution_.descent.resize(unsigned_of(n_));
        products_.resize(unsigned_of(program.gram.size()));
        const Index largest = std::max<Index>(2, program.gram.largest_block());
        set_size_ = std::min({n_, largest, largest_working_set});
        for (const double k : program.gram.diagonal()) largest_value_ = std::max(largest_value_, std::abs(k));
    }

    SmoSolution solve() {
        if (program_.start_product.empty()) {
            renew_products();
        } else {
            take_start_product();
        }
        WorkingSet set(program_, set_size_);
        double share = local_share;
        double best_gap = infinity;
        int idle_rounds = 0;
        while (true) {
            renew_descent();
            const double gap = set.observe(solution_.beta, solution_.descent);
            progress_.report(gap, control_);
            if (gap <= options_.tolerance) {
                // drift by rounding must not decide; the stop is believed for products computed anew
                if (drift_ <= 0.01 * options_.tolerance || renewals_ == most_renewals) break;
                renew_products();
                continue;
            }
            if (solution_.iterations >= limit_) break;
            idle_rounds = gap < 0.9 * best_gap ? 0 : idle_rounds + 1;
            best_gap = std::min(best_gap, gap);
            // sets that are solved roughly may pass the same violation on to each other; solve larger ones
            // better
            if (idle_rounds == 5) {
                idle_rounds = 0;
                share = std::max(0.1 * share, 1e-3);
                set.grow();
            }
            const double local_tolerance = std::max(share * gap, 0.5 * options_.tolerance);
            if (improve(set.choose(solution_.beta, solution_.descent), local_tolerance)) continue;
            if (drift_ == 0 || renewals_ == most_renewals) break;  // rounding leaves nothing to gain
            renew_products();
        }
        finish(set);
        return std::move(solution_);
    }

  private:
    static constexpr int most_renewals = 10;

    double& beta(Index t) { return solution_.beta[unsigned_of(t)]; }
    double ridge(Index t) const { return program_.ridge.empty() ? 0 : program_.ridge[unsigned_of(t)]; }

    /// K b from nothing.
    void renew_products() {
        std::vector<Index> rows;
        std::vector<double> weights;
        for (Index t = 0; t < n_; ++t) {
            if (beta(t) == 0) continue;
            rows.push_back(program_.row(t));
            weights.push_back(beta(t));
        }
        std::ranges::fill(products_, 0.0);
        drift_ = 0;
        ++renewals_;
        if (!rows.empty()) program_.gram.add_product(rows, weights, products_, control_);
    }

    void take_start_product() {
        products_ = program_.start_product;
        double length = 0;
        for (const double b : solution_.beta) length += std::abs(b);
        drift_ = rounding * length * largest_value_;
    }

    void renew_descent() {
        for (Index t = 0; t < n_; ++t) {
            solution_.descent[unsigned_of(t)] = -(products_[unsigned_of(program_.row(t))] +
                                                  ridge(t) * beta(t) + program_.linear[unsigned_of(t)]);
        }
    }

    /// Solves the program of some variables, the others held; false when nothing moved.
    bool improve(const std::vector<Index>& set, double tolerance) {
        LocalProgram<T> local;
        local.size = size_of(set);
        local.first_group = local.size;
        std::vector<Index> rows;
        for (const Index t : set) {
            if (program_.group(t) != 0) local.first_group = std::min(local.first_group, size_of(rows));
            rows.push_back(program_.row(t));
            local.curvature.push_back(program_.gram.diagonal()[unsigned_of(rows.back())] + ridge(t));
        }
        local.matrix = program_.gram.block(rows, storage_, control_);
        local.lower = select_values(program_.lower, set);
        local.upper = select_values(program_.upper, set);
        local.ridge = select_values(program_.ridge, set);
        local.beta = select_values(solution_.beta, set);
        local.descent = select_values(solution_.descent, set);
        const std::int64_t most = n_ == local.size ? limit_ : std::max<std::int64_t>(10000, 100 * local.size);
        const auto outcome =
            solve_local(local, tolerance, std::min(most, limit_ - solution_.iterations), control_);
        solution_.iterations += outcome.iterations;
        ++solution_.rounds;
        return apply(set, rows, local.beta);
    }

    bool apply(const std::vector<Index>& set, const std::vector<Index>& rows,
               std::span<const double> values) {
        std::vector<Index> moved;
        std::vector<double> moves;
        double length = 0;
        for (std::size_t s = 0; s < set.size(); ++s) {
            const double move = values[s] - beta(set[s]);
            if (move == 0) continue;
            beta(set[s]) = values[s];
            moved.push_back(rows[s]);
            moves.push_back(move);
            length += std::abs(move);
        }
        if (moved.empty()) return false;
        program_.gram.add_product(moved, moves, products_, control_);
        drift_ += rounding * length * largest_value_;
        return true;
    }

    void finish(WorkingSet& set) {
        for (Index t = 0; t < n_; ++t) {
            const double gradient = -solution_.descent[unsigned_of(t)];
            solution_.objective += 0.5 * beta(t) * (gradient + program_.linear[unsigned_of(t)]);
        }
        solution_.gap = set.observe(solution_.beta, solution_.descent);
        solution_.converged = solution_.gap <= options_.tolerance;
    }

    const BoxProgram& program_;
    const SmoOptions& options_;
    Control& control_;
    Index n_;
    Index set_size_ = 0;
    std::int64_t limit_ = 0;
    double largest_value_ = 0;
    double drift_ = 0;  // a bound on the rounding that updates have added to the products
    ViolationProgress progress_;
    int renewals_ = 0;
    std::vector<double> products_;  // K b, one a row
    LargeArray<T> storage_;
    SmoSolution solution_;
};

SmoSolution solve_by_decomposition(const BoxProgram& program, const SmoOptions& options, Control& control) {
    if (program.gram.single()) return Decomposition<float>(program, options, control).solve();
    return Decomposition<double>(program, options, control).solve();
}

/// Starts nearer to the optimum where the matrix has features; the steps that this took.
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
    if (program.gram.features().values == nullptr) return solve_by_decomposition(program, options, control);
    BoxProgram near = program;
    SmoOptions rest = options;
    std::int64_t steps = 0;
    {
        const ProgressScope scope(control, 0, 0.5);
        steps = approach(near, options, control);
    }
    if (rest.max_iterations > 0) rest.max_iterations -= steps;
    const ProgressScope scope(control, 0.5, 1);
    SmoSolution solution = solve_by_decomposition(near, rest, control);
    solution.iterations += steps;
    return solution;
}

double smo_offset(const BoxProgram& program, const SmoSolution& solution, int group) {
    double free_sum = 0;
    double free_count = 0;
    double lowest = -infinity;
    double highest = infinity;
    for (std::size_t t = 0; t < solution.beta.size(); ++t) {
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
        }  // a variable fixed by its bounds says nothing
    }
    if (free_count > 0) return free_sum / free_count;
    if (lowest == -infinity) return highest;
    if (highest == infinity) return lowest;
    return 0.5 * (lowest + highest);
}

}  // namespace dk

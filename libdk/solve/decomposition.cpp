// SPDX-License-Identifier: Apache-2.0
#include "solve/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/select.hpp"
#include "solve/active_program.hpp"
#include "solve/local_smo.hpp"
#include "solve/violation_progress.hpp"
#include "solve/working_set.hpp"

namespace dk {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = std::numeric_limits<double>::epsilon();

constexpr Index smallest_working_set = 64;
constexpr Index largest_working_set = 1024;

/// A working set is solved to this share of the violation it starts with.
constexpr double local_share = 0.1;

/// After so many rounds, variables that are not at a bound for good go on alone where they are this share of
/// all or less.
constexpr int rounds_between_shrinkings = 16;
constexpr double most_active = 0.5;

template <typename T>
class Decomposition {
  public:
    Decomposition(const BoxProgram& program, const SmoOptions& options, Index first_set_size,
                  ViolationProgress& progress, Control& control)
        : program_(program),
          options_(options),
          control_(control),
          progress_(progress),
          n_(program.size()),
          set_(program, first_set_size, largest_set(program)) {
        limit_ = options.max_iterations > 0
                     ? options.max_iterations
                     : std::max<std::int64_t>(100000000, 1000 * static_cast<std::int64_t>(n_));
        solution_.beta = program.start;
        solution_.descent.resize(unsigned_of(n_));
        for (const double k : program.gram.diagonal()) largest_value_ = std::max(largest_value_, std::abs(k));
    }

    SmoSolution solve() {
        if (program_.start_product.empty()) {
            renew_products();
        } else {
            take_start_product();
        }
        double share = local_share;
        double best_gap = infinity;
        int idle_rounds = 0;
        while (true) {
            renew_descent();
            const double gap = set_.observe(solution_.beta, solution_.descent);
            progress_.report(gap, control_);
            if (gap <= options_.tolerance) {
                // drift by rounding must not decide; the stop is believed for products computed anew
                if (drift_ <= 0.01 * options_.tolerance || renewals_ == most_renewals) break;
                renew_products();
                continue;
            }
            if (solution_.iterations >= limit_) break;
            if (--rounds_to_shrinking_ == 0 && solve_active()) continue;
            idle_rounds = gap < 0.9 * best_gap ? 0 : idle_rounds + 1;
            best_gap = std::min(best_gap, gap);
            // sets that are solved roughly may pass the same violation on to each other; solve larger ones
            // better
            if (idle_rounds == 5) {
                idle_rounds = 0;
                share = std::max(0.1 * share, 1e-3);
                set_.grow();
            }
            const double local_tolerance = std::max(share * gap, 0.5 * options_.tolerance);
            if (improve(set_.choose(solution_.beta, solution_.descent), local_tolerance)) continue;
            if (drift_ == 0 || renewals_ == most_renewals) break;  // rounding leaves nothing to gain
            renew_products();
        }
        finish();
        return std::move(solution_);
    }

  private:
    static constexpr int most_renewals = 10;

    static Index largest_set(const BoxProgram& program) {
        const Index block = std::max<Index>(2, program.gram.largest_block());
        return std::min({program.size(), block, largest_working_set});
    }

    double& beta(Index t) { return solution_.beta[unsigned_of(t)]; }
    double ridge(Index t) const { return program_.ridge.empty() ? 0 : program_.ridge[unsigned_of(t)]; }

    /// K b from nothing.
    void renew_products() {
        products_ = gram_product(program_, solution_.beta, control_);
        drift_ = 0;
        ++renewals_;
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

    /// Solves the program of the variables that still may move, where these are few; whether that was so.
    bool solve_active() {
        rounds_to_shrinking_ = rounds_between_shrinkings;
        auto variables = set_.active(solution_.beta, solution_.descent);
        if (static_cast<double>(variables.size()) > most_active * static_cast<double>(n_)) return false;
        const auto active =
            ActiveProgram::make(program_, std::move(variables), solution_.beta, products_, control_);
        if (!active) return false;
        SmoOptions rest = options_;
        rest.max_iterations = limit_ - solution_.iterations;
        Decomposition inner(active->program(), rest, set_.size(), progress_, control_);
        const SmoSolution found = inner.solve();
        solution_.iterations += found.iterations;
        solution_.rounds += found.rounds;
        const double length = active->take_over(found, solution_.beta, products_, control_);
        drift_ += inner.drift_ + rounding * length * largest_value_;
        return true;
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

    void finish() {
        for (Index t = 0; t < n_; ++t) {
            const double gradient = -solution_.descent[unsigned_of(t)];
            solution_.objective += 0.5 * beta(t) * (gradient + program_.linear[unsigned_of(t)]);
        }
        solution_.gap = set_.observe(solution_.beta, solution_.descent);
        solution_.converged = solution_.gap <= options_.tolerance;
    }

    const BoxProgram& program_;
    const SmoOptions& options_;
    Control& control_;
    ViolationProgress& progress_;
    Index n_;
    WorkingSet set_;
    int rounds_to_shrinking_ = rounds_between_shrinkings;
    std::int64_t limit_ = 0;
    double largest_value_ = 0;
    double drift_ = 0;  // a bound on the rounding that updates have added to the products
    int renewals_ = 0;
    std::vector<double> products_;  // K b, one a row
    LargeArray<T> storage_;
    SmoSolution solution_;
};

template <typename T>
SmoSolution solve_in(const BoxProgram& program, const SmoOptions& options, Control& control) {
    ViolationProgress progress(options.tolerance);
    return Decomposition<T>(program, options, smallest_working_set, progress, control).solve();
}

}  // namespace

SmoSolution solve_by_decomposition(const BoxProgram& program, const SmoOptions& options, Control& control) {
    if (program.gram.single()) return solve_in<float>(program, options, control);
    return solve_in<double>(program, options, control);
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// This file solves a box program (see box_program.hpp) by decomposition into working sets:
//
//     repeat   choose a working set B of variables that violate optimality, at most about a thousand,
//              solve the program over b_B with the others held, by sequential minimal optimisation,
//              K b += K_:B (change of b_B)
//     until    max {descent_t: b_t can rise} - min {descent_t: b_t can fall} <= tolerance in each group,
//              or this violation is no larger than the rounding of K b and no longer falls.
//
// The rows of a set are computed together, which is far cheaper than one by one. A program of few variables
// is one set, of which rows are computed some at a time, as sequential minimal optimisation needs them. After
// some rounds the variables that their bounds hold safely leave, and the program of the others, whose matrix
// is smaller, is solved to the end (shrinking). Then all variables are looked at again, because shrinking is
// a guess.
//
//     paper                            code
//     B                                the set that WorkingSet chooses
//     gradient of the dual objective   -solution_.descent
//     K b                              products_
//
// References: Joachims, Making large-scale SVM learning practical, in Advances in kernel methods, 1999; Fan,
// Chen, Lin, Working set selection using second order information for training support vector machines,
// JMLR 6, 2005.
#include "solve/box/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/select.hpp"
#include "solve/box/active_program.hpp"
#include "solve/box/local_smo.hpp"
#include "solve/box/violation_progress.hpp"
#include "solve/box/working_set.hpp"

namespace dk {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

constexpr Index smallest_working_set = 64;
constexpr Index largest_working_set = 1024;

/// A program of no more variables is one working set, whose rows are fetched as they are needed. A step looks
/// at all of them, which costs less than to choose sets and to gather their blocks.
constexpr Index solved_as_a_whole = 2048;

/// In single precision, the first round of a program that is one working set keeps its descent rough too,
/// unless the tolerance is a smaller share of it. Another round begins from products of double precision.
constexpr double rough_tolerance = 1e-5;

/// A working set is solved until its own violation is this share of the whole program's. More would be
/// wasted, since the other sets disturb it.
constexpr double local_share = 0.1;
constexpr double smallest_share = 1e-3;

/// Every so many rounds, the variables that are not at a bound for good go on alone, provided that they are
/// no more than this share of all.
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
          whole_(is_whole(program)),
          set_(program, whole_ ? n_ : first_set_size, whole_ ? n_ : largest_set(program)) {
        limit_ = most_iterations(options, n_);
        solution_.beta = program.start;
        solution_.descent.resize(n_);
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
                // Rounding of the updates must not decide, so a stop counts only when the products are exact
                // enough.
                if (drift_ <= 0.01 * options_.tolerance || renewals_ == most_renewals) break;
                renew_products();
                continue;
            }
            if (solution_.iterations >= limit_) break;
            if (--rounds_to_shrinking_ == 0 && solve_active(gap)) continue;
            idle_rounds = gap < 0.9 * best_gap ? 0 : idle_rounds + 1;
            best_gap = std::min(best_gap, gap);
            // Sets that are solved roughly may pass the same violation on to each other. Larger ones, solved
            // more exactly, end that.
            if (idle_rounds == 5) {
                const bool most_exact = whole_ || (set_.largest() && share <= smallest_share);
                idle_rounds = 0;
                if (most_exact && gap <= rounding_of_descent()) {
                    if (renewals_ == most_renewals) break;  // Only rounding could still be gained.
                    renew_products();
                    best_gap = infinity;
                    continue;
                }
                share = std::max(0.1 * share, smallest_share);
                set_.grow();
            }
            const double local_tolerance = std::max(whole_ ? 0 : share * gap, 0.5 * options_.tolerance);
            if (improve(set_.choose(solution_.beta, solution_.descent), local_tolerance)) continue;
            if (drift_ == 0 || renewals_ == most_renewals) break;  // Only rounding could still be gained.
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

    static bool is_whole(const BoxProgram& program) {
        return program.size() <= solved_as_a_whole && program.rows.empty() && program.groups() == 1 &&
               program.gram.keeps_rows();
    }

    double& beta(Index t) { return solution_.beta[t]; }
    double ridge(Index t) const { return program_.ridge.empty() ? 0 : program_.ridge[t]; }

    /// Computes K b anew, without the rounding of the updates.
    void renew_products() {
        products_ = gram_product(program_, solution_.beta, control_);
        drift_ = 0;
        ++renewals_;
    }

    void take_start_product() {
        products_ = program_.start_product;
        drift_ = rounding * as_vector(solution_.beta).lpNorm<1>() * largest_value_;
    }

    /// Estimates the rounding of an element of the descent, beside which a violation that is no larger cannot
    /// be told. By |k_ij| <= sqrt(k_ii k_jj) it is a bound where the matrix is positive semidefinite.
    double rounding_of_descent() const {
        double sum = 0;
        double added = 0;
        for (Index t = 0; t < n_; ++t) {
            const double value = program_.gram.diagonal()[program_.row(t)];
            sum += std::abs(solution_.beta[t]) * std::sqrt(std::abs(value));
            added = std::max(added, std::abs(program_.linear[t]) + std::abs(ridge(t) * solution_.beta[t]));
        }
        return rounding * (std::sqrt(largest_value_) * sum + added);
    }

    void renew_descent() {
        for (Index t = 0; t < n_; ++t) {
            solution_.descent[t] = -(products_[program_.row(t)] + ridge(t) * beta(t) + program_.linear[t]);
        }
    }

    /// Solves the program of a working set while the other variables are held. Gives false when nothing
    /// moved.
    bool improve(const std::vector<Index>& set, double tolerance) {
        std::vector<Index> rows;
        rows.reserve(set.size());
        for (const Index t : set) rows.push_back(program_.row(t));
        LocalProgram<T> local;
        local.size = std::ssize(set);
        local.first_group = std::ranges::count_if(set, [&](Index t) { return program_.group(t) == 0; });
        if (whole_) {
            local.rows.assign(n_, nullptr);
            local.fetch = [&](std::span<const Index> wanted, std::span<const T*> out) {
                program_.gram.whole_rows(wanted, out, control_);
            };
        } else {
            local.rows = rows_of(program_.gram.block(rows, storage_, control_), local.size);
        }
        local.curvature = ConstVectorView(program_.gram.diagonal().data(), program_.gram.size())(rows);
        if (!program_.ridge.empty()) {
            local.ridge = as_vector(program_.ridge)(set);
            local.curvature += local.ridge;
        }
        local.lower = as_vector(program_.lower)(set);
        local.upper = as_vector(program_.upper)(set);
        local.beta = as_vector(solution_.beta)(set);
        local.descent = as_vector(solution_.descent)(set);
        // A set that is the whole program ends too, so that it is seen when steps only move rounding about.
        const std::int64_t longer = n_ == local.size ? 10 : 1;
        std::int64_t most = longer * std::max<std::int64_t>(10000, 100 * local.size);
        local.rough_descent = whole_ && program_.gram.single() && solution_.rounds == 0 &&
                              tolerance >= rough_tolerance * local.descent.cwiseAbs().maxCoeff();
        if (local.rough_descent) most = std::min<std::int64_t>(most, 5000 + 50 * n_);
        const auto outcome =
            solve_local(local, tolerance, std::min(most, limit_ - solution_.iterations),
                        [&](double gap) { whole_ ? progress_.report(gap, control_) : control_.check(); });
        solution_.iterations += outcome.iterations;
        ++solution_.rounds;
        return apply(set, rows, local.beta);
    }

    /// Solves the program of the variables that are not at a bound for good. Gives false, and does nothing,
    /// where they are too many, where a smaller matrix would be no cheaper, or where this violation is
    /// rounding.
    bool solve_active(double gap) {
        rounds_to_shrinking_ = rounds_between_shrinkings;
        if (gap <= rounding_of_descent()) return false;
        auto variables = set_.active(solution_.beta, solution_.descent);
        if (std::ssize(variables) > most_active * n_) return false;
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

    /// Moves the set's variables to these values and updates K b. Gives false when nothing moved.
    bool apply(const std::vector<Index>& set, const std::vector<Index>& rows, const Vector& values) {
        std::vector<Index> moved;
        std::vector<double> moves;
        double length = 0;
        for (Index s = 0; s < std::ssize(set); ++s) {
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
        // K b is taken from the products, because the descent may have a linear term beside which it drowns.
        double squared_length = 0;
        for (Index t = 0; t < n_; ++t) {
            const double gradient = -solution_.descent[t];
            solution_.objective += 0.5 * beta(t) * (gradient + program_.linear[t]);
            if (beta(t) != 0) squared_length += beta(t) * products_[program_.row(t)];
        }
        solution_.length = std::sqrt(squared_length < 0 ? 0 : squared_length);
        solution_.gap = set_.observe(solution_.beta, solution_.descent);
        solution_.converged = solution_.gap <= options_.tolerance;
        solution_.drift = drift_;
    }

    const BoxProgram& program_;
    const SmoOptions& options_;
    Control& control_;
    ViolationProgress& progress_;
    Index n_;
    bool whole_;  // whether all variables are one working set
    WorkingSet set_;
    int rounds_to_shrinking_ = rounds_between_shrinkings;
    std::int64_t limit_ = 0;
    double largest_value_ = 0;
    double drift_ = 0;  // a bound on the rounding that updates have added to the products
    int renewals_ = 0;
    std::vector<double> products_;  // K b, with an element for each row
    BlockStorage<T> storage_;
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

// SPDX-License-Identifier: Apache-2.0
// Dual coordinate descent solves the program of PenalisedBox,
//
//     min f(b)   subject to   lower <= b <= upper,
//
// in passes over the variables in random order. A step sets b_t to the minimum of f in this one variable,
// P(b_t - g_t / H_tt), with the gradient g_t, the second derivative H_tt and the projection P onto the
// bounds. Shrinking saves steps: a variable at a bound leaves the passes while its gradient pushes it further
// out than any gradient of the last pass violated optimality.
//
// Descent soon finds which variables are inside their bounds, but takes long for their values where features
// are correlated. So conjugate gradients on the face of the box (`face_step`) take turns with it, as often as
// they pay.
//
//     paper              code
//     alpha_i y_i        box_.value(t)
//     w                  kept by PenalisedBox
//     G, Q_ii            box_.gradient(t), box_.curvature(t)
//     M-bar, m-bar       last_[group].highest, last_[group].lowest
//
// Reference: Hsieh, Chang, Lin, Keerthi, Sundararajan, A dual coordinate descent method for large-scale
// linear SVM, ICML 2008.
#include "solve/box/coordinate_start.hpp"

#include <algorithm>
#include <array>

#include "base/random.hpp"
#include "solve/box/face_step.hpp"
#include "solve/box/interior_point.hpp"
#include "solve/box/penalised_box.hpp"
#include "solve/box/violation_progress.hpp"

namespace dk {

namespace {

constexpr std::uint64_t seed = 1;  // A fixed seed makes every call take the same steps.
constexpr std::int64_t most_passes = 1000;
/// Descent may cost as much as this many products F'WF of the features. An interior point method needs one of
/// them a step, and would end before a descent that needs more.
constexpr std::int64_t most_interior_squares = 20;

/// Turns decides when conjugate gradients have a turn, and measures the wait in products. The wait doubles
/// when they gained next to nothing beside what descent gains for as much work, and halves when they gained
/// more. The share that counts as nothing is small, because near the optimum even a small gain may be one
/// that descent cannot make.
class Turns {
  public:
    bool due(std::int64_t passes, const PenalisedBox& box) const {
        return passes >= first && box.products() >= next_;
    }
    void taken(const PenalisedBox& box, double gain, double cost, double rate_of_descent) {
        const bool pays = gain >= least_share * rate_of_descent * cost;
        wait_ = pays ? std::clamp(0.5 * wait_, 0.2 * cost, 2 * cost) : std::max(2 * wait_, 4 * cost);
        next_ = box.products() + wait_;
    }

  private:
    // The first pass that a turn may follow. By then most bounds are settled, and descent that needs no help
    // has ended.
    static constexpr std::int64_t first = 30;
    static constexpr double least_share = 0.01;

    double wait_ = 0;  // products until the next turn
    double next_ = 0;
};

class CoordinateDescent {
  public:
    CoordinateDescent(const BoxProgram& program, double tolerance, std::int64_t most_steps, Control& control)
        : program_(program),
          control_(control),
          tolerance_(tolerance),
          most_steps_(most_steps),
          box_(program, control),
          progress_(tolerance) {
        for (Index t = 0; t < program.size(); ++t) {
            if (box_.lower(t) < box_.upper(t)) movable_.push_back(t);
        }
    }

    CoordinateStart solve() {
        const std::int64_t most_products = budget();
        box_.begin_multipliers();
        renew_active();
        Turns turns;
        for (std::int64_t passes = 1; box_.products() < most_products && !stopped(); ++passes) {
            const std::int64_t before = box_.products();
            const double violation = pass();
            const double missing = box_.renew_multipliers();
            progress_.report(std::max(violation, missing), control_);
            if (violation <= 0.5 * tolerance_ && missing <= 0.1 * tolerance_) {
                outcome_.converged = all_active_ && !stopped();
                if (outcome_.converged) break;
                renew_active();
            } else if (turns.due(passes, box_)) {
                take_turn(turns, gain_ / (box_.products() - before));
            }
        }
        outcome_.beta.assign(box_.values().begin(), box_.values().end());
        restore_sums(program_, outcome_.beta);
        return std::move(outcome_);
    }

  private:
    /// An Extent has the extremes of the projected gradients that a pass has seen in a group.
    struct Extent {
        double highest = 0;
        double lowest = 0;
    };
    static constexpr Extent unlimited{infinity, -infinity};

    bool stopped() const { return outcome_.steps >= most_steps_; }

    /// Gives the number of products after which descent gives up.
    std::int64_t budget() const {
        const FeatureRows features = program_.gram.features();
        // The whole matrix, with which decomposition solves a small program, costs its size over four in
        // passes.
        const std::int64_t most_useful =
            std::min(most_passes, std::max<std::int64_t>(program_.size() / 4, 1));
        std::int64_t most = most_useful * box_.products_of_a_pass();
        if (interior_point_suits(features))
            most = std::min(most, most_interior_squares * sparse_square_products(features));
        return most;
    }

    void renew_active() {
        active_ = movable_;
        all_active_ = true;
        last_.fill(unlimited);
    }

    /// Takes one step of every active variable, drops those that their bounds hold safely, and gives the
    /// largest violation of optimality that it saw.
    double pass() {
        random_.shuffle(std::span(active_));
        gain_ = 0;
        std::array<Extent, 2> seen{};
        Index kept = 0;
        for (Index i = 0; i < std::ssize(active_); ++i) {
            if (i + 2 < std::ssize(active_)) box_.prefetch(active_[i + 2]);
            const Index t = active_[i];
            const double gradient = box_.gradient(t);
            const double b = box_.value(t);
            Extent& extent = seen[program_.group(t)];
            const Extent& last = last_[program_.group(t)];
            if (b == box_.lower(t) ? gradient > last.highest : b == box_.upper(t) && gradient < last.lowest)
                continue;
            active_[kept++] = t;
            if (b > box_.lower(t)) extent.highest = std::max(extent.highest, gradient);
            if (b < box_.upper(t)) extent.lowest = std::min(extent.lowest, gradient);
            step(t, gradient);
        }
        all_active_ = all_active_ && kept == std::ssize(active_);
        active_.resize(kept);
        double violation = 0;
        for (std::size_t g = 0; g < seen.size(); ++g) {
            violation = std::max(violation, seen[g].highest - seen[g].lowest);
            last_[g] = {seen[g].highest > 0 ? seen[g].highest : infinity,
                        seen[g].lowest < 0 ? seen[g].lowest : -infinity};
        }
        return violation;
    }

    void step(Index t, double gradient) {
        const double b = box_.value(t);
        const double curvature = box_.curvature(t);
        const double moved = std::clamp(b - gradient / curvature, box_.lower(t), box_.upper(t));
        if (moved == b || stopped()) return;
        gain_ -= (moved - b) * (gradient + 0.5 * curvature * (moved - b));
        box_.move_to(t, moved);
        ++outcome_.steps;
    }

    /// Lets conjugate gradients improve the variables that are inside their bounds.
    void take_turn(Turns& turns, double rate_of_descent) {
        std::vector<Index> inside;
        for (const Index t : active_) {
            if (box_.value(t) > box_.lower(t) && box_.value(t) < box_.upper(t)) inside.push_back(t);
        }
        std::ranges::sort(inside);  // Rows are read faster in the order in which they are stored.
        const std::int64_t before = box_.products();
        const double gain = face_step(box_, inside);
        turns.taken(box_, gain, box_.products() - before, rate_of_descent);
        last_.fill(unlimited);
    }

    const BoxProgram& program_;
    Control& control_;
    double tolerance_;
    std::int64_t most_steps_;
    PenalisedBox box_;
    std::vector<Index> movable_;
    std::vector<Index> active_;
    bool all_active_ = true;
    std::array<Extent, 2> last_{};
    double gain_ = 0;  // by how much the last pass lowered f
    ViolationProgress progress_;
    Random random_{seed};
    CoordinateStart outcome_;
};

}  // namespace

CoordinateStart coordinate_start(const BoxProgram& program, double tolerance, std::int64_t most_steps,
                                 Control& control) {
    return CoordinateDescent(program, tolerance, most_steps, control).solve();
}

}  // namespace dk

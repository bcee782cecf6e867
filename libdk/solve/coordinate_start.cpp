// SPDX-License-Identifier: Apache-2.0
#include "solve/coordinate_start.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/random.hpp"
#include "solve/face_step.hpp"
#include "solve/interior_point.hpp"
#include "solve/penalised_box.hpp"
#include "solve/violation_progress.hpp"

namespace dk {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t seed = 1;  // of the order of steps, which is part of the method
constexpr std::int64_t most_passes = 1000;
constexpr std::int64_t most_interior_squares =
    20;  // of the features, which an interior point step needs one of

/// When conjugate gradients shall have a turn, in products of the features: later and later where they gain
/// nothing beside what coordinate descent gains for as much work, and soon again where they do. Near the
/// optimum their gain may be small and of the kind that coordinate descent lacks.
class Turns {
  public:
    bool due(std::int64_t passes, const PenalisedBox& box) const {
        return passes >= first && box.products() >= next_;
    }
    void taken(const PenalisedBox& box, double gain, double cost, double rate_of_descent) {
        const bool pays = gain >= least_share * rate_of_descent * cost;
        wait_ = pays ? std::clamp(0.5 * wait_, 0.2 * cost, 2 * cost) : std::max(2 * wait_, 4 * cost);
        next_ = box.products() + static_cast<std::int64_t>(wait_);
    }

  private:
    static constexpr std::int64_t first = 11;  // pass, when many bounds are settled
    static constexpr double least_share = 0.01;

    double wait_ = 0;
    std::int64_t next_ = 0;
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
                take_turn(turns, gain_ / static_cast<double>(box_.products() - before));
            }
        }
        outcome_.beta.assign(box_.values().begin(), box_.values().end());
        restore_sums(program_, outcome_.beta);
        return std::move(outcome_);
    }

  private:
    /// The projected gradient's extremes among the variables of a pass.
    struct Extent {
        double highest = 0;
        double lowest = 0;
    };
    static constexpr Extent unlimited{infinity, -infinity};

    bool stopped() const { return outcome_.steps >= most_steps_; }

    std::int64_t budget() const {
        const FeatureRows features = program_.gram.features();
        std::int64_t most = most_passes * box_.products_of_a_pass();
        if (interior_point_suits(features))
            most = std::min(most, most_interior_squares * sparse_square_products(features));
        return most;
    }

    void renew_active() {
        active_ = movable_;
        all_active_ = true;
        last_.fill(unlimited);
    }

    /// One step of every active variable; those that their bound holds against more than the last pass saw
    /// violated leave. The violation that it saw.
    double pass() {
        random_.shuffle(std::span(active_));
        gain_ = 0;
        std::array<Extent, 2> seen{};
        std::size_t kept = 0;
        for (std::size_t i = 0; i < active_.size(); ++i) {
            if (i + 2 < active_.size()) box_.prefetch(active_[i + 2]);
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
        all_active_ = all_active_ && kept == active_.size();
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

    /// Conjugate gradients on the variables that are inside their bounds.
    void take_turn(Turns& turns, double rate_of_descent) {
        std::vector<Index> inside;
        for (const Index t : active_) {
            if (box_.value(t) > box_.lower(t) && box_.value(t) < box_.upper(t)) inside.push_back(t);
        }
        std::ranges::sort(inside);  // rows in the order in which they are stored
        const std::int64_t before = box_.products();
        const double gain = face_step(box_, inside);
        turns.taken(box_, gain, static_cast<double>(box_.products() - before), rate_of_descent);
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
    double gain_ = 0;  // of the last pass
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

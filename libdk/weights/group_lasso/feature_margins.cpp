// SPDX-License-Identifier: Apache-2.0
// Kernels with features, k_k(x, z) = phi_k(x).phi_k(z), make the program of group_lasso.cpp one of few
// variables, however many rows there are. With squared slack it is, after mu has been left out by its closed
// form (1),
//
//     min over w, b of   P = R(w) + 1/2 sum_i C_i max(0, 1 - y_i f_i)^2,   f_i = sum_k w_k.phi_k(x_i) + b,
//     R(w) = 1/2 (sum_k |w_k|^(2p / (1 + p)))^((1 + p) / p) = min over mu of 1/2 sum_k |w_k|^2 / mu_k.
//
// Newton's method of finite steps: the slack of the rows A that have some, y_i f_i < 1, is a sum of squares,
//
//     (a)   1/2 sum over A of C_i (y_i - f_i)^2 = 1/2 (s - 2 u'r + u'G u),   G = Phi' D Phi,  r = Phi' D y,
//
// with D the costs of A, Phi the rows' features and a column of ones, u = (w, b) and s the sum of D. One pass
// over the rows gives G and r. Then R(w) plus (a) is a program of group_lasso.cpp, whose machines are ridge
// regressions in as many variables as there are features, which cost nothing beside the pass. Its solution is
// the next point, or the first point on the way there, halved each time, that lowers P; b is always the best
// for its w. The method ends at the optimum when A does not change any more.
//
// Since b is the best, v_i = C_i y_i max(0, 1 - y_i f_i) sums to 0, so that v is feasible in the dual, and
//
//     (b)   dual = sum_i y_i v_i - 1/2 sum_i v_i^2 / C_i - 1/2 |S|_q,   S_k = |Phi_k' v|^2,
//
// certifies the point from the same pass. Many rows begin with the solution of a few of them. Phi are often
// combinations of raw features (feature_map.hpp), and are computed for the rows with slack alone: values f of
// all rows come from raw ones. G of raw features would be faster still, but W' G W loses its small
// eigenvalues.
//
//     letters       code
//     w, b          FeatureMargin::w, FeatureMargin::offset
//     f - b         FeatureMargin::values
//     y, C          FeatureMargin::rows.signs, FeatureMargin::rows.costs
//     G, r, s       SlackSquares
//     mu, |w_k|     weights_, norms()
//
// O. Mangasarian, A finite Newton method for classification problems, Optimization Methods and Software 17,
// 2002; O. Chapelle, Training a support vector machine in the primal, Neural Computation 19, 2007.
#include "weights/group_lasso/feature_margins.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/lowrank/feature_stream.hpp"
#include "weights/group_lasso/slack_machines.hpp"

namespace dk {

namespace {

/// The function of one machine at the present point.
struct FeatureMargin {
    MarginRows rows;
    Vector w = {};
    std::vector<double> values = {};
    double offset = 0;
    double slack = 0;  // 1/2 sum_i C_i max(0, 1 - y_i f_i)^2
};

/// Sums over the rows with slack.
struct SlackSums {
    double slope = 0;  // of the slack's cost in the offset
    double curvature = 0;
    double cost = 0;
};

SlackSums slack_sums(const MarginRows& rows, std::span<const double> values, double offset) {
    SlackSums sums;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double slack = 1 - rows.signs[i] * (values[i] + offset);
        if (!(slack > 0)) continue;
        sums.slope -= rows.costs[i] * rows.signs[i] * slack;
        sums.curvature += rows.costs[i];
        sums.cost += 0.5 * rows.costs[i] * slack * slack;
    }
    return sums;
}

/// Finds the best offset, where the slope of the slack vanishes: by Newton's steps in the bracket that the
/// signs of slopes leave.
void find_offset(FeatureMargin& margin, Control& control) {
    double low = -infinity;
    double high = infinity;
    constexpr int most_steps = 200;
    for (int step = 0; step < most_steps; ++step) {
        control.check();
        const SlackSums sums = slack_sums(margin.rows, margin.values, margin.offset);
        margin.slack = sums.cost;
        if (sums.slope == 0) return;
        (sums.slope < 0 ? low : high) = margin.offset;
        double next = margin.offset - sums.slope / sums.curvature;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (!(next > low && next < high) || next == margin.offset) return;
        margin.offset = next;
    }
}

class FeatureMargins {
  public:
    FeatureMargins(const Bank& bank, const Dataset& data, std::vector<MarginRows> rows,
                   const GroupLassoOptions& options, Control& control)
        : data_(data), control_(control), options_(options), features_(bank), weights_(options.start) {
        for (MarginRows& own : rows) {
            margins_.push_back({.rows = std::move(own)});
            margins_.back().w = Vector::Zero(features_.dimension());
            margins_.back().values.assign(data_.rows(), 0.0);
        }
    }

    /// Begins with functions that other rows have.
    void begin_with(const Matrix& w, const Vector& weights) {
        weights_ = weights;
        move_to(w, values_of(w), 1);
    }

    GroupLassoSolution run() {
        for (FeatureMargin& margin : margins_) find_offset(margin, control_);
        std::int64_t steps = 0;
        bool converged = false;
        while (true) {
            const ProgressScope scope(control_, 1 - std::pow(0.8, steps), 1);
            SlackMachines machines = note_certificate();
            converged = gaps_.back() <= options_.gap;
            if (converged || steps >= options_.most_turns || !take_step(machines)) break;
            ++steps;
        }
        const Vector lengths = norms(functions());
        return {.weights = closed_form_weights(lengths, options_.norm),
                .norms = lengths,
                .objectives = objectives_,
                .gaps = gaps_,
                .turns = steps,
                .converged = converged};
    }

    Matrix functions() const {
        Matrix w(features_.dimension(), std::ssize(margins_));
        for (Index m = 0; m < w.cols(); ++m) w.col(m) = margins_[m].w;
        return w;
    }

    /// Gives v and the offset of the only machine.
    FeatureMarginSolution dual_solution() const {
        const FeatureMargin& margin = margins_.front();
        FeatureMarginSolution solution{.v = std::vector<double>(margin.values.size()),
                                       .offset = margin.offset};
        for (std::size_t i = 0; i < solution.v.size(); ++i) {
            const double sign = margin.rows.signs[i];
            const double slack = std::max(0.0, 1 - sign * (margin.values[i] + margin.offset));
            solution.v[i] = margin.rows.costs[i] * sign * slack;
        }
        return solution;
    }

  private:
    Vector norms(const Matrix& w) const { return features_.squares_of_kernels(w).cwiseSqrt(); }

    /// Computes R.
    double regulariser(const Matrix& w) const {
        const double p = options_.norm;
        const double sum = norms(w).array().pow(2 * p / (1 + p)).sum();
        return 0.5 * std::pow(sum, (1 + p) / p);
    }

    double objective() const {
        double sum = regulariser(functions());
        for (const FeatureMargin& margin : margins_) sum += margin.slack;
        return sum;
    }

    /// Computes Phi w, rows x machines.
    Matrix values_of(const Matrix& w) const {
        const Matrix raw = features_.map().to_raw(w, control_);
        Matrix values(data_.rows(), w.cols());
        const auto multiply_some = [&](Index first, const ConstMatrixView& features) {
            multiply(features, raw, values.middleRows(first, features.rows()), Into::assign, control_);
        };
        features_.read_raw(data_, multiply_some, control_);
        return values;
    }

    /// Passes over the rows for G and r of each machine, notes the objective and (b), and gives the machines
    /// of the next step.
    SlackMachines note_certificate() {
        std::vector<SlackSquares> squares(margins_.size(), SlackSquares(features_.dimension()));
        const auto add_some = [&](Index first, const ConstMatrixView& features) {
            for (std::size_t m = 0; m < margins_.size(); ++m)
                add_slack(squares[m], margins_[m], first, features);
        };
        features_.read_raw(data_, add_some, control_);
        Matrix gradients = functions();
        double linear = 0;
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            const FeatureMargin& margin = margins_[m];
            SlackSquares& own = squares[m];
            const auto column = static_cast<Index>(m);
            gradients.col(column) = own.gradient;
            linear += own.duals - margin.slack;
            own.centre();
        }
        const double dual = linear - 0.5 * dual_norm(features_.squares_of_kernels(gradients), options_.norm);
        objectives_.push_back(objective());
        const double best = objectives_.back();
        if (!std::isfinite(best) || !std::isfinite(dual))
            fail(Status::numerical, "features of the kernels overflow; scale the data");
        gaps_.push_back(best > 0 ? (best - dual) / best : 0);
        return {features_, std::move(squares), control_};
    }

    /// Adds the rows with slack among some rows.
    void add_slack(SlackSquares& squares, const FeatureMargin& margin, Index first,
                   const ConstMatrixView& features) const {
        std::vector<Index> with_slack;
        std::vector<double> signs;
        std::vector<double> costs;
        std::vector<double> slacks;
        for (Index r = 0; r < features.rows(); ++r) {
            const Index i = first + r;
            const double sign = margin.rows.signs[i];
            const double slack = 1 - sign * (margin.values[i] + margin.offset);
            if (!(slack > 0)) continue;
            with_slack.push_back(r);
            signs.push_back(sign);
            costs.push_back(margin.rows.costs[i]);
            slacks.push_back(slack);
        }
        const Index count = std::ssize(with_slack);
        Matrix gathered(count, features.cols());
        const ProgressHold hold(control_);
        parallel_for_rows(count, features.cols(), control_,
                          [&](Index r) { gathered.row(r) = features.row(with_slack[r]); });
        squares.add(features_.map().combined(gathered, control_), signs, costs, slacks, control_);
    }

    /// Takes one step of Newton's method; false where rounding leaves nothing to gain.
    bool take_step(SlackMachines& machines) {
        GroupLassoOptions inner = options_;
        inner.gap = 0.1 * std::min(gaps_.back(), 0.1);
        inner.most_turns = 200;
        // A weight that has vanished may be needed again.
        constexpr double least_share = 1e-4;
        inner.start = weights_.cwiseMax(least_share * weights_.maxCoeff());
        const GroupLassoSolution found = solve_group_lasso(machines, inner, control_);
        machines.solve(found.weights, 0);
        weights_ = found.weights;
        const Matrix next = machines.functions();
        const Matrix values = values_of(next);
        const auto before = margins_;
        const double present = objectives_.back();
        constexpr int most_halvings = 20;
        for (int halvings = 0; halvings < most_halvings; ++halvings) {
            margins_ = before;
            move_to(next, values, std::ldexp(1.0, -halvings));
            if (objective() < present) return true;
        }
        margins_ = before;
        return false;
    }

    /// Goes so far of the way to other functions.
    void move_to(const Matrix& w, const Matrix& values, double step) {
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            FeatureMargin& margin = margins_[m];
            const auto column = static_cast<Index>(m);
            margin.w += step * (w.col(column) - margin.w);
            as_vector(margin.values) += step * (values.col(column) - as_vector(margin.values));
            find_offset(margin, control_);
        }
    }

    const Dataset& data_;
    Control& control_;
    GroupLassoOptions options_;
    BankFeatures features_;
    std::vector<FeatureMargin> margins_;
    Vector weights_;
    std::vector<double> objectives_;
    std::vector<double> gaps_;
};

std::vector<MarginRows> rows_of_machines(const WeightProblem& problem, double cost) {
    std::vector<MarginRows> rows;
    for (Index m = 0; m < machine_count(problem.data); ++m)
        rows.push_back(margin_rows(problem, positive_class(problem.data, m), cost));
    return rows;
}

/// Learns from all rows, and where these are many first from every so many of them, whose errors cost so much
/// more.
template <typename Learned>
void learn(const Bank& bank, const Dataset& data, const std::vector<MarginRows>& rows,
           const GroupLassoOptions& options, Control& control, Learned learned) {
    FeatureMargins learning(bank, data, rows, options, control);
    constexpr Index few_rows = 50000;
    const Index every = data.rows() / few_rows;
    if (every < 4) return learned(learning);
    const std::vector<Index> chosen = one_row_of_each_piece(data.rows(), every);
    std::vector<MarginRows> few(rows.size());
    for (std::size_t m = 0; m < rows.size(); ++m) {
        for (const Index i : chosen) {
            few[m].signs.push_back(rows[m].signs[i]);
            few[m].costs.push_back(static_cast<double>(every) * rows[m].costs[i]);
        }
    }
    const Dataset some = data.select(chosen);
    GroupLassoOptions roughly = options;
    roughly.gap = std::max(10 * options.gap, 1e-3);
    FeatureMargins start(bank, some, std::move(few), roughly, control);
    {
        const ProgressScope scope(control, 0, 0.1);
        const GroupLassoSolution found = start.run();
        learning.begin_with(start.functions(), found.weights);
    }
    const ProgressScope scope(control, 0.1, 1);
    learned(learning);
}

void require_memory(const Bank& bank, Index rows, Index machines, const MemoryBudget& budget) {
    const BankFeatures features(bank);
    const double d = features.dimension();
    const double raw = features.map().raw_dimension();
    constexpr double values_of_a_row = 8;  // of a machine
    constexpr double copies = 2;           // of the features of some rows
    const double at_once = std::min(rows, feature_rows_at_once);
    budget.require(
        8.0 * (values_of_a_row * rows * machines + copies * at_once * (d + raw) + 2.0 * machines * d * d),
        text("functions of ", rows, " rows in ", features.dimension(), " features"));
}

}  // namespace

bool have_features(const Bank& bank, Index rows) {
    Index features = 0;
    for (const KernelPointer& kernel : bank) {
        const FeatureMap* map = kernel->feature_map();
        if (map == nullptr) return false;
        features += map->dimension();
    }
    return 4 * features <= rows;
}

GroupLassoSolution solve_feature_margins(const WeightProblem& problem, double cost,
                                         const GroupLassoOptions& options) {
    require_memory(problem.bank, problem.data.rows(), machine_count(problem.data), problem.budget);
    GroupLassoSolution solution;
    learn(problem.bank, problem.data, rows_of_machines(problem, cost), options, problem.control,
          [&](FeatureMargins& learning) { solution = learning.run(); });
    return solution;
}

FeatureMarginSolution solve_feature_margin(const KernelPointer& kernel, const Dataset& data, MarginRows rows,
                                           const FeatureMarginOptions& options, const MemoryBudget& budget,
                                           Control& control) {
    const Bank bank{kernel};
    require_memory(bank, data.rows(), 1, budget);
    const GroupLassoOptions lasso{
        .norm = 1, .gap = options.gap, .most_turns = options.most_steps, .start = Vector::Ones(1)};
    FeatureMarginSolution solution;
    learn(bank, data, {std::move(rows)}, lasso, control, [&](FeatureMargins& learning) {
        const GroupLassoSolution found = learning.run();
        solution = learning.dual_solution();
        solution.objective = found.objectives.back();
        solution.gap = found.gaps.back();
        solution.steps = found.turns;
        solution.converged = found.converged;
    });
    return solution;
}

}  // namespace dk

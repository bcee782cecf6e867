// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/gram/training_gram.hpp"
#include "pipeline/train.hpp"
#include "solve/box/smo.hpp"
#include "support.hpp"
#include "weights/strategy/strategy.hpp"
#include "weights_report.hpp"

namespace dk::test::mklgl_test {
namespace {

KernelWeights weigh(const std::string& text, const Bank& bank, const Dataset& data, double cost = 1,
                    int threads = 1) {
    BegunControl control(threads);
    const auto specification = parse_weights(text);
    return specification.strategy->weigh(
        {bank, data, {}, specification.parameters, cost, 1, MemoryBudget(0), control});
}

/// Makes two classes whose boundary is curved, from numbers that any language can repeat.
Dataset curved_classes(std::uint64_t seed, Index rows = 24) {
    Random random(seed);
    std::vector<double> values(rows * 4);
    for (double& v : values) v = 2 * random.uniform() - 1;
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const double* x = values.data() + i * 4;
        const double noise = 0.4 * (random.uniform() - 0.5);
        labels.push_back(x[0] + 0.5 * x[1] * x[1] - 0.3 * x[2] + noise > 0.1 ? 1 : -1);
    }
    return with_labels(dense(rows, 4, std::move(values)), labels);
}

constexpr const char* three_widths = "[rbf(gamma=0.2), rbf(gamma=1), rbf(gamma=5)]";

/// Gives the support vector machine's optimum in the combined kernel.
double machine_optimum(const Bank& bank, const std::vector<double>& mu, const Dataset& data, double cost) {
    BegunControl control;
    const auto gram =
        make_training_gram(combine(bank, mu), data, Precision::real64, MemoryBudget(0), &control);
    BoxProgram program = zero_program(*gram, data.rows());
    for (std::size_t i = 0; i < program.linear.size(); ++i) {
        const double sign = data.labels->of_rows[i] == 1 ? 1 : -1;
        program.linear[i] = -sign;
        (sign > 0 ? program.upper[i] : program.lower[i]) = sign * cost;
    }
    return -solve_smo(program, {.tolerance = 1e-9, .max_iterations = 0}, control).objective;
}

TEST(Mklgl, NoWeightsOfTheBallAreBetter) {
    const Dataset data = curved_classes(3, 40);
    const Bank bank = make_bank(three_widths, data);
    Random random(11);
    for (const double p : {1.0, 4.0 / 3, 2.0, 5.0}) {
        const auto found = weigh(text("mklgl(p=", p, ", C=5, gap=1e-4)"), bank, data);
        EXPECT_TRUE(entry<bool>(found, "converged"));
        const double best = machine_optimum(bank, found.weights, data, 5);
        EXPECT_NEAR(best, entry<double>(found, "objective"), 1e-3 * best);
        for (int trial = 0; trial < 40; ++trial) {
            std::vector<double> mu(3);
            double sum = 0;
            for (double& weight : mu) sum += std::pow(weight = random.uniform(), p);
            for (double& weight : mu) weight *= std::pow(sum, -1 / p);
            EXPECT_GE(machine_optimum(bank, mu, data, 5), (1 - 1e-4) * best) << "p " << p;
        }
    }
}

TEST(Mklgl, WeightsAreOnTheBall) {
    const Dataset data = curved_classes(4);
    const Bank bank = make_bank(three_widths, data);
    for (const double p : {1.0, 1.5, 2.0, 100.0}) {
        const auto found = weigh(text("mklgl(p=", p, ")"), bank, data);
        double sum = 0;
        for (const double weight : found.weights) sum += std::pow(weight, p);
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_LE(entry<double>(found, "gap"), 1e-3);
    }
}

TEST(Mklgl, LargeNormsWeighAllAlike) {
    const Dataset data = curved_classes(5);
    for (const double weight : weigh("mklgl(p=1000)", make_bank(three_widths, data), data).weights)
        EXPECT_NEAR(weight, 1, 0.02);
}

TEST(Mklgl, TheObjectiveFallsButForWhatTheGapAllows) {
    const Dataset data = curved_classes(6, 60);
    const auto found = weigh("mklgl(p=1, C=10, gap=1e-5)", make_bank(three_widths, data), data);
    const auto objectives = entry<std::vector<double>>(found, "objectives");
    const auto gaps = entry<std::vector<double>>(found, "gaps");
    ASSERT_EQ(objectives.size(), gaps.size());
    for (std::size_t t = 1; t < objectives.size(); ++t) {
        EXPECT_LE(objectives[t], objectives[t - 1] * (1 + 0.2 * gaps[t - 1])) << "turn " << t;
        EXPECT_GE(objectives[t], objectives.back() * (1 - 1e-5)) << "turn " << t;
        // The gap is a certificate: no objective is above the optimum by more.
        EXPECT_LE(objectives[t] * (1 - gaps[t]), objectives.back() * (1 + 1e-5)) << "turn " << t;
    }
}

/// DirectSearch finds the weights without anything of the library: by bisection for the first weight, and
/// within, for each value of the first, for the second; the third is what the ball leaves. So the search
/// knows neither closed forms of the weights nor gaps. The machine's optimum J is convex in the weights and
/// falls with each, and what the ball leaves is concave, so that each bisection looks for the one change of
/// sign of a slope that rises. With q_k = alpha' Y K_k Y alpha of the machine's alpha, dJ / dmu_k = -q_k / 2.
class DirectSearch {
  public:
    DirectSearch(const Dataset& data, const std::array<double, 3>& widths, double cost, double p)
        : cost_(cost), p_(p), alpha_(Eigen::VectorXd::Zero(data.rows())) {
        const Index n = data.rows();
        for (std::size_t k = 0; k < 3; ++k) {
            signed_[k].resize(n, n);
            for (Index i = 0; i < n; ++i) {
                for (Index j = 0; j < n; ++j) {
                    double squares = 0;
                    for (Index c = 0; c < data.cols(); ++c)
                        squares += std::pow(data.dense().row(i)[c] - data.dense().row(j)[c], 2);
                    signed_[k](i, j) = sign(data, i) * sign(data, j) * std::exp(-widths[k] * squares);
                }
            }
        }
        for (Index i = 0; i < n; ++i) signs_.push_back(sign(data, i));
    }

    void solve() {
        bisect(1, [&](double first) {
            search_second(first);
            // The other two have the same multiplier of the ball, but for one of weight 0.
            const std::size_t larger = weights_[1] > weights_[2] ? 1 : 2;
            return slope(0, larger);
        });
    }

    const std::array<double, 3>& weights() const { return weights_; }
    double objective() const { return objective_; }

  private:
    static double sign(const Dataset& data, Index row) { return data.labels->of_rows[row] == 1 ? 1 : -1; }

    /// Calls `slope_at` for values from 0 to the largest one, in the end for the one where the slope is 0.
    template <typename Slope>
    static void bisect(double largest, const Slope& slope_at) {
        double low = 0;
        double high = largest;
        for (int step = 0; step < 30; ++step) {
            const double middle = (low + high) / 2;
            (slope_at(middle) < 0 ? low : high) = middle;
        }
    }

    /// Gives what the weights leave of the ball.
    double left(double first, double second) const {
        return std::pow(std::max(1 - std::pow(first, p_) - std::pow(second, p_), 0.0), 1 / p_);
    }

    void search_second(double first) {
        bisect(left(first, 0), [&](double second) {
            weights_ = {first, second, left(first, second)};
            solve_machine();
            return slope(1, 2);
        });
    }

    /// Gives 2 dJ / dmu_k where weight `other` becomes what the ball leaves.
    double slope(std::size_t k, std::size_t other) const {
        return squares_[other] * std::pow(weights_[k] / weights_[other], p_ - 1) - squares_[k];
    }

    /// Maximises sum alpha - 1/2 alpha' Y K Y alpha over 0 <= alpha <= C, y' alpha = 0, by steps along the
    /// pair of rows that violates optimality most.
    void solve_machine() {
        const Eigen::MatrixXd Q =
            weights_[0] * signed_[0] + weights_[1] * signed_[1] + weights_[2] * signed_[2];
        Eigen::VectorXd gradient = Q * alpha_ - Eigen::VectorXd::Ones(alpha_.size());
        for (int step = 0; step < 100000; ++step) {
            Index up = -1;
            Index down = -1;
            for (Index i = 0; i < alpha_.size(); ++i) {
                const double uphill = -signs_[i] * gradient[i];
                const bool can_rise = signs_[i] > 0 ? alpha_[i] < cost_ : alpha_[i] > 0;
                const bool can_fall = signs_[i] > 0 ? alpha_[i] > 0 : alpha_[i] < cost_;
                if (can_rise && (up < 0 || uphill > -signs_[up] * gradient[up])) up = i;
                if (can_fall && (down < 0 || uphill < -signs_[down] * gradient[down])) down = i;
            }
            const double violation = signs_[down] * gradient[down] - signs_[up] * gradient[up];
            if (violation < 1e-10) break;
            const double curvature = Q(up, up) + Q(down, down) - 2 * signs_[up] * signs_[down] * Q(up, down);
            const double room_up = signs_[up] > 0 ? cost_ - alpha_[up] : alpha_[up];
            const double room_down = signs_[down] > 0 ? alpha_[down] : cost_ - alpha_[down];
            const double length = std::min({violation / curvature, room_up, room_down});
            move(up, signs_[up] * length, Q, gradient);
            move(down, -signs_[down] * length, Q, gradient);
        }
        for (std::size_t k = 0; k < 3; ++k) squares_[k] = alpha_.dot(signed_[k] * alpha_);
        objective_ = alpha_.sum() - 0.5 * alpha_.dot(Q * alpha_);
    }

    void move(Index row, double by, const Eigen::MatrixXd& Q, Eigen::VectorXd& gradient) {
        const double moved = std::clamp(alpha_[row] + by, 0.0, cost_);
        gradient += (moved - alpha_[row]) * Q.col(row);
        alpha_[row] = moved;
    }

    double cost_;
    double p_;
    std::array<Eigen::MatrixXd, 3> signed_;  // Y K_k Y
    std::vector<double> signs_;
    Eigen::VectorXd alpha_;
    std::array<double, 3> weights_{};
    std::array<double, 3> squares_{};  // q_k
    double objective_ = 0;
};

TEST(Mklgl, WeightsOfADirectSearch) {
    const std::array<std::pair<double, double>, 4> costs_and_norms{{{2, 1}, {10, 4.0 / 3}, {2, 2}, {10, 3}}};
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto [cost, p] = costs_and_norms[(seed - 1) % 4];
        const Dataset data = curved_classes(seed);
        DirectSearch search(data, {0.2, 1, 5}, cost, p);
        search.solve();
        const auto found = weigh(text("mklgl(p=", p, ", C=", cost, ", gap=1e-10, max_iterations=20000)"),
                                 make_bank(three_widths, data), data);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(found.weights[k], search.weights()[k], 1e-4) << "seed " << seed << " kernel " << k;
        EXPECT_NEAR(entry<double>(found, "objective"), search.objective(), 1e-6 * search.objective());
    }
}

/// A large C turns slight errors of the machines into large slack, so they must be solved as exactly as the
/// gap needs.
TEST(Mklgl, HardMarginsReachTheGapToo) {
    const Dataset data = curved_classes(2, 60);
    const Bank bank = make_bank(three_widths, data);
    for (const double cost : {1e3, 1e6, 1e9}) {
        const auto found = weigh(text("mklgl(p=1, C=", cost, ")"), bank, data);
        EXPECT_TRUE(entry<bool>(found, "converged")) << "C " << cost;
        EXPECT_LE(entry<double>(found, "gap"), 1e-3) << "C " << cost;
        const double best = machine_optimum(bank, found.weights, data, cost);
        EXPECT_NEAR(best, entry<double>(found, "objective"), 1e-3 * best) << "C " << cost;
    }
}

/// Rows that occur with both labels cost 2 C each, whatever the weights. No solver gets below the rounding of
/// numbers of that size, and none may try for ever.
TEST(Mklgl, GapsBelowRoundingEnd) {
    Random random(5);
    std::vector<double> values;
    std::vector<std::int64_t> labels;
    for (int pair = 0; pair < 60; ++pair) {
        const std::vector<double> row{random.uniform(), random.uniform()};
        for (const std::int64_t label : {1, -1}) {
            values.insert(values.end(), row.begin(), row.end());
            labels.push_back(label);
        }
    }
    const Dataset data = with_labels(dense(120, 2, std::move(values)), labels);
    for (const double cost : {1.0, 1e6, 1e12}) {
        const auto found = weigh(text("mklgl(p=1, C=", cost, ", gap=1e-15, max_iterations=20)"),
                                 make_bank(three_widths, data), data);
        EXPECT_NEAR(entry<double>(found, "objective"), 120 * cost, 1e-6 * 120 * cost);
    }
}

/// For kernels that are nearly alike, the closed form alone goes on for hundreds of turns.
TEST(Mklgl, AlikeKernelsTakeFewTurns) {
    const Dataset data = curved_classes(7, 100);
    const auto found =
        weigh("mklgl(p=1, C=10)", make_bank("grid(rbf, gamma=0.2:0.25:0.3:1:1.1:1.2)", data), data);
    EXPECT_TRUE(entry<bool>(found, "converged"));
    EXPECT_LE(entry<std::int64_t>(found, "iterations"), 40);
}

TEST(Mklgl, UninformativeKernelsGetNoWeightOfNormOne) {
    // The second kernel sees only noise.
    Random random(7);
    std::vector<double> values;
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 80; ++i) {
        labels.push_back(i % 2);
        values.push_back(static_cast<double>(i % 2) * 3 + random.uniform());
        values.push_back(random.uniform());
    }
    const Dataset data = with_labels(dense(80, 2, values), labels);
    const Bank bank = make_bank("[on(0, rbf(gamma=1)), on(1, rbf(gamma=1))]", data);
    const auto found = weigh("mklgl(p=1)", bank, data);
    EXPECT_GT(found.weights[0], 0.98);
}

TEST(Mklgl, MoreClassesShareTheWeights) {
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 60; ++i) labels.push_back(i % 3);
    auto values = normal_values(180, 8);
    for (std::size_t i = 0; i < 60; ++i) values[3 * i] += 3 * static_cast<double>(labels[i]);
    const Dataset data = with_labels(dense(60, 3, values), labels);
    const Bank bank = make_bank("each_feature(rbf(gamma=0.5))", data);
    const auto found = weigh("mklgl(p=1.5, gap=1e-4)", bank, data);
    EXPECT_TRUE(entry<bool>(found, "converged"));
    // This was found by hand: the sum of the three machines' optima is least there.
    const auto total = [&](const std::vector<double>& mu) {
        double sum = 0;
        for (std::int64_t c = 0; c < 3; ++c) {
            std::vector<std::int64_t> signs;
            for (const std::int64_t label : labels) signs.push_back(label == c ? 1 : 0);
            sum += machine_optimum(bank, mu, with_labels(features_only(data), signs), 1);
        }
        return sum;
    };
    const double best = total(found.weights);
    EXPECT_NEAR(best, entry<double>(found, "objective"), 1e-3 * best);
    Random random(9);
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<double> mu(3);
        double sum = 0;
        for (double& weight : mu) sum += std::pow(weight = random.uniform(), 1.5);
        for (double& weight : mu) weight *= std::pow(sum, -1 / 1.5);
        EXPECT_GE(total(mu), (1 - 1e-4) * best);
    }
}

TEST(Mklgl, TakesTheMachinesCost) {
    const Dataset data = curved_classes(10);
    const Bank bank = make_bank(three_widths, data);
    EXPECT_EQ(weigh("mklgl", bank, data, 7).weights, weigh("mklgl(C=7)", bank, data, 1).weights);
    BegunControl control;
    auto settings = default_specification("svm");
    set_parameter(settings, "C", "7");
    set_parameter(settings, "kernel", three_widths);
    set_parameter(settings, "weights", "mklgl");
    EXPECT_EQ(train(data, settings, control).kernel_weights, weigh("mklgl(C=7)", bank, data).weights);
}

TEST(Mklgl, SampleWeightsAreRowsRepeated) {
    Dataset data = curved_classes(12, 30);
    std::vector<Index> repeated;
    for (Index i = 0; i < 30; ++i) {
        data.sample_weights.push_back(i % 3 == 0 ? 2 : 1);
        repeated.push_back(i);
        if (i % 3 == 0) repeated.push_back(i);
    }
    Dataset rows = data.select(repeated);
    rows.sample_weights.clear();
    const Bank bank = make_bank(three_widths, data);
    const auto weighted = weigh("mklgl(gap=1e-7)", bank, data);
    const auto copied = weigh("mklgl(gap=1e-7)", bank, rows);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(weighted.weights[k], copied.weights[k], 2e-4);
}

TEST(Mklgl, StopsAtItsLimitAndSaysSo) {
    const Dataset data = curved_classes(13, 40);
    const auto found =
        weigh("mklgl(p=1, C=100, gap=1e-9, max_iterations=2)", make_bank(three_widths, data), data);
    EXPECT_FALSE(entry<bool>(found, "converged"));
    EXPECT_EQ(entry<std::int64_t>(found, "iterations"), 2);
}

TEST(Mklgl, TheSameBitsForAnyThreads) {
    const Dataset data = curved_classes(14, 700);
    const Bank bank =
        make_bank("[rbf(gamma=0.2), rbf(gamma=5), arccos(1, 0), lowrank(rbf(gamma=1), rank=40)]", data);
    EXPECT_EQ(weigh("mklgl", bank, data, 1, 1).weights, weigh("mklgl", bank, data, 1, 3).weights);
}

TEST(Mklgl, RegressionHasNoClasses) {
    Dataset data = random_dense(10, 2, 15);
    const Bank bank = make_bank("[rbf(gamma=0.2), rbf(gamma=5)]", data);
    message_of(Status::unsupported, [&] { weigh("mklgl", bank, data); });
}

}  // namespace
}  // namespace dk::test::mklgl_test

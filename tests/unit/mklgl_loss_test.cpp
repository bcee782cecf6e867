// SPDX-License-Identifier: Apache-2.0
// MKLGL with the losses of different machines. The expected optima come from searches over the ball of
// weights, in which each machine is solved on its own.
#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/gram/training_gram.hpp"
#include "solve/box/smo.hpp"
#include "trained.hpp"
#include "weights/strategy/strategy.hpp"
#include "weights_report.hpp"

namespace dk::test::mklgl_loss_test {
namespace {

constexpr const char* two_widths = "[rbf(gamma=0.1), rbf(gamma=3)]";

KernelWeights weigh(const std::string& text, const Bank& bank, const Dataset& data, const MachineLoss& loss) {
    BegunControl control;
    const auto specification = parse_weights(text);
    return specification.strategy->weigh(
        {bank, data, {}, specification.parameters, 1, 1, MemoryBudget(0), control, {}, loss});
}

/// Rows in two or three classes, or with targets, that need a mixture of widths.
Dataset waves(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 2, seed);
    const auto noise = normal_values(rows, seed + 1);
    for (Index i = 0; i < rows; ++i) {
        const auto x = data.dense().row(i);
        data.targets.push_back(std::sin(4 * x[0]) + 0.5 * x[1] + 0.2 * noise[i]);
    }
    return data;
}

Dataset in_classes(const Dataset& data, Index classes) {
    std::vector<std::int64_t> labels;
    for (const double target : data.targets)
        labels.push_back(std::clamp<std::int64_t>(
            std::llround(target + 0.5 * static_cast<double>(classes - 1)), 0, classes - 1));
    return with_labels(features_only(data), labels);
}

Eigen::MatrixXd matrix_of(const Bank& bank, const std::vector<double>& mu, const Dataset& data) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(data.rows(), data.rows());
    for (std::size_t k = 0; k < bank.size(); ++k) {
        const auto values = gram_matrix(bank[k], data, data);
        sum += mu[k] * Eigen::Map<const Eigen::MatrixXd>(values.data(), data.rows(), data.rows());
    }
    return sum;
}

/// The two weights of p-norm 1 whose first one is given.
std::vector<double> on_ball(double first, double p) {
    return {first, std::pow(std::max(0.0, 1 - std::pow(first, p)), 1 / p)};
}

struct Found {
    std::vector<double> weights;
    double objective;
};

/// Finds the least value over the ball of two weights, on which the value is convex, by ternary search.
template <typename Value>
Found least(double p, Value value) {
    double low = 0;
    double high = 1;
    for (int step = 0; step < 60; ++step) {
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        if (value(on_ball(a, p)) < value(on_ball(b, p))) {
            high = b;
        } else {
            low = a;
        }
    }
    return {on_ball(low, p), value(on_ball(low, p))};
}

TEST(MklglLosses, SquaredErrorsAgainstASearch) {
    const Dataset data = waves(60, 3);
    const Bank bank = make_bank(two_widths, data);
    for (const double p : {1.0, 1.5, 2.0}) {
        for (const double cost : {0.5, 20.0}) {
            for (const bool offset : {false, true}) {
                const Eigen::Map<const Eigen::VectorXd> y(data.targets.data(), 60);
                const Found best = least(p, [&](const std::vector<double>& mu) {
                    Eigen::MatrixXd system = matrix_of(bank, mu, data);
                    system.diagonal().array() += 1 / cost;
                    const Eigen::LDLT<Eigen::MatrixXd> factor(system);
                    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(60);
                    const double b = offset ? ones.dot(factor.solve(y)) / ones.dot(factor.solve(ones)) : 0;
                    const Eigen::VectorXd rest = y - b * ones;
                    return 0.5 * rest.dot(factor.solve(rest));
                });
                const auto found =
                    weigh(text("mklgl(p=", p, ", C=", cost, ", gap=1e-9, max_iterations=2000)"), bank, data,
                          {.errors = ErrorLoss::squares, .offset = offset});
                EXPECT_NEAR(entry<double>(found, "objective"), best.objective, 1e-6 * best.objective);
                for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(found.weights[k], best.weights[k], 2e-3) << p;
                EXPECT_LE(entry<double>(found, "gap"), 1e-7) << p << " " << cost;
                EXPECT_GE(entry<double>(found, "gap"), -1e-12);
            }
        }
    }
}

/// Solves a program of one function in the combined kernel, as its maker has set it up.
template <typename SetUp>
double program_optimum(const Bank& bank, const std::vector<double>& mu, const Dataset& data, Index variables,
                       SetUp set_up) {
    BegunControl control;
    const auto gram =
        make_training_gram(combine(bank, mu), data, Precision::real64, MemoryBudget(0), &control);
    BoxProgram program = zero_program(*gram, variables);
    set_up(program);
    return solve_smo(program, {.tolerance = 1e-9, .max_iterations = 0}, control).objective;
}

void expect_optimal(const KernelWeights& found, const Found& best, double p) {
    EXPECT_TRUE(entry<bool>(found, "converged"));
    EXPECT_NEAR(entry<double>(found, "objective"), best.objective, 1e-4 * std::abs(best.objective));
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(found.weights[k], best.weights[k], 0.02) << p;
    const auto objectives = entry<std::vector<double>>(found, "objectives");
    const auto gaps = entry<std::vector<double>>(found, "gaps");
    for (std::size_t t = 0; t < gaps.size(); ++t) {
        EXPECT_GE(gaps[t], -1e-9);
        // The gap is a certificate: the optimum is no further below.
        EXPECT_LE(objectives[t] - gaps[t] * std::abs(objectives[t]),
                  best.objective + 1e-6 * std::abs(best.objective));
    }
}

TEST(MklglLosses, SquaredSlackAgainstASearch) {
    const Dataset data = in_classes(waves(70, 5), 2);
    const Bank bank = make_bank(two_widths, data);
    for (const double p : {1.0, 2.0}) {
        for (const double cost : {1.0, 30.0}) {
            const Found best = least(p, [&](const std::vector<double>& mu) {
                return -program_optimum(bank, mu, data, 70, [&](BoxProgram& program) {
                    for (Index i = 0; i < 70; ++i) {
                        const double sign = data.labels->of_rows[i] == 1 ? 1 : -1;
                        program.linear[i] = -sign;
                        (sign > 0 ? program.upper[i] : program.lower[i]) = sign * infinity;
                        program.ridge.push_back(1 / cost);
                    }
                });
            });
            expect_optimal(weigh(text("mklgl(p=", p, ", C=", cost, ", gap=1e-5, max_iterations=2000)"), bank,
                                 data, {.errors = ErrorLoss::squared_hinge}),
                           best, p);
        }
    }
}

TEST(MklglLosses, TubesAgainstASearch) {
    const Dataset data = waves(60, 7);
    const Bank bank = make_bank(two_widths, data);
    for (const double p : {1.0, 2.0}) {
        const Found best = least(p, [&](const std::vector<double>& mu) {
            return -program_optimum(bank, mu, data, 120, [&](BoxProgram& program) {
                program.rows.resize(120);
                for (Index i = 0; i < 60; ++i) {
                    program.rows[i] = program.rows[60 + i] = i;
                    program.linear[i] = 0.2 - data.targets[i];
                    program.linear[60 + i] = -0.2 - data.targets[i];
                    program.upper[i] = 3;
                    program.lower[60 + i] = -3;
                }
            });
        });
        expect_optimal(weigh(text("mklgl(p=", p, ", C=3, gap=1e-5, max_iterations=2000)"), bank, data,
                             {.errors = ErrorLoss::tube, .tube = 0.2}),
                       best, p);
    }
}

/// Machines that learn from rows alone have an objective below 0, since their margin rho counts against it.
TEST(MklglLosses, OutliersAgainstASearch) {
    const Dataset data = features_only(waves(50, 9));
    const Bank bank = make_bank(two_widths, data);
    for (const double p : {1.0, 2.0}) {
        const Found best = least(p, [&](const std::vector<double>& mu) {
            return -program_optimum(bank, mu, data, 50, [&](BoxProgram& program) {
                for (Index i = 0; i < 50; ++i) {
                    program.upper[i] = 1;
                    program.start[i] = 0.3;
                }
            });
        });
        EXPECT_LT(best.objective, 0);
        expect_optimal(weigh(text("mklgl(p=", p, ", gap=1e-5, max_iterations=2000)"), bank, data,
                             {.errors = ErrorLoss::outliers, .outlier_share = 0.3}),
                       best, p);
    }
}

TEST(MklglLosses, ClassCostsAreWeightsOfRows) {
    Dataset data = in_classes(waves(60, 11), 2);
    const Bank bank = make_bank(two_widths, data);
    const auto alike = weigh("mklgl(p=2)", bank, data, {});
    const auto by_class = weigh("mklgl(p=2)", bank, data, {.class_costs = {1, 4}});
    for (const Index c : data.labels->of_rows) data.sample_weights.push_back(c == 1 ? 4.0 : 1.0);
    const auto by_row = weigh("mklgl(p=2)", bank, data, {});
    EXPECT_EQ(by_class.weights, by_row.weights);
    EXPECT_GT(std::abs(by_class.weights[0] - alike.weights[0]), 1e-3);
}

TEST(MklglLosses, EveryMachineHasItsOwn) {
    const Dataset targets = waves(50, 13);
    const Dataset classes = in_classes(targets, 3);
    const auto report_of = [](const std::string& machine, const Dataset& data,
                              std::vector<Setting> settings) {
        settings.insert(settings.begin(), {{"kernel", two_widths}, {"weights", "mklgl"}});
        return nlohmann::json::parse(trained(machine, data, settings).weight_report);
    };
    const auto differs = [&](const std::string& machine, const Dataset& data,
                             const std::vector<Setting>& settings) {
        const double usual = report_of(machine, data, {}).at("objective");
        EXPECT_NE(usual, report_of(machine, data, settings).at("objective").get<double>()) << machine;
    };
    differs("svm", classes, {{"loss", "squared_hinge"}});
    differs("svm", classes, {{"class_weight", "balanced"}});
    differs("svm", classes, {{"class_weight", "1:3"}});
    differs("svr", targets, {{"epsilon", "0.3"}});
    differs("one_class_svm", features_only(targets), {{"nu", "0.2"}});
    differs("kernel_ridge", targets, {{"offset", "yes"}});
    differs("kelm", classes, {{"C", "3"}});
    // Those without a loss of their own have the hinge for classes and squares for targets.
    EXPECT_EQ(report_of("rvm", classes, {}).at("objective"),
              report_of("fisher", classes, {}).at("objective"));
    EXPECT_GT(report_of("nu_svr", targets, {}).at("objective").get<double>(), 0);
    // Another loss than the machine's.
    EXPECT_EQ(report_of("kelm", classes, {{"weights", "mklgl(loss=hinge)"}}).at("objective"),
              report_of("svm", classes, {}).at("objective"));
}

TEST(MklglLoss, WeightsThatSumToOneAreTheOthersShares) {
    const Dataset data = in_classes(waves(60, 71), 2);
    const Bank bank = make_bank(two_widths, data);
    const KernelWeights by_norm = weigh("mklgl(p=2)", bank, data, {});
    const KernelWeights by_sum = weigh("mklgl(p=2,normalise=sum)", bank, data, {});
    const double sum = by_norm.weights[0] + by_norm.weights[1];
    EXPECT_GT(sum, 1.01);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(by_sum.weights[k], by_norm.weights[k] / sum, 1e-12);
    EXPECT_NEAR(entry<double>(by_norm, "effective_C"), sum, 1e-12);
    EXPECT_NEAR(entry<double>(by_sum, "effective_C"), 1, 1e-12);
}

}  // namespace
}  // namespace dk::test::mklgl_loss_test

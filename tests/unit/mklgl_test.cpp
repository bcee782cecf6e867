// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "kernel/gram/training_gram.hpp"
#include "kernel/operator/algebra.hpp"
#include "pipeline/train.hpp"
#include "solve/box/smo.hpp"
#include "support.hpp"
#include "weights/strategy.hpp"

namespace dk::test {
namespace {

KernelWeights weigh(const std::string& text, const Bank& bank, const Dataset& data, double cost = 1,
                    int threads = 1) {
    BegunControl control(threads);
    const auto specification = parse_weights(text);
    return specification.strategy->weigh(
        {bank, data, {}, specification.parameters, cost, 1, MemoryBudget(0), control});
}

template <typename Value>
Value entry(const KernelWeights& result, const std::string& wanted) {
    for (const auto& [name, value] : result.report.entries()) {
        if (name == wanted) return std::get<Value>(value);
    }
    ADD_FAILURE() << "no " << wanted;
    return {};
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

/// These optima of curved_classes(seed) in three_widths were found by sequential quadratic programming over
/// an exact active-set machine and, apart from that, by Newton steps on a barrier; both agree to 1e-10.
struct KnownOptimum {
    std::uint64_t seed;
    double cost;
    double p;
    std::vector<double> weights;
    double objective;
};

const std::vector<KnownOptimum> known_optima{
    {1, 2, 1, {0, 0.30330419, 0.69669581}, 11.52141582},
    {2, 10, 4.0 / 3, {0.14194383, 0.58761158, 0.53450561}, 6.591378929},
    {3, 2, 2, {0.24411259, 0.48898931, 0.83743567}, 8.610722993},
    {4, 10, 3, {0.43869452, 0.62088007, 0.8777368}, 7.890257906},
    {5, 2, 1, {0, 0.35227296, 0.64772704}, 11.11254019},
    {6, 10, 4.0 / 3, {0.15799992, 0.50269602, 0.60782406}, 7.537872082},
    {7, 2, 2, {0.34120089, 0.55656587, 0.75750669}, 6.055972272},
    {8, 10, 3, {0.55215379, 0.69583605, 0.79091143}, 4.614088689},
    {9, 2, 1, {0, 0.48978017, 0.51021983}, 9.324205378},
    {10, 10, 4.0 / 3, {0.16502065, 0.41046315, 0.68551125}, 7.241346028},
    {11, 2, 2, {0.35118114, 0.59686253, 0.72140621}, 6.043730449},
    {12, 10, 3, {0.5230979, 0.72539025, 0.78033853}, 5.233141911},
    {13, 2, 1, {0, 0.413272, 0.586728}, 9.705494249},
    {14, 10, 4.0 / 3, {0.068122639, 0.41550932, 0.73401206}, 8.77228217},
    {15, 2, 2, {0.32091489, 0.51878674, 0.79238498}, 6.845510537},
    {16, 10, 3, {0.52425198, 0.7410416, 0.76572828}, 4.642398737},
    {17, 2, 1, {0, 0.30835921, 0.69164079}, 11.18163082},
    {18, 10, 4.0 / 3, {0.19583027, 0.36821876, 0.70069681}, 8.621475923},
    {19, 2, 2, {0.26396627, 0.50443941, 0.82210868}, 8.773412681},
    {20, 10, 3, {0.62270799, 0.75901889, 0.68488506}, 3.569951622},
};

TEST(Mklgl, WeightsOfAnIndependentOptimiser) {
    for (const auto& known : known_optima) {
        const Dataset data = curved_classes(known.seed);
        const auto found =
            weigh(text("mklgl(p=", known.p, ", C=", known.cost, ", gap=1e-10, ", "max_iterations=20000)"),
                  make_bank(three_widths, data), data);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(found.weights[k], known.weights[k], 1e-4) << "seed " << known.seed << " kernel " << k;
        EXPECT_NEAR(entry<double>(found, "objective"), known.objective, 1e-6 * known.objective);
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
}  // namespace dk::test

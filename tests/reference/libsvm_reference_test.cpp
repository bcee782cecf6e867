// SPDX-License-Identifier: Apache-2.0
//
// libdk's 1-norm support vector machine against LIBSVM at equal tolerance: objective, predictions, and a gap
// that is true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "libdk_machine.hpp"
#include "libsvm_machine.hpp"
#include "problem.hpp"
#include "svm_dual.hpp"

namespace dk_reference {
namespace {

constexpr double kTolerance = 1e-6;
constexpr double kNearTie = 1e-6;  // decisions this small may fall on either side

void expect_same_objective(const Problem& problem, const LibdkMachine& ours, const LibsvmMachine& theirs,
                           const Dual& dual) {
    const long double reference = objective(dual, theirs.multipliers());
    const double reported = ours.training(0).at("objective");
    EXPECT_NEAR(reported, static_cast<double>(reference), 1e-6 * std::abs(static_cast<double>(reference)))
        << problem.name;
}

// The multipliers are feasible, and objective and gap are what the report says of them.
void expect_true_report(const Problem& problem, const LibdkMachine& ours, const Dual& dual) {
    const nlohmann::json report = ours.training(0);
    const std::vector<long double> alpha = ours.multipliers(dual.kernel);
    long double balance = 0;
    long double total = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        EXPECT_LE(alpha[i], dual.bounds[i] * (1 + 1e-9L)) << problem.name << " row " << i;
        balance += static_cast<long double>(dual.signs[i]) * alpha[i];
        total += alpha[i];
    }
    EXPECT_LE(std::abs(balance), 1e-10L * total) << problem.name;

    const double reported_objective = report.at("objective");
    const long double true_objective = objective(dual, alpha);
    EXPECT_NEAR(reported_objective, static_cast<double>(true_objective), 1e-8 * std::abs(reported_objective))
        << problem.name;

    EXPECT_TRUE(report.at("converged").get<bool>()) << problem.name;
    const double reported_gap = report.at("gap");
    EXPECT_LE(reported_gap, kTolerance) << problem.name;
    // Rounding in the reconstruction: each gradient element sums terms of the size of K alpha.
    long double largest_term = 1;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        largest_term = std::max(largest_term, total * std::abs(dual.kernel(i, i)));
    }
    const double rounding = 1e-13 * static_cast<double>(largest_term);
    const double true_gap = static_cast<double>(optimality_gap(dual, alpha, 1e-10L));
    EXPECT_NEAR(reported_gap, true_gap, 0.01 * kTolerance + rounding) << problem.name;
}

// Signs agree wherever neither decision is a near tie; so do the labels that are predicted.
void expect_same_predictions(const Problem& problem, const LibdkMachine& ours, const LibsvmMachine& theirs,
                             const std::vector<double>& values) {
    const std::vector<double> decisions = ours.decisions(values);
    const std::vector<std::int64_t> labels = ours.predict(values);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const double* row = values.data() + i * problem.cols;
        const double reference = theirs.decisions(row).front();
        EXPECT_EQ(labels[i], decisions[i] > 0 ? 1 : -1) << problem.name << " row " << i;
        if (std::abs(reference) < kNearTie || std::abs(decisions[i]) < kNearTie) continue;
        EXPECT_EQ(labels[i], theirs.predict(row))
            << problem.name << " row " << i << ": decisions " << decisions[i] << " and LIBSVM " << reference;
    }
}

void compare(const Problem& problem) {
    const LibsvmMachine theirs(problem, kTolerance);
    const LibdkMachine ours(problem, "loss=hinge tolerance=1e-6");
    const Dual dual = hinge_dual(problem);
    expect_same_objective(problem, ours, theirs, dual);
    expect_true_report(problem, ours, dual);
    expect_same_predictions(problem, ours, theirs, problem.values);
    // Points that were not trained on: half way between each row and its successor.
    std::vector<double> between;
    for (std::size_t i = 0; i + 1 < problem.rows(); ++i) {
        for (std::size_t j = 0; j < problem.cols; ++j) {
            between.push_back((problem.row(i)[j] + problem.row(i + 1)[j]) / 2);
        }
    }
    expect_same_predictions(problem, ours, theirs, between);
}

// --- real data -----------------------------------------------------------------------------------

struct RealCase {
    const char* file;
    bool standardised;
    KernelKind kind;
    double cost;
    double gamma_times_cols;
    double positive_weight;
};

class RealData : public testing::TestWithParam<RealCase> {};

TEST_P(RealData, AgreesWithLibsvm) {
    const RealCase& what = GetParam();
    Problem problem = read_problem(std::string(DK_DATA_DIR "/") + what.file, what.standardised);
    problem.kernel.kind = what.kind;
    problem.kernel.gamma = what.gamma_times_cols / static_cast<double>(problem.cols);
    problem.kernel.coef0 = 1;
    problem.kernel.degree = 3;
    problem.cost = what.cost;
    problem.positive_weight = what.positive_weight;
    compare(problem);
}

constexpr RealCase kRealCases[] = {
    {"sonar.csv", false, KernelKind::linear, 1, 1, 1},
    {"sonar.csv", false, KernelKind::rbf, 10, 10, 1},
    {"sonar.csv", true, KernelKind::rbf, 100, 1, 1},
    {"sonar.csv", false, KernelKind::poly, 1, 1, 1},
    {"ionosphere.csv", false, KernelKind::linear, 1, 1, 1},
    {"ionosphere.csv", false, KernelKind::rbf, 10, 5, 1},
    {"ionosphere.csv", false, KernelKind::poly, 1, 1, 0.5},
    {"breast_cancer.csv", true, KernelKind::linear, 0.1, 1, 1},
    {"breast_cancer.csv", true, KernelKind::rbf, 1, 1, 2.5},
    {"breast_cancer.csv", false, KernelKind::rbf, 10, 0.1, 1},
    {"breast_cancer.csv", true, KernelKind::poly, 0.1, 1, 1},
    {"vehicle.csv", true, KernelKind::linear, 1, 1, 1.866},
    {"vehicle.csv", true, KernelKind::rbf, 10, 1, 1},
    {"vehicle.csv", false, KernelKind::rbf, 100, 1e-3, 1},
    {"vehicle.csv", true, KernelKind::poly, 0.1, 0.5, 1},
};

std::string name_of(const testing::TestParamInfo<RealCase>& info) {
    const std::string file = info.param.file;
    const char* kernels[] = {"linear", "rbf", "poly"};
    return file.substr(0, file.find('.')) + "_" + kernels[static_cast<int>(info.param.kind)] + "_" +
           std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Libsvm, RealData, testing::ValuesIn(kRealCases), name_of);

// --- random problems -----------------------------------------------------------------------------

class RandomProblem : public testing::TestWithParam<unsigned> {};

TEST_P(RandomProblem, AgreesWithLibsvm) {
    compare(random_problem(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Libsvm, RandomProblem, testing::Range(0U, 20U));

// --- several classes -----------------------------------------------------------------------------

// The classes that win most pairs. Decisions are for the pairs (0, 1), (0, 2), ..., positive for the first.
std::vector<std::int64_t> most_voted(const std::vector<double>& decisions, std::size_t classes) {
    std::vector<int> votes(classes, 0);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < classes; ++a) {
        for (std::size_t b = a + 1; b < classes; ++b) ++votes[decisions[pair++] > 0 ? a : b];
    }
    const int leading = *std::max_element(votes.begin(), votes.end());
    std::vector<std::int64_t> winners;
    for (std::size_t c = 0; c < classes; ++c) {
        if (votes[c] == leading) winners.push_back(static_cast<std::int64_t>(c));
    }
    return winners;
}

class SeveralClasses : public testing::TestWithParam<std::size_t> {};

TEST_P(SeveralClasses, PairsAgreeWithLibsvm) {
    const std::size_t classes = GetParam();
    Problem problem = random_classes(7 + static_cast<unsigned>(classes), classes, 60 * classes, 4, 1.5);
    problem.kernel.kind = KernelKind::rbf;
    problem.kernel.gamma = 0.1;
    problem.cost = 5;
    const LibsvmMachine theirs(problem, kTolerance);
    const LibdkMachine ours(problem, "loss=hinge tolerance=1e-6 multiclass=ovo");

    const std::size_t pairs = classes * (classes - 1) / 2;
    const Problem fresh = random_classes(7 + static_cast<unsigned>(classes), classes, 200 * classes, 4, 3);
    const std::vector<double> decisions = ours.decisions(fresh.values);
    const std::vector<std::int64_t> labels = ours.predict(fresh.values);
    ASSERT_EQ(decisions.size(), fresh.rows() * pairs);
    std::size_t elected = 0;
    for (std::size_t i = 0; i < fresh.rows(); ++i) {
        const std::vector<double> reference = theirs.decisions(fresh.row(i));
        bool near_tie = false;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const double decision = decisions[i * pairs + pair];
            EXPECT_NEAR(decision, reference[pair], 1e-4) << "row " << i << " pair " << pair;
            near_tie = near_tie || std::abs(reference[pair]) < kNearTie || std::abs(decision) < kNearTie;
        }
        if (near_tie) continue;
        // One winner: the same. Equally many votes: LIBSVM takes the first class, libdk asks how clear they
        // were.
        const std::vector<std::int64_t> winners = most_voted(reference, classes);
        EXPECT_EQ(theirs.predict(fresh.row(i)), winners.front()) << "row " << i;
        EXPECT_EQ(std::count(winners.begin(), winners.end(), labels[i]), 1) << "row " << i;
        if (winners.size() == 1) ++elected;
    }
    EXPECT_GT(elected, fresh.rows() * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Libsvm, SeveralClasses, testing::Values(std::size_t{3}, std::size_t{5}));

}  // namespace
}  // namespace dk_reference

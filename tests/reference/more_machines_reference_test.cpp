// SPDX-License-Identifier: Apache-2.0
//
// nu_svm, svr, nu_svr and one_class_svm against LIBSVM at equal tolerance: objective, decisions, the tube
// that nu_svr finds, the property that gives nu its name, and weights as repeated rows. Primal objectives
// from the definitions tell which of the two is right where they differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "libdk_machine.hpp"
#include "libsvm_machine.hpp"
#include "margin_problem.hpp"
#include "problem.hpp"

namespace dk_reference {
namespace {

constexpr double kTolerance = 1e-8;
constexpr const char* kOurTolerance = "tolerance=1e-8";

// Relative to the largest decision. LIBSVM keeps kernel values in single precision, and optimality to the
// tolerance leaves coefficients some room along directions in which the objective is flat.
constexpr double kDecisionError = 1e-4;

// The rows and the points half way between each row and its successor.
std::vector<double> rows_and_points_between(const Problem& input) {
    std::vector<double> points = input.values;
    for (std::size_t i = 0; i + 1 < input.rows(); ++i) {
        for (std::size_t j = 0; j < input.cols; ++j)
            points.push_back((input.row(i)[j] + input.row(i + 1)[j]) / 2);
    }
    return points;
}

Found found_by(const MarginProblem& problem, const nlohmann::json& report) {
    Found found;
    found.offset = report.at("offset").get<double>();
    if (problem.machine == MarginMachine::nu_svm) found.rho = report.at("rho").get<double>();
    if (problem.machine == MarginMachine::nu_svr) found.epsilon = report.at("epsilon").get<double>();
    return found;
}

// The error that single-precision kernel values leave in f at the training rows, at most, and in the
// objective.
struct SingleError {
    long double decision = 0;
    long double objective = 0;
};

SingleError single_error(const Matrix& kernel, const std::vector<long double>& coefficients) {
    constexpr long double kHalfUnit = 0x1p-24L;
    SingleError error;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        long double sum = 0;
        for (std::size_t j = 0; j < coefficients.size(); ++j)
            sum += std::abs(kernel(i, j) * coefficients[j]) * kHalfUnit;
        error.decision = std::max(error.decision, sum);
        error.objective += sum * std::abs(coefficients[i]) / 2;
    }
    return error;
}

// What nu_svm's coefficients were divided by: before, their absolute values sum to nu W.
long double rho_of(const MarginProblem& problem, const std::vector<long double>& coefficients) {
    if (problem.machine != MarginMachine::nu_svm) return 1;
    long double sum = 0;
    for (const long double value : coefficients) sum += std::abs(value);
    return static_cast<long double>(problem.nu) * problem.weight_sum() / sum;
}

// LIBSVM keeps objectives nowhere: computed from its coefficients, and confirmed by what it printed.
void expect_same_objective(const MarginProblem& problem, const LibdkMachine& ours,
                           const LibsvmMachine& theirs) {
    const MarginProblem rows = repeated(problem);
    const Matrix kernel = kernel_matrix(rows.input);
    const std::vector<long double> coefficients = theirs.coefficients();
    const auto reference = static_cast<double>(dual_objective(rows, kernel, coefficients));
    const SingleError error = single_error(kernel, coefficients);
    EXPECT_NEAR(reference, theirs.printed("obj"),
                1e-6 + 1e-9 * std::abs(reference) + static_cast<double>(error.objective));

    const nlohmann::json report = ours.training(0);
    const double reported = report.at("objective");
    if (problem.machine != MarginMachine::nu_svm) {
        EXPECT_NEAR(reported, reference, 1e-6 * std::abs(reference));
        return;
    }
    // Only before the division by rho^2 is the objective flat at the optimum. rho is as exact as the
    // tolerance.
    const auto their_rho = static_cast<double>(rho_of(rows, coefficients));
    const double our_rho = report.at("rho");
    const double their_objective = reference * their_rho * their_rho;
    EXPECT_NEAR(reported * our_rho * our_rho, their_objective, 1e-6 * their_objective);
    EXPECT_NEAR(our_rho, their_rho,
                2 * kTolerance + static_cast<double>(error.decision) * their_rho + 1e-12 * their_rho);
}

// What a coefficient may be at most, its row having weight 1.
long double largest_coefficient(const MarginProblem& problem, const Found& found) {
    return problem.regression() ? problem.input.cost : 1 / found.rho;
}

void expect_feasible(const MarginProblem& problem, const std::vector<long double>& coefficients,
                     const Found& found) {
    const long double bound = largest_coefficient(problem, found);
    long double positive = 0;
    long double negative = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        EXPECT_LE(std::abs(coefficients[i]), bound * problem.weight(i) * (1 + 1e-8L)) << "row " << i;
        if (problem.machine == MarginMachine::nu_svm) {
            EXPECT_GE(coefficients[i] * problem.input.labels[i], 0) << "row " << i;
        }
        (coefficients[i] > 0 ? positive : negative) += std::abs(coefficients[i]);
    }
    const long double share = problem.nu * bound * problem.weight_sum();
    if (problem.machine == MarginMachine::one_class_svm) {
        EXPECT_EQ(negative, 0);
        EXPECT_NEAR(static_cast<double>(positive / share), 1, 1e-8);
        return;
    }
    EXPECT_LE(std::abs(positive - negative), 1e-10L * positive);
    if (!problem.has_nu()) return;
    // In a tube without width a row may push both ways, which its coefficient does not show.
    EXPECT_LE(positive + negative, share * (1 + 1e-8L));
    if (problem.machine == MarginMachine::nu_svm || found.epsilon > kTolerance) {
        EXPECT_GE(positive + negative, share * (1 - 1e-8L));
    }
}

// The coefficients are feasible, the objective is theirs, and the primal says that no better one exists.
void expect_true_report(const MarginProblem& problem, const LibdkMachine& ours) {
    const nlohmann::json report = ours.training(0);
    EXPECT_TRUE(report.at("converged").get<bool>());
    const Found found = found_by(problem, report);
    const double gap = report.at("gap");
    EXPECT_LE(gap * static_cast<double>(found.rho), kTolerance * (1 + 1e-12));

    const Matrix kernel = kernel_matrix(problem.input);
    const std::vector<long double> coefficients = ours.coefficients(kernel);
    expect_feasible(problem, coefficients, found);
    const double reported = report.at("objective");
    EXPECT_NEAR(reported, static_cast<double>(dual_objective(problem, kernel, coefficients)),
                1e-8 * std::abs(reported));

    const long double primal =
        primal_objective(problem, kernel, coefficients, ours.decisions(problem.input.values), found);
    // Each variable of the dual adds at most the violation times its range; a regression has two a row.
    const long double ranges =
        (problem.regression() ? 2 : 1) * largest_coefficient(problem, found) * problem.weight_sum();
    const long double rounding = 1e-9L * (std::abs(primal) + ranges * 1e-3L);
    EXPECT_GE(primal + reported, -rounding);
    EXPECT_LE(primal + reported, gap * ranges + rounding);
}

void expect_same_decisions(const MarginProblem& problem, const LibdkMachine& ours,
                           const LibsvmMachine& theirs) {
    const std::vector<double> points = rows_and_points_between(problem.input);
    const std::vector<double> decisions = ours.decisions(points);
    const std::vector<double> predictions = ours.predicted_values(points);
    std::vector<double> references;
    double scale = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        references.push_back(theirs.decisions(points.data() + i * problem.input.cols).front());
        scale = std::max(scale, std::abs(references.back()));
    }
    std::size_t clear = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        EXPECT_NEAR(decisions[i], references[i], kDecisionError * scale) << "point " << i;
        if (problem.regression()) {
            EXPECT_EQ(predictions[i], decisions[i]) << "point " << i;
            continue;
        }
        EXPECT_EQ(predictions[i], decisions[i] > 0 ? 1 : -1) << "point " << i;
        // Many rows of a one-class machine lie on its edge, where rounding has the last word.
        if (std::abs(references[i]) < kDecisionError * scale) continue;
        ++clear;
        EXPECT_EQ(predictions[i], static_cast<double>(theirs.predict(points.data() + i * problem.input.cols)))
            << "point " << i << ": decisions " << decisions[i] << " and LIBSVM " << references[i];
    }
    if (!problem.regression()) {
        EXPECT_GE(clear, decisions.size() / 2);
    }
}

// At most nu n rows are at their bound, at least nu n have a coefficient; outside the tube, margin or region
// lie no more than nu n.
void expect_nu_property(const MarginProblem& problem, const LibdkMachine& ours) {
    if (!problem.has_nu() || !problem.weights.empty()) return;
    const nlohmann::json report = ours.training(0);
    const double share = problem.nu * static_cast<double>(problem.input.rows());
    EXPECT_LE(report.at("bounded").get<double>(), share * (1 + 1e-12));
    EXPECT_GE(report.at("support_vectors").get<double>(), share * (1 - 1e-12));

    const Found found = found_by(problem, report);
    const std::vector<double> decisions = ours.decisions(problem.input.values);
    // Rows that may be at the edge are there to within the gap.
    const double edge =
        2 * report.at("gap").get<double>() + 1e-9 * (1 + std::abs(report.at("offset").get<double>()));
    double outside = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        double excess = -decisions[i];
        if (problem.machine == MarginMachine::nu_svm)
            excess = 1 - static_cast<double>(problem.input.labels[i]) * decisions[i];
        if (problem.regression())
            excess = std::abs(problem.targets[i] - decisions[i]) - static_cast<double>(found.epsilon);
        if (excess > edge) ++outside;
    }
    EXPECT_LE(outside, share);
}

void expect_same_tube(const MarginProblem& problem, const LibdkMachine& ours, const LibsvmMachine& theirs) {
    const Problem rows = repeated(problem).input;
    const SingleError error = single_error(kernel_matrix(rows), theirs.coefficients());
    EXPECT_NEAR(ours.training(0).at("epsilon").get<double>(), theirs.printed("epsilon"),
                1e-6 + 2 * kTolerance + static_cast<double>(error.decision));
}

void compare(const MarginProblem& problem) {
    SCOPED_TRACE(name_of(problem.machine) + " on " + problem.input.name);
    const LibsvmMachine theirs(repeated(problem), kTolerance);
    const LibdkMachine ours(problem, kOurTolerance);
    expect_same_objective(problem, ours, theirs);
    expect_true_report(problem, ours);
    expect_same_decisions(problem, ours, theirs);
    expect_nu_property(problem, ours);
    if (problem.machine == MarginMachine::nu_svr) expect_same_tube(problem, ours, theirs);
}

// --- real data -----------------------------------------------------------------------------------

constexpr int kSmooth = -1;  // in place of a column: targets by make_smooth_targets

struct RealCase {
    MarginMachine machine;
    const char* file;
    bool standardised;
    KernelKind kind;
    double gamma_times_cols;
    double nu_or_epsilon;
    double cost;
    int column;  // of the target
};

MarginProblem problem_of(const RealCase& what) {
    MarginProblem problem;
    problem.machine = what.machine;
    problem.input = read_problem(std::string(DK_DATA_DIR "/") + what.file, what.standardised);
    (problem.has_nu() ? problem.nu : problem.epsilon) = what.nu_or_epsilon;
    if (problem.regression() && what.column == kSmooth) make_smooth_targets(problem, 5);
    if (problem.regression() && what.column != kSmooth)
        make_target(problem, static_cast<std::size_t>(what.column));
    problem.input.kernel.kind = what.kind;
    problem.input.kernel.gamma = what.gamma_times_cols / static_cast<double>(problem.input.cols);
    problem.input.kernel.coef0 = 1;
    problem.input.kernel.degree = 3;
    problem.input.cost = what.cost;
    return problem;
}

class RealMargin : public testing::TestWithParam<RealCase> {};

TEST_P(RealMargin, AgreesWithLibsvm) {
    compare(problem_of(GetParam()));
}

constexpr auto kLinear = KernelKind::linear;
constexpr auto kRbf = KernelKind::rbf;
constexpr auto kPoly = KernelKind::poly;

constexpr RealCase kNuSvm[] = {
    {MarginMachine::nu_svm, "sonar.csv", false, kLinear, 1, 0.6, 1, 0},
    {MarginMachine::nu_svm, "sonar.csv", false, kRbf, 10, 0.3, 1, 0},
    {MarginMachine::nu_svm, "sonar.csv", true, kRbf, 1, 0.1, 1, 0},
    {MarginMachine::nu_svm, "sonar.csv", true, kPoly, 1, 0.2, 1, 0},
    {MarginMachine::nu_svm, "ionosphere.csv", false, kLinear, 1, 0.4, 1, 0},
    {MarginMachine::nu_svm, "ionosphere.csv", false, kRbf, 5, 0.2, 1, 0},
    {MarginMachine::nu_svm, "ionosphere.csv", false, kPoly, 1, 0.25, 1, 0},
    {MarginMachine::nu_svm, "breast_cancer.csv", true, kLinear, 1, 0.12, 1, 0},
    {MarginMachine::nu_svm, "breast_cancer.csv", true, kRbf, 1, 0.3, 1, 0},
    {MarginMachine::nu_svm, "breast_cancer.csv", true, kPoly, 0.5, 0.15, 1, 0},
    {MarginMachine::nu_svm, "vehicle.csv", true, kLinear, 1, 0.8, 1, 0},
    {MarginMachine::nu_svm, "vehicle.csv", true, kRbf, 1, 0.5, 1, 0},
    {MarginMachine::nu_svm, "vehicle.csv", true, kPoly, 0.5, 0.55, 1, 0},
    {MarginMachine::nu_svm, "sonar.csv", true, kRbf, 1, 0.004, 1, 0},  // less than one row in all
};

constexpr RealCase kSvr[] = {
    {MarginMachine::svr, "sonar.csv", false, kLinear, 1, 0.05, 1, 10},
    {MarginMachine::svr, "sonar.csv", true, kRbf, 1, 0.1, 10, 30},
    {MarginMachine::svr, "sonar.csv", true, kPoly, 1, 0.05, 1, kSmooth},
    {MarginMachine::svr, "ionosphere.csv", false, kLinear, 1, 0.1, 2, 6},
    {MarginMachine::svr, "ionosphere.csv", false, kRbf, 5, 0.1, 1, 20},
    {MarginMachine::svr, "ionosphere.csv", false, kPoly, 1, 0, 0.5, 4},
    {MarginMachine::svr, "breast_cancer.csv", true, kLinear, 1, 0.2, 0.5, 1},
    {MarginMachine::svr, "breast_cancer.csv", true, kRbf, 1, 0.1, 1, kSmooth},
    {MarginMachine::svr, "breast_cancer.csv", true, kPoly, 0.5, 0.3, 0.1, 0},
    {MarginMachine::svr, "vehicle.csv", true, kLinear, 1, 0.1, 1, 0},
    {MarginMachine::svr, "vehicle.csv", true, kRbf, 1, 0, 1, 1},
    {MarginMachine::svr, "vehicle.csv", false, kRbf, 1e-3, 2, 100, 1},
    {MarginMachine::svr, "vehicle.csv", true, kPoly, 0.5, 0.2, 0.1, kSmooth},
};

constexpr RealCase kNuSvr[] = {
    {MarginMachine::nu_svr, "sonar.csv", false, kLinear, 1, 0.5, 1, 10},
    {MarginMachine::nu_svr, "sonar.csv", true, kRbf, 1, 0.3, 10, 30},
    {MarginMachine::nu_svr, "sonar.csv", true, kPoly, 1, 0.2, 1, kSmooth},
    {MarginMachine::nu_svr, "ionosphere.csv", false, kLinear, 1, 0.3, 2, 6},
    {MarginMachine::nu_svr, "ionosphere.csv", false, kRbf, 5, 0.6, 1, 20},
    {MarginMachine::nu_svr, "ionosphere.csv", false, kPoly, 1, 0.4, 0.5, 4},
    {MarginMachine::nu_svr, "breast_cancer.csv", true, kLinear, 1, 0.2, 0.5, 1},
    {MarginMachine::nu_svr, "breast_cancer.csv", true, kRbf, 1, 0.5, 1, kSmooth},
    {MarginMachine::nu_svr, "breast_cancer.csv", true, kPoly, 0.5, 0.1, 0.1, 0},
    {MarginMachine::nu_svr, "vehicle.csv", true, kLinear, 1, 0.5, 1, 0},
    {MarginMachine::nu_svr, "vehicle.csv", true, kRbf, 1, 0.8, 1, 1},
    {MarginMachine::nu_svr, "vehicle.csv", false, kRbf, 1e-3, 0.3, 100, 1},
    {MarginMachine::nu_svr, "vehicle.csv", true, kPoly, 0.5, 0.5, 0.1, kSmooth},
    {MarginMachine::nu_svr, "ionosphere.csv", false, kRbf, 5, 0.002, 1, 20},  // less than one row in all
};

// Linear and polynomial kernels where the origin is apart from the rows: else the best function is 0.
constexpr RealCase kOneClass[] = {
    {MarginMachine::one_class_svm, "sonar.csv", false, kLinear, 1, 0.2, 1, 0},
    {MarginMachine::one_class_svm, "sonar.csv", false, kRbf, 10, 0.5, 1, 0},
    {MarginMachine::one_class_svm, "sonar.csv", true, kRbf, 1, 0.05, 1, 0},
    {MarginMachine::one_class_svm, "sonar.csv", false, kPoly, 1, 0.3, 1, 0},
    {MarginMachine::one_class_svm, "ionosphere.csv", false, kLinear, 1, 0.5, 1, 0},
    {MarginMachine::one_class_svm, "ionosphere.csv", false, kRbf, 5, 0.1, 1, 0},
    {MarginMachine::one_class_svm, "ionosphere.csv", false, kPoly, 1, 0.2, 1, 0},
    {MarginMachine::one_class_svm, "breast_cancer.csv", false, kLinear, 1, 0.4, 1, 0},
    {MarginMachine::one_class_svm, "breast_cancer.csv", true, kRbf, 1, 0.1, 1, 0},
    {MarginMachine::one_class_svm, "breast_cancer.csv", true, kPoly, 0.1, 0.3, 1, 0},
    {MarginMachine::one_class_svm, "vehicle.csv", true, kRbf, 1, 0.5, 1, 0},
    {MarginMachine::one_class_svm, "vehicle.csv", false, kRbf, 1e-3, 0.02, 1, 0},
    {MarginMachine::one_class_svm, "vehicle.csv", true, kPoly, 0.1, 0.25, 1, 0},
    {MarginMachine::one_class_svm, "sonar.csv", false, kRbf, 10, 0.003, 1, 0},  // less than one row in all
};

std::string case_name(const testing::TestParamInfo<RealCase>& info) {
    const std::string file = info.param.file;
    const char* kernels[] = {"linear", "rbf", "poly"};
    return file.substr(0, file.find('.')) + "_" + kernels[static_cast<int>(info.param.kind)] + "_" +
           std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(NuSvm, RealMargin, testing::ValuesIn(kNuSvm), case_name);
INSTANTIATE_TEST_SUITE_P(Svr, RealMargin, testing::ValuesIn(kSvr), case_name);
INSTANTIATE_TEST_SUITE_P(NuSvr, RealMargin, testing::ValuesIn(kNuSvr), case_name);
INSTANTIATE_TEST_SUITE_P(OneClass, RealMargin, testing::ValuesIn(kOneClass), case_name);

// --- random problems -----------------------------------------------------------------------------

// A nu_svm has a margin only where nu is neither too small nor too large for its classes. That of the C-SVC
// solution always is: there the two machines have the same function.
double nu_of_cost(const Problem& input) {
    long double sum = 0;
    for (const long double alpha : LibsvmMachine(input, kTolerance).multipliers()) sum += alpha;
    return static_cast<double>(sum / (input.cost * static_cast<long double>(input.rows())));
}

// Values on a grid so fine that the problem stays what it is, and so coarse that their products are exact in
// single precision. A linear kernel's matrix is often singular, and LIBSVM's rounding of it moves the
// solution.
void round_rows(Problem& input) {
    for (double& value : input.values) value = std::round(64 * value) / 64;
}

MarginProblem random_margin(MarginMachine machine, unsigned number) {
    std::mt19937_64 generator(500 + number);
    MarginProblem problem;
    problem.machine = machine;
    problem.input = random_problem(number);
    problem.input.negative_weight = problem.input.positive_weight = 1;
    if (problem.input.kernel.kind == KernelKind::linear) round_rows(problem.input);
    problem.epsilon = std::uniform_real_distribution<double>(0, 0.5)(generator);
    problem.nu = std::uniform_real_distribution<double>(0.05, 0.9)(generator);
    if (problem.regression()) make_smooth_targets(problem, number);
    if (machine == MarginMachine::nu_svm) {
        const auto positives =
            static_cast<double>(std::count(problem.input.labels.begin(), problem.input.labels.end(), 1));
        const auto rows = static_cast<double>(problem.input.rows());
        // Just below the largest nu that there is, where all rows of one class are at their bound.
        problem.nu =
            std::min(nu_of_cost(problem.input), 0.999 * 2 * std::min(positives, rows - positives) / rows);
    }
    return problem;
}

class RandomMargin : public testing::TestWithParam<unsigned> {};

TEST_P(RandomMargin, NuSvmAgreesWithLibsvm) {
    compare(random_margin(MarginMachine::nu_svm, GetParam()));
}
TEST_P(RandomMargin, SvrAgreesWithLibsvm) {
    compare(random_margin(MarginMachine::svr, GetParam()));
}
TEST_P(RandomMargin, NuSvrAgreesWithLibsvm) {
    compare(random_margin(MarginMachine::nu_svr, GetParam()));
}
TEST_P(RandomMargin, OneClassAgreesWithLibsvm) {
    MarginProblem problem = random_margin(MarginMachine::one_class_svm, GetParam());
    // The clouds are about the origin, which other kernels cannot tell from them.
    problem.input.kernel.kind = KernelKind::rbf;
    compare(problem);
}

INSTANTIATE_TEST_SUITE_P(Libsvm, RandomMargin, testing::Range(0U, 12U));

// --- the largest shares --------------------------------------------------------------------------

MarginProblem sonar_with(MarginMachine machine, double nu) {
    return problem_of({machine, "sonar.csv", true, kRbf, 1, nu, 1, kSmooth});
}

// Where every row of a class is at its bound, LIBSVM has no threshold; the primal still tells the best one.
TEST(LargestShare, HasTheBestThreshold) {
    MarginProblem classes = sonar_with(MarginMachine::nu_svm, 1);
    const std::vector<std::int64_t>& labels = classes.input.labels;
    const auto positives = static_cast<double>(std::count(labels.begin(), labels.end(), 1));
    const auto rows = static_cast<double>(labels.size());
    const double largest = 2 * std::min(positives, rows - positives) / rows;
    classes.nu = largest;
    expect_true_report(classes, LibdkMachine(classes, kOurTolerance));

    classes.nu = largest * (1 + 1e-9);
    EXPECT_THROW(LibsvmMachine(classes, kTolerance), std::runtime_error);
    try {
        const LibdkMachine machine(classes, kOurTolerance);
        ADD_FAILURE() << "accepted; training report " << machine.training(0).dump();
    } catch (const CallFailed& failure) {
        EXPECT_EQ(failure.status(), DK_ERR_INVALID_PARAMETER) << failure.what();
    }
    for (const MarginMachine machine : {MarginMachine::nu_svr, MarginMachine::one_class_svm}) {
        SCOPED_TRACE(name_of(machine));
        const MarginProblem all = sonar_with(machine, 1);
        expect_true_report(all, LibdkMachine(all, kOurTolerance));
    }
}

// --- programs that are hard ----------------------------------------------------------------------

// Fewer than 300 rows, and a kernel matrix of bad condition. LIBSVM needs less than 10^7 steps, which is the
// limit of both, for a hundredth of this tolerance.
TEST(BadCondition, ConvergesAsLibsvmDoes) {
    for (const MarginMachine machine : {MarginMachine::svr, MarginMachine::nu_svr}) {
        SCOPED_TRACE(name_of(machine));
        const MarginProblem problem = random_margin(machine, 41);
        const LibsvmMachine theirs(problem, 1e-6);
        ASSERT_LT(theirs.printed("#iter"), 1e7);
        const LibdkMachine ours(problem, "tolerance=1e-6");
        EXPECT_TRUE(ours.training(0).at("converged").get<bool>()) << ours.training(0).dump();
        expect_same_objective(problem, ours, theirs);
    }
}

// Classes of one distribution: with a linear kernel and a small nu their reduced hulls meet, the best rho is
// 0, and what is found for it is no more than the tolerance. No function follows from that.
TEST(NuOfClassesThatOverlap, IsRefused) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        MarginProblem problem;
        problem.machine = MarginMachine::nu_svm;
        problem.input = random_classes(seed, 1, 60, 2, 1);
        for (std::size_t i = 0; i < problem.input.rows(); ++i) problem.input.labels[i] = i % 2 == 0 ? 1 : -1;
        problem.nu = 0.2;
        for (const char* tolerance : {"tolerance=1e-3", "tolerance=1e-8"}) {
            try {
                const LibdkMachine machine(problem, tolerance);
                ADD_FAILURE() << "seed " << seed << ", " << tolerance << ": accepted; training report "
                              << machine.training(0).dump();
            } catch (const CallFailed& failure) {
                EXPECT_EQ(failure.status(), DK_ERR_NUMERICAL) << failure.what();
            }
        }
    }
}

// --- several classes -----------------------------------------------------------------------------

// Every pair has its own rho, and nu is a share of the pair's rows.
TEST(NuOfSeveralClasses, PairsAgreeWithLibsvm) {
    constexpr std::size_t kClasses = 4;
    constexpr std::size_t kPairs = kClasses * (kClasses - 1) / 2;
    MarginProblem problem;
    problem.machine = MarginMachine::nu_svm;
    problem.input = random_classes(11, kClasses, 60 * kClasses, 4, 1.5);
    problem.input.kernel.kind = KernelKind::rbf;
    problem.input.kernel.gamma = 0.1;
    problem.nu = 0.3;
    const LibsvmMachine theirs(problem, kTolerance);
    const LibdkMachine ours(problem, std::string(kOurTolerance) + " multiclass=ovo");
    const Problem fresh = random_classes(11, kClasses, 100 * kClasses, 4, 3);
    const std::vector<double> decisions = ours.decisions(fresh.values);
    ASSERT_EQ(decisions.size(), fresh.rows() * kPairs);
    for (std::size_t i = 0; i < fresh.rows(); ++i) {
        const std::vector<double> references = theirs.decisions(fresh.row(i));
        for (std::size_t pair = 0; pair < kPairs; ++pair)
            EXPECT_NEAR(decisions[i * kPairs + pair], references[pair], 1e-4)
                << "row " << i << " pair " << pair;
    }
}

// --- weights -------------------------------------------------------------------------------------

// A row of weight 2 is the row given twice, one of weight 0 is left out.
class Weights : public testing::TestWithParam<RealCase> {};

void set_weights(MarginProblem& problem, double smallest) {
    for (std::size_t i = 0; i < problem.input.rows(); ++i) {
        double weight = i % 3 == 0 ? 2 : 1;
        if (i % 10 == 7) weight = 3;
        if (i % 11 == 5) weight = smallest;
        problem.weights.push_back(weight);
    }
}

TEST_P(Weights, AreRepeatedRows) {
    MarginProblem problem = problem_of(GetParam());
    set_weights(problem, 1);
    compare(problem);
    const LibdkMachine weighted(problem, kOurTolerance);
    const LibdkMachine again(repeated(problem), kOurTolerance);
    const double objective = weighted.training(0).at("objective");
    EXPECT_NEAR(objective, again.training(0).at("objective").get<double>(), 1e-7 * std::abs(objective));
}

TEST_P(Weights, OfZeroLeaveRowsOut) {
    MarginProblem problem = problem_of(GetParam());
    set_weights(problem, 0);
    compare(problem);
}

constexpr RealCase kWeighted[] = {
    {MarginMachine::nu_svm, "sonar.csv", false, kRbf, 10, 0.3, 1, 0},
    {MarginMachine::nu_svm, "ionosphere.csv", false, kLinear, 1, 0.4, 1, 0},
    {MarginMachine::svr, "sonar.csv", true, kRbf, 1, 0.1, 10, 30},
    {MarginMachine::svr, "ionosphere.csv", false, kLinear, 1, 0.1, 2, 6},
    {MarginMachine::nu_svr, "sonar.csv", true, kRbf, 1, 0.3, 10, 30},
    {MarginMachine::nu_svr, "ionosphere.csv", false, kPoly, 1, 0.4, 0.5, 4},
    {MarginMachine::one_class_svm, "sonar.csv", false, kPoly, 1, 0.3, 1, 0},
    {MarginMachine::one_class_svm, "ionosphere.csv", false, kRbf, 5, 0.1, 1, 0},
};

std::string weighted_name(const testing::TestParamInfo<RealCase>& info) {
    return name_of(info.param.machine) + "_" + case_name(info);
}

INSTANTIATE_TEST_SUITE_P(Libsvm, Weights, testing::ValuesIn(kWeighted), weighted_name);

// --- nu in place of C and epsilon ----------------------------------------------------------------

void expect_equal_decisions(const LibdkMachine& first, const LibdkMachine& second, const Problem& input) {
    const std::vector<double> points = rows_and_points_between(input);
    const std::vector<double> one = first.decisions(points);
    const std::vector<double> other = second.decisions(points);
    double scale = 0;
    for (const double decision : one) scale = std::max(scale, std::abs(decision));
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-5 * scale) << "point " << i;
}

// nu = sum(alpha) / (C n) of a solution of svm gives the same function, and rho = 1 / C.
TEST(NuInPlaceOfC, GivesTheSameFunction) {
    for (const char* file : {"sonar.csv", "ionosphere.csv", "vehicle.csv"}) {
        SCOPED_TRACE(file);
        MarginProblem problem = problem_of({MarginMachine::nu_svm, file, true, kRbf, 1, 0.5, 4, 0});
        const LibdkMachine with_cost(problem.input, "loss=hinge tolerance=1e-9");
        long double sum = 0;
        for (const long double alpha : with_cost.multipliers(kernel_matrix(problem.input))) sum += alpha;
        problem.nu =
            static_cast<double>(sum) / (problem.input.cost * static_cast<double>(problem.input.rows()));
        const LibdkMachine with_nu(problem, "tolerance=1e-9");
        EXPECT_NEAR(with_nu.training(0).at("rho").get<double>(), 1 / problem.input.cost, 1e-6);
        expect_equal_decisions(with_cost, with_nu, problem.input);
    }
}

// The tube that nu_svr finds, given to svr, gives the same function.
TEST(NuInPlaceOfEpsilon, GivesTheSameFunction) {
    for (const char* file : {"sonar.csv", "ionosphere.csv", "vehicle.csv"}) {
        SCOPED_TRACE(file);
        MarginProblem problem = problem_of({MarginMachine::nu_svr, file, true, kRbf, 1, 0.4, 2, kSmooth});
        const LibdkMachine with_nu(problem, "tolerance=1e-9");
        problem.machine = MarginMachine::svr;
        problem.epsilon = with_nu.training(0).at("epsilon");
        const LibdkMachine with_epsilon(problem, "tolerance=1e-9");
        expect_equal_decisions(with_epsilon, with_nu, problem.input);
    }
}

}  // namespace
}  // namespace dk_reference

// SPDX-License-Identifier: Apache-2.0
//
// Support vector machines of two classes, y_i = +-1, find f(x) = <w, x> + b by one of three programs, and
// logistic regression, which is the fourth, of machine/margin/logistic_margin.cpp:
//
//     hinge           min over w, b, xi of   1/2 |w|^2 + sum_i C_i xi_i             (31)
//     squared_hinge   min over w, b, xi of   1/2 |w|^2 + 1/2 sum_i C_i xi_i^2       (27)
//     hard            min over w, b of       1/2 |w|^2, where all xi_i are 0        (17)
//     logistic        min over w, b of       1/2 |w|^2 + sum_i C_i log(1 + exp(-y_i f(x_i)))
//     subject to      y_i f(x_i) >= 1 - xi_i,   xi_i >= 0
//
// The paper has no factors of 1/2. With them 0 <= alpha_i <= C_i is the box of the first dual (32), as in
// most of the literature. The duals of the first two are, with beta_i = y_i alpha_i and w = sum_i beta_i x_i,
//
//     min over beta of   1/2 beta' (K + diag(ridge)) beta - y' beta   subject to   sum_i beta_i = 0,
//     hinge              0 <= y_i beta_i <= C_i and ridge_i = 0                     (32)
//     squared_hinge      0 <= y_i beta_i and ridge_i = 1 / C_i                      (28)
//
// The hard margin is found by the nearest points p+ and p- of the convex hulls of both classes,
//
//     min over alpha of   1/2 |p+ - p-|^2,   p+- = sum of alpha_i x_i over the class,
//     subject to          alpha_i >= 0, with sum 1 over each class.
//
//     letter          name
//     y, K            binary.signs, gram
//     C_i             row_costs()
//     beta, b         BinarySolution::gamma, BinarySolution::offset
//
// A. Graf, O. Bousquet, G. Raetsch, B. Schoelkopf, Prototype classification: insights from machine learning,
// Neural Computation 21, 2009, sections 5.1 and 6.2.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/margin/logistic_margin.hpp"
#include "machine/margin/margin_report.hpp"
#include "solve/box/smo.hpp"
#include "weights/group_lasso/feature_margins.hpp"

namespace dk {

namespace {

enum class Loss { hinge, squared_hinge, hard, logistic };

/// Reads the factors of C by class name from a text such as "label:weight,label:weight".
std::map<std::string, double> parse_class_weights(const std::string& setting) {
    std::map<std::string, double> weights;
    if (setting == "none" || setting == "balanced") return weights;
    for (const auto& pair : split(setting, ',')) {
        const auto colon = pair.rfind(':');
        const auto value = colon == std::string::npos ? std::nullopt : parse_number(pair.substr(colon + 1));
        if (!value || *value <= 0 || pair.find(':') != colon) {
            fail(Status::invalid_parameter, "class_weight cannot be ", in_quotes(setting),
                 ": allowed is none, balanced, or label:weight,label:weight with weights greater than 0 "
                 "(default none)");
        }
        weights[pair.substr(0, colon)] = *value;
    }
    return weights;
}

}  // namespace

namespace parameter {
constexpr RealKey cost{
    "C", 1, Range::positive(),
    "A larger C makes slack cost more, so that the machine fits the training rows more closely."};
constexpr ChoiceKey<Loss> loss{
    "loss",
    {"hinge", "squared_hinge", "hard", "logistic"},
    "Slack counts by its size (hinge, the 1-norm machine) or by its square (squared_hinge, the 2-norm "
    "machine), or is not allowed (hard). With logistic, every row costs the logarithm of 1 over its "
    "probability, so that decisions are log odds, of classes and "
    "rows as they are weighed, and models have probabilities without probability=yes."};
constexpr TextKey class_weight{
    "class_weight", "none",
    "A factor for each class multiplies C: none leaves C as it is, balanced makes every class weigh the "
    "same, and label:weight,label:weight gives the factors.",
    ParameterType::text, [](const std::string& value) { static_cast<void>(parse_class_weights(value)); }};
}  // namespace parameter

namespace {

void require_known_classes(const std::map<std::string, double>& weights, const Dataset& data) {
    for (const auto& [name, weight] : weights) {
        bool known = false;
        for (Index c = 0; c < data.label_count(); ++c) known = known || data.label_name(c) == name;
        if (!known)
            fail(Status::invalid_parameter, "class_weight names the class ", in_quotes(name),
                 ", which the data do not have");
    }
}

struct ClassFactors {
    double positive = 1;
    double negative = 1;
};

/// Finds the factors of C of both classes. With balanced they are n / (2 n_class), so that both weigh the
/// same.
ClassFactors class_factors(const BinaryProblem& binary) {
    const std::string& setting = binary.problem.parameters[parameter::class_weight];
    if (setting == "balanced") {
        const double n = binary.rows();
        const double positives = std::ranges::count(binary.signs, 1.0);
        return {n / (2 * positives), n / (2 * (n - positives))};
    }
    const auto weights = parse_class_weights(setting);
    const auto factor = [&](const std::string& name) {
        const auto found = weights.find(name);
        return found == weights.end() ? 1.0 : found->second;
    };
    return {factor(binary.positive_class), factor(binary.negative_class)};
}

/// Computes C_i of every row: C times the weights of its class and its sample.
std::vector<double> row_costs(const BinaryProblem& binary) {
    const double c = binary.problem.parameters[parameter::cost];
    const ClassFactors factors = class_factors(binary);
    std::vector<double> costs;
    for (std::size_t i = 0; i < binary.signs.size(); ++i) {
        costs.push_back(c * binary.sample_weights[i] *
                        (binary.signs[i] > 0 ? factors.positive : factors.negative));
    }
    return costs;
}

/// Where more of the support vectors than this are bounded, so many of them move with C that a start from
/// nothing is as near to the next solution: starting there took from 0.9 to 1.6 times as long on raw counts
/// of words, and half as long where hardly any is bounded.
constexpr double most_bounded = 0.05;

/// Begins the program near what an earlier one has found: that of a smaller C, or of fewer rows.
void start_near(BoxProgram& program, std::span<const double> earlier) {
    if (std::ssize(earlier) != program.size()) return;
    std::vector<double> start(earlier.begin(), earlier.end());
    for (Index t = 0; t < program.size(); ++t)
        start[t] = std::clamp(start[t], program.lower[t], program.upper[t]);
    restore_sums(program, start);
    program.start = std::move(start);
}

BinarySolution solution_of(const BoxProgram& program, const SmoSolution& solved) {
    BinarySolution solution{
        .gamma = solved.beta, .offset = smo_offset(program, solved), .length = solved.length};
    report_solution(solution.report, program, solved);
    return solution;
}

/// Hands the variables of a solution on, unless too many of them are at their bounds, and the function, where
/// none is.
void hand_on(FunctionPath& path, double cost, const BoxProgram& program, SmoSolution solved) {
    double support = 0;
    double bounded = 0;
    for (Index t = 0; t < program.size(); ++t) {
        if (solved.beta[t] == 0) continue;
        support += 1;
        if (solved.beta[t] == program.lower[t] || solved.beta[t] == program.upper[t]) bounded += 1;
    }
    path = {};
    // What has not converged would lend its iterations to the next one.
    if (!solved.converged) return;
    if (bounded <= most_bounded * support) path.duals = solved.beta;
    if (bounded > 0 || !program.ridge.empty()) return;
    solved.iterations = 0;  // Trainings with larger C take none.
    solved.rounds = 0;
    path.unbounded = {cost, solution_of(program, solved)};
}

/// Solves the dual (32), or (28) where slack counts by its square. Rows of cost 0 stay out of both.
BinarySolution train_soft_margin(const BinaryProblem& binary, TrainingGram& gram, bool squared) {
    if (binary.path != nullptr && binary.path->unbounded) {
        const auto& [cost, solution] = *binary.path->unbounded;
        if (binary.problem.parameters[parameter::cost] >= cost) return solution;
    }
    const auto costs = row_costs(binary);
    const std::size_t n = costs.size();
    BoxProgram program = zero_program(gram, binary.rows());
    for (std::size_t i = 0; i < n; ++i) {
        program.linear[i] = -binary.signs[i];
        const double bound = squared && costs[i] > 0 ? infinity : costs[i];
        (binary.signs[i] > 0 ? program.upper[i] : program.lower[i]) = binary.signs[i] * bound;
        if (squared) program.ridge.push_back(costs[i] > 0 ? 1 / costs[i] : 0.0);
    }
    start_near(program, binary.start);
    if (binary.path != nullptr) start_near(program, binary.path->duals);
    const SmoSolution solved =
        solve_smo(program, smo_options(binary.problem.parameters), binary.problem.control);
    if (binary.path != nullptr)
        hand_on(*binary.path, binary.problem.parameters[parameter::cost], program, solved);
    return solution_of(program, solved);
}

/// Makes the program of the nearest points, in beta = alpha y: beta sums to 1 in the positive class and to -1
/// in the negative one, and begins with one row of each. Rows of weight 0 stay out.
BoxProgram nearest_points_program(const BinaryProblem& binary, TrainingGram& gram) {
    const Index n = binary.rows();
    BoxProgram program = zero_program(gram, n);
    program.in_second.assign(n, 0);
    for (const double sign : {1.0, -1.0}) {
        bool started = false;
        for (Index i = 0; i < n; ++i) {
            if (binary.signs[i] != sign) continue;
            program.in_second[i] = sign < 0 ? 1 : 0;
            if (binary.sample_weights[i] == 0) continue;
            (sign > 0 ? program.upper[i] : program.lower[i]) = sign;
            if (!started) program.start[i] = sign;
            started = true;
        }
    }
    return program;
}

/// Solves the program such that its gap is small beside |p+ - p-|^2, which is not known before. So the
/// tolerance falls until that is so, or until rounding leaves nothing to gain. `scale` is the largest squared
/// length of a row. Throws Error(numerical) where the hulls touch.
SmoSolution solve_nearest_points(BoxProgram& program, double scale, SmoOptions options, Control& control) {
    const double tolerance = options.tolerance;
    options.tolerance = tolerance * scale;
    bool rough_search = false;
    while (true) {
        SmoSolution solved = solve_smo(program, options, control);
        solved.rough_search = rough_search = rough_search || solved.rough_search;
        options.rough_search = false;  // What follows is beyond single precision.
        const double squared_distance = 2 * solved.objective;
        if (!(squared_distance > 1e-14 * scale)) {
            fail(Status::numerical,
                 "the classes are not separable in this kernel's feature space: their hulls are ",
                 std::sqrt(std::max(squared_distance, 0.0)),
                 " apart, which is nothing beside vectors of length ", std::sqrt(scale),
                 "; use loss=hinge or squared_hinge");
        }
        if (!solved.converged || solved.gap <= 0.5 * tolerance * squared_distance) return solved;
        if (options.tolerance < 1e-13 * scale) {
            solved.converged = false;
            return solved;
        }
        program.start = solved.beta;
        options.tolerance *= 0.1;
    }
}

/// Solves (17) by the nearest points: w = 2 (p+ - p-) / |p+ - p-|^2, and b puts the boundary halfway, so that
/// f = +-1 at the nearest points and the shift S is 0.
BinarySolution train_hard_margin(const BinaryProblem& binary, TrainingGram& gram) {
    BoxProgram program = nearest_points_program(binary, gram);
    const double scale = std::max(std::ranges::max(gram.diagonal()), 1e-300);
    SmoSolution solved =
        solve_nearest_points(program, scale, smo_options(binary.problem.parameters), binary.problem.control);
    const double squared_distance = 2 * solved.objective;
    const double factor = 2 / squared_distance;
    BinarySolution solution;
    double positive = 0;  // <p+, p+ - p->
    double negative = 0;  // <p-, p+ - p->
    for (Index i = 0; i < binary.rows(); ++i) {
        (binary.signs[i] > 0 ? positive : negative) -= binary.signs[i] * solved.beta[i] * solved.descent[i];
        solution.gamma.push_back(factor * solved.beta[i]);
    }
    solution.offset = -0.5 * factor * (positive + negative);
    solution.length = 2 / std::sqrt(squared_distance);
    // The report tells of the dual (18), which factor alpha solves, so that it compares with those of other
    // losses.
    solved.objective = -2 / squared_distance;
    solved.gap *= factor;
    program.lower.assign(binary.signs.size(), -infinity);
    program.upper.assign(binary.signs.size(), infinity);
    report_solution(solution.report, program, solved);
    solution.report.add("margin", 0.5 * std::sqrt(squared_distance));
    return solution;
}

/// Adds the report of Newton's method to the function that it found. It tells the dual's objective, whose
/// sign is the other one.
template <typename Solved>
BinarySolution with_report(BinarySolution solution, const Solved& solved) {
    solution.report.add("objective", -solved.objective)
        .add("gap", solved.gap * solved.objective)
        .add("iterations", solved.steps)
        .add("converged", solved.converged)
        .add("support_vectors", std::ssize(solution.gamma) - std::ranges::count(solution.gamma, 0.0))
        .add("bounded", std::int64_t{0});
    return solution;
}

std::int64_t newton_steps(const Parameters& parameters) {
    constexpr std::int64_t most = 200;
    const std::int64_t given = parameters[parameter::max_iterations];
    return given > 0 ? std::min(given, most) : most;
}

/// Solves (27) in the features of the kernel, without a matrix of all rows.
BinarySolution train_in_features(const BinaryProblem& binary, const Dataset& rows) {
    const Parameters& parameters = binary.problem.parameters;
    // Conditions that are violated by the tolerance cost the objective about its square.
    const double tolerance = std::min(parameters[parameter::tolerance], 0.1);
    FeatureMarginSolution solved =
        solve_feature_margin(binary.problem.kernel, rows, {binary.signs, row_costs(binary)},
                             {.gap = 0.01 * tolerance * tolerance, .most_steps = newton_steps(parameters)},
                             binary.problem.budget, binary.problem.control);
    return with_report({.gamma = std::move(solved.v), .offset = solved.offset}, solved);
}

/// Solves logistic regression; `solve` has the rows and the options.
template <typename Solve>
BinarySolution train_logistic(const BinaryProblem& binary, Solve solve) {
    const Parameters& parameters = binary.problem.parameters;
    const double tolerance = std::min(parameters[parameter::tolerance], 0.1);
    LogisticSolution solved =
        solve(LogisticRows{.signs = binary.signs, .costs = row_costs(binary)},
              LogisticOptions{.gap = 0.01 * tolerance * tolerance, .most_steps = newton_steps(parameters)});
    return with_report({.gamma = std::move(solved.coefficients), .offset = solved.offset}, solved);
}

TrainedMachine train_logistic_regression(const TrainingProblem& problem) {
    const auto in_features = [](const BinaryProblem& binary, const Dataset& rows) {
        const TrainingProblem& own = binary.problem;
        return train_logistic(binary, [&](const LogisticRows& costs, const LogisticOptions& options) {
            return solve_logistic_in_features(own.kernel, rows, costs, options, own.budget, own.control);
        });
    };
    const auto by_gram = [](const BinaryProblem& binary, TrainingGram& gram) {
        const TrainingProblem& own = binary.problem;
        return train_logistic(binary, [&](const LogisticRows& costs, const LogisticOptions& options) {
            return solve_logistic_by_gram(gram, costs, options, own.budget, own.control);
        });
    };
    TrainedMachine trained = have_features({problem.kernel}, problem.data.rows())
                                 ? train_by_binary_reduction(problem, RowTrainer(in_features))
                                 : train_by_binary_reduction(problem, GramTrainer(by_gram), MatrixUse::whole);
    trained.log_odds = problem.parameters[parameter::multiclass] != Multiclass::nearest_prototype;
    return trained;
}

TrainedMachine train_svm(const TrainingProblem& problem) {
    const Loss loss = problem.parameters[parameter::loss];
    require_known_classes(parse_class_weights(problem.parameters[parameter::class_weight]), problem.data);
    if (loss == Loss::logistic) return train_logistic_regression(problem);
    if (loss == Loss::squared_hinge && have_features({problem.kernel}, problem.data.rows()))
        return train_by_binary_reduction(problem, RowTrainer(train_in_features));
    const auto trainer = [&](const BinaryProblem& binary, TrainingGram& gram) {
        return loss == Loss::hard ? train_hard_margin(binary, gram)
                                  : train_soft_margin(binary, gram, loss == Loss::squared_hinge);
    };
    return train_by_binary_reduction(problem, GramTrainer(trainer), MatrixUse::blocks_and_products);
}

/// Tells strategies that weigh kernels what slack costs. The hard margin is nearly that of a large cost of
/// squared slack, which exists for every mixture of kernels; the hinge stands in for logistic costs.
MachineLoss loss_of_slack(const Parameters& parameters, const Dataset& data) {
    MachineLoss loss;
    const Loss own = parameters[parameter::loss];
    if (own == Loss::squared_hinge || own == Loss::hard) loss.errors = ErrorLoss::squared_hinge;
    if (own == Loss::hard) loss.cost = 1e6;
    const std::string& setting = parameters[parameter::class_weight];
    loss.balanced = setting == "balanced";
    const auto weights = parse_class_weights(setting);
    if (weights.empty() || (!data.labels && !data.label_sets)) return loss;
    require_known_classes(weights, data);
    for (Index c = 0; c < data.label_count(); ++c) {
        const auto found = weights.find(data.label_name(c));
        loss.class_costs.push_back(found == weights.end() ? 1.0 : found->second);
    }
    return loss;
}

}  // namespace

Machine svm_machine() {
    return {
        .name = "svm",
        .doc =
            "The support vector machine separates classes by the largest margin, with slack (the 1-norm and "
            "the 2-norm machine) or without (the hard margin), or by the log odds of logistic regression.",
        .reference =
            "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009; "
            "solver: Fan, Chen, Lin, "
            "JMLR 6, 2005",
        .task = Task::classification,
        .parameters = {parameter::cost, parameter::loss, parameter::tolerance, parameter::max_iterations,
                       parameter::class_weight, parameter::multiclass},
        .train = train_svm,
        .loss = loss_of_slack,
        .left_out = LeftOutRow::trained,
        .several_labels = true,
        .updates = true};
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/margin/margin_report.hpp"
#include "solve/box/smo.hpp"

namespace dk {

namespace {

enum class Loss { hinge, squared_hinge, hard };

/// Factors of C by class name: from "label:weight,label:weight".
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
constexpr RealKey cost{"C", 1, Range::positive(),
                       "The cost of slack: a larger C fits the training rows more closely."};
constexpr ChoiceKey<Loss> loss{
    "loss",
    {"hinge", "squared_hinge", "hard"},
    "How slack counts: by its size (hinge, the 1-norm machine), by its square (squared_hinge, the 2-norm "
    "machine), or not allowed (hard)."};
constexpr TextKey class_weight{
    "class_weight", "none",
    "Factors of C by class: none, balanced (every class weighs the same), or label:weight,label:weight.",
    ParameterType::text, [](const std::string& value) { static_cast<void>(parse_class_weights(value)); }};
}  // namespace parameter

namespace {

void require_known_classes(const std::map<std::string, double>& weights, const Labels& labels) {
    for (const auto& [name, weight] : weights) {
        bool known = false;
        for (Index c = 0; c < labels.classes(); ++c) known = known || labels.class_name(c) == name;
        if (!known)
            fail(Status::invalid_parameter, "class_weight names the class ", in_quotes(name),
                 ", which the data do not have");
    }
}

struct ClassFactors {
    double positive = 1;
    double negative = 1;
};

/// balanced: n / (2 n_class), so that both classes weigh the same.
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

/// C of every row: C times the weights of its class and its sample.
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

/// 1/2 |w|^2 + sum C_i xi_i (box C_i), or 1/2 |w|^2 + 1/2 sum C_i xi_i^2 (ridge 1/C_i, no box), with
/// b_i = y_i alpha_i.
BinarySolution train_soft_margin(const BinaryProblem& binary, TrainingGram& gram, bool squared) {
    const auto costs = row_costs(binary);
    const std::size_t n = costs.size();
    BoxProgram program = zero_program(gram, binary.rows());
    for (std::size_t i = 0; i < n; ++i) {
        program.linear[i] = -binary.signs[i];
        const double bound = squared && costs[i] > 0 ? infinity : costs[i];
        (binary.signs[i] > 0 ? program.upper[i] : program.lower[i]) = binary.signs[i] * bound;
        if (squared) program.ridge.push_back(costs[i] > 0 ? 1 / costs[i] : 0.0);
    }
    SmoSolution solved = solve_smo(program, smo_options(binary.problem.parameters), binary.problem.control);
    BinarySolution solution;
    solution.offset = smo_offset(program, solved);
    report_solution(solution.report, program, solved);
    solution.gamma = std::move(solved.beta);
    return solution;
}

/// The nearest points p+ and p- of the convex hulls of both classes: min 1/2 |p+ - p-|^2 with
/// coefficients that sum to 1 in each class. The maximum-margin f is then affine with f = +-1 there,
/// and S = 0 (Graf et al. 2008, eq. 16 to 18).
BinarySolution train_hard_margin(const BinaryProblem& binary, TrainingGram& gram) {
    const auto n = binary.rows();
    BoxProgram program = zero_program(gram, binary.rows());
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
    const double scale = std::max(std::ranges::max(gram.diagonal()), 1e-300);
    SmoOptions options = smo_options(binary.problem.parameters);
    const double tolerance = options.tolerance;
    SmoSolution solved;
    double squared_distance = 0;
    // The gap of this program is in units of |p+ - p-|^2, which is not known before: tighten until the
    // gap is small against it, or rounding is reached and the hulls touch.
    options.tolerance = tolerance * scale;
    while (true) {
        solved = solve_smo(program, options, binary.problem.control);
        squared_distance = 2 * solved.objective;
        const bool touching = !(squared_distance > 1e-14 * scale);
        if (!touching && (!solved.converged || solved.gap <= 0.5 * tolerance * squared_distance)) break;
        if (touching) {
            fail(Status::numerical,
                 "the classes are not separable in this kernel's feature space: their hulls are ",
                 std::sqrt(std::max(squared_distance, 0.0)),
                 " apart, which is nothing beside vectors of length ", std::sqrt(scale),
                 "; use loss=hinge or squared_hinge");
        }
        if (options.tolerance < 1e-13 * scale) {  // rounding leaves nothing to gain
            solved.converged = false;
            break;
        }
        program.start = solved.beta;
        options.tolerance *= 0.1;
    }
    const double factor = 2 / squared_distance;  // f = +-1 at the nearest points
    BinarySolution solution;
    double positive = 0;  // p+ . (p+ - p-)
    double negative = 0;
    for (Index i = 0; i < n; ++i) {
        (binary.signs[i] > 0 ? positive : negative) -= binary.signs[i] * solved.beta[i] * solved.descent[i];
        solution.gamma.push_back(factor * solved.beta[i]);
    }
    solution.offset = -0.5 * factor * (positive + negative);
    // in the scale of the other losses: 1/2 a'Qa - sum a with a = factor alpha
    solved.objective = -2 / squared_distance;
    solved.gap *= factor;
    program.lower.assign(n, -infinity);
    program.upper.assign(n, infinity);
    report_solution(solution.report, program, solved);
    solution.report.add("margin", 0.5 * std::sqrt(squared_distance));
    return solution;
}

TrainedMachine train_svm(const TrainingProblem& problem) {
    const Loss loss = problem.parameters[parameter::loss];
    require_known_classes(parse_class_weights(problem.parameters[parameter::class_weight]),
                          *problem.data.labels);
    return train_by_binary_reduction(problem, [&](const BinaryProblem& binary, TrainingGram& gram) {
        return loss == Loss::hard ? train_hard_margin(binary, gram)
                                  : train_soft_margin(binary, gram, loss == Loss::squared_hinge);
    });
}

}  // namespace

Machine svm_machine() {
    return {
        .name = "svm",
        .doc = "Support vector machine with the 1-norm, the 2-norm or a hard margin.",
        .reference =
            "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008; solver: Fan, Chen, Lin, "
            "JMLR 6, 2005",
        .task = Task::classification,
        .parameters = {parameter::cost, parameter::loss, parameter::tolerance, parameter::max_iterations,
                       parameter::class_weight, parameter::multiclass},
        .train = train_svm};
}

}  // namespace dk

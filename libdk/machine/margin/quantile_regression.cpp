// SPDX-License-Identifier: Apache-2.0
// Quantile and expectile regression. A function f of level tau minimises
//
//     1/2 |w|^2 + C sum_i s_i l_tau(y_i - f(x_i)),   f(x) = w . phi(x) + b,
//
// with one of two losses of the error e:
//
//     quantile    l_tau(e) = tau e for e >= 0, (tau - 1) e for e < 0      (Takeuchi et al. 2006)
//     expectile   l_tau(e) = 1/2 |tau - [e < 0]| e^2                      (Newey, Powell 1987)
//
// The first has the share tau of the targets below f; the second has the mean, and not the median, at tau =
// 1/2. Their duals over beta, with w = sum_i beta_i phi(x_i) and sum_i beta_i = 0, are
//
//     quantile    min 1/2 beta' K beta - y' beta
//                 over C s_i (tau - 1) <= beta_i <= C s_i tau             (Takeuchi et al. 2006)
//     expectile   min 1/2 beta' K beta - y' beta
//                     + 1/2 sum_i beta_i^2 / (C s_i (beta_i > 0 ? tau : 1 - tau))
//
// where each beta_i of the second is the sum of two variables, one on each side of 0, that have ridges of
// their own. Functions of several levels are learned one by one and may cross; predictions are sorted, which
// never takes them farther from the truth (V. Chernozhukov, I. Fernandez-Val, A. Galichon, Quantile and
// probability curves without crossing, Econometrica 78, 2010).
//
//     paper    code
//     tau      level
//     s_i      weights, the rows' sample weights
//     beta     solved.beta, coefficients
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "machine/margin/quantile_levels.hpp"
#include "machine/margin/tube_program.hpp"

namespace dk {

namespace parameter {
constexpr TextKey level_cost{
    "C", "deviation",
    "A larger C makes errors cost more, so that functions follow the rows closely: a number, or a "
    "multiple of the standard deviation of the targets, which of squares of errors, whose cost has no unit, "
    "is 1.",
    ParameterType::text, check_target_cost};
}  // namespace parameter

namespace {

/// Squares of errors need no unit: with targets s y the same C makes the functions s times as high.
double level_cost_of(const Parameters& parameters, const Dataset& data) {
    const bool squares = parameters[parameter::level_loss] == LevelLoss::expectile;
    const double cost = in_targets(parameter::level_cost, parameters, data);
    return squares ? cost / unit_of(parameter::level_cost, parameters, data) : cost;
}

/// Makes the dual of one level where errors count by their size.
BoxProgram quantile_program(const TrainingProblem& problem, GramMatrix& gram, double level) {
    const Index n = problem.data.rows();
    const auto weights = row_weights(problem.data);
    const double c = level_cost_of(problem.parameters, problem.data);
    BoxProgram program = zero_program(gram, n);
    for (Index i = 0; i < n; ++i) {
        program.linear[i] = -problem.data.targets[i];
        program.lower[i] = c * weights[i] * (level - 1);
        program.upper[i] = c * weights[i] * level;
    }
    return program;
}

/// Makes the dual of one level where errors count by their squares. Row i has two variables: i >= 0 and
/// n + i <= 0. A row without weight has none that move.
BoxProgram expectile_program(const TrainingProblem& problem, GramMatrix& gram, double level) {
    const Index n = problem.data.rows();
    const auto weights = row_weights(problem.data);
    const double c = level_cost_of(problem.parameters, problem.data);
    BoxProgram program = zero_program(gram, 2 * n);
    program.ridge.assign(2 * n, 0);
    program.rows.resize(2 * n);
    for (Index i = 0; i < n; ++i) {
        program.rows[i] = program.rows[n + i] = i;
        program.linear[i] = program.linear[n + i] = -problem.data.targets[i];
        if (weights[i] == 0) continue;
        program.upper[i] = infinity;
        program.lower[n + i] = -infinity;
        program.ridge[i] = 1 / (c * weights[i] * level);
        program.ridge[n + i] = 1 / (c * weights[i] * (1 - level));
    }
    return program;
}

struct LevelFunction {
    std::vector<double> coefficients;
    double offset;
    Report report;
};

LevelFunction fit_level(const TrainingProblem& problem, GramMatrix& gram, double level) {
    const bool squares = problem.parameters[parameter::level_loss] == LevelLoss::expectile;
    const BoxProgram program =
        squares ? expectile_program(problem, gram, level) : quantile_program(problem, gram, level);
    SmoOptions options = smo_options(problem.parameters);
    options.tolerance *= squares ? deviation_of_targets(problem.data)
                                 : unit_of(parameter::level_cost, problem.parameters, problem.data);
    const SmoSolution solved = solve_smo(program, options, problem.control);
    LevelFunction function{.coefficients = squares ? tube_coefficients(solved) : solved.beta,
                           .offset = smo_offset(program, solved),
                           .report = {}};
    function.report.add("level", level);
    report_solution(function.report, program, solved);
    function.report.add("offset", function.offset);
    return function;
}

TrainedMachine train_quantile_regression(const TrainingProblem& problem) {
    const auto levels = parse_levels(problem.parameters[parameter::levels]);
    const auto gram =
        make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget, &problem.control);
    std::vector<ExpansionFunction> functions;
    std::vector<Report> reports;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const ProgressScope scope(problem.control, 0.9 * double(l) / double(levels.size()),
                                  0.9 * double(l + 1) / double(levels.size()));
        LevelFunction fitted = fit_level(problem, *gram, levels[l]);
        ExpansionFunction function{.gamma = std::move(fitted.coefficients), .offset = fitted.offset};
        function.rows.resize(function.gamma.size());
        std::iota(function.rows.begin(), function.rows.end(), Index{0});
        function.positive_class = function.negative_class = -1;
        functions.push_back(std::move(function));
        reports.push_back(std::move(fitted.report));
    }
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor = make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                                              problem.parameters[parameter::neighbours], problem.control);
    trained.rule = DecisionRule::regression;
    trained.report.add("C", level_cost_of(problem.parameters, problem.data));
    trained.report.add("functions", std::move(reports));
    return trained;
}

}  // namespace

Machine quantile_regression_machine() {
    return {
        .name = "quantile_regression",
        .doc = "Quantile regression finds below which values given shares of the targets lie, row by row.",
        .reference =
            "Takeuchi, Le, Sears, Smola, Nonparametric quantile estimation, Journal of Machine "
            "Learning Research 7, 2006; Newey, Powell, Asymmetric least squares estimation and "
            "testing, Econometrica 55, 1987",
        .task = Task::regression,
        .parameters = {parameter::level_cost, parameter::levels, parameter::level_loss, parameter::tolerance,
                       parameter::max_iterations},
        .train = train_quantile_regression,
        .loss =
            [](const Parameters& parameters, const Dataset& data) {
                return MachineLoss{.errors = parameters[parameter::level_loss] == LevelLoss::expectile
                                                 ? ErrorLoss::squares
                                                 : ErrorLoss::tube,
                                   .cost = level_cost_of(parameters, data),
                                   .tube = 0};
            },
        .updates = true};
}

}  // namespace dk

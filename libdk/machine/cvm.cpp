// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "machine/binary_reduction.hpp"
#include "machine/core_vector.hpp"
#include "model/kernel_expansion.hpp"

namespace dk {

namespace {

std::vector<double> row_costs(std::span<const double> sample_weights, double c) {
    std::vector<double> costs;
    for (const double weight : sample_weights) costs.push_back(c * weight);
    return costs;
}

/// f(x) = sum_s y_s alpha_s (k(x_s, x) + constant), divided by a'Ka so that the margin is 1.
BinarySolution train_pair(const BinaryProblem& binary, const Dataset& data, bool ball) {
    std::vector<Index> classes;
    for (const double sign : binary.signs) classes.push_back(sign > 0 ? 1 : 0);
    const auto costs = row_costs(binary.sample_weights, binary.problem.parameters.real("C"));
    CoreVectorSource source(binary.problem, data, classes, ClassVectors(2), costs);
    const auto solved = solve_core_vector_program(source, binary.problem, classes, costs, ball);
    BinarySolution solution;
    solution.gamma.resize(binary.signs.size());
    for (std::size_t s = 0; s < solved.core.size(); ++s) {
        const auto i = unsigned_of(solved.core[s]);
        solution.gamma[i] = binary.signs[i] * solved.alpha[s] / solved.objective;
        solution.offset += source.constant() * solution.gamma[i];
    }
    report_core_set(solution.report, solved);
    return solution;
}

/// All classes in one program, whose variables are the rows; predicts the largest component of
/// sum_s alpha_s y_s (k(x_s, x) + constant).
TrainedMachine train_mcvm(const TrainingProblem& problem) {
    const Labels& labels = *problem.data.labels;
    const ClassVectors vectors(labels.classes());
    const std::vector<double> ones(unsigned_of(problem.data.rows()), 1.0);
    const auto costs = row_costs(problem.data.sample_weights.empty() ? ones : problem.data.sample_weights,
                                 problem.parameters.real("C"));
    CoreVectorSource source(problem, problem.data, labels.of_rows, vectors, costs);
    CoreSetSolution solved;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        solved = solve_core_vector_program(source, problem, labels.of_rows, costs, false);
    }
    std::vector<ExpansionFunction> functions;
    for (Index t = 0; t < vectors.dimension(); ++t) {
        ExpansionFunction function;
        function.rows = solved.core;
        for (std::size_t s = 0; s < solved.core.size(); ++s) {
            const Index own = labels.of_rows[unsigned_of(solved.core[s])];
            function.gamma.push_back(solved.alpha[s] * vectors.component(own, t) / solved.objective);
        }
        function.offset =
            source.constant() * std::accumulate(function.gamma.begin(), function.gamma.end(), 0.0);
        function.positive_class = vectors.dimension() == 1 ? 1 : t;
        function.negative_class = vectors.dimension() == 1 ? 0 : -1;
        functions.push_back(std::move(function));
    }
    Report report;
    report_core_set(report, solved);
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor =
        make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                              static_cast<Index>(problem.parameters.integer("neighbours")), problem.control);
    trained.rule = vectors.dimension() == 1 ? DecisionRule::binary : DecisionRule::largest;
    trained.report.add("functions", std::vector<Report>{std::move(report)});
    return trained;
}

std::vector<ParameterSpec> core_parameters() {
    std::vector<ParameterSpec> all{
        positive_parameter("C", 1, "cost of squared slack"),
        flag_parameter(
            "offset", true,
            "whether functions have an offset, which is penalised; of narrow kernels mcvm is better "
            "without")};
    ParameterSpec gap =
        share_parameter("gap", 0.05, "certified share by which the objective may miss the best");
    gap.maximum = 0.9;
    all.push_back(
        choice_parameter("stop", {"gap", "epsilon"},
                         "many rows at a time until the gap is certain; or the papers' steps and rule"));
    all.push_back(std::move(gap));
    all.push_back(integer_parameter("max_rounds", 0, 0, 1e9, "limit of rounds with stop=gap; 0 is none"));
    all.push_back(
        real_parameter("epsilon", 0, 0, 1, "the papers' rule: radii beyond the ball; 0 is LibCVM's choice"));
    all.push_back(
        integer_parameter("sample", 59, 1, 1e9, "the papers' rule: rows looked at for the farthest"));
    all.push_back(integer_parameter("max_steps", 10000, 1, 9e15, "the papers' rule: limit of steps"));
    all.push_back(integer_parameter("max_core", 50000, 2, 1e9, "limit of the core set"));
    return all;
}

std::vector<ParameterSpec> with_multiclass(std::vector<ParameterSpec> parameters) {
    parameters.push_back(multiclass_parameter());
    return parameters;
}

}  // namespace

Machine cvm_machine() {
    return {
        .name = "cvm",
        .doc = "core vector machine: 2-norm support vector machine by a core set; deep with kernel arccos",
        .reference =
            "Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005; Afzal, Deep learning in kernel "
            "machines, 2018",
        .task = Task::classification,
        .parameters = with_multiclass(core_parameters()),
        .train = [](const TrainingProblem& problem) {
            return train_by_binary_reduction(problem, [](const BinaryProblem& binary, const Dataset& data) {
                return train_pair(binary, data, false);
            });
        }};
}

Machine bvm_machine() {
    return {.name = "bvm",
            .doc = "ball vector machine: a core vector machine that begins with a ball of fixed radius",
            .reference = "Tsang, Kocsor, Kwok, Simpler core vector machines with enclosing balls, ICML 2007",
            .task = Task::classification,
            .parameters = with_multiclass(core_parameters()),
            .train = [](const TrainingProblem& problem) {
                return train_by_binary_reduction(problem,
                                                 [](const BinaryProblem& binary, const Dataset& data) {
                                                     return train_pair(binary, data, true);
                                                 });
            }};
}

Machine mcvm_machine() {
    return {.name = "mcvm",
            .doc = "core vector machine of all classes in one program",
            .reference =
                "Asharaf, Murty, Shevade, Multiclass core vector machine, ICML 2007; Afzal, Deep learning "
                "in kernel machines, 2018",
            .task = Task::classification,
            .parameters = core_parameters(),
            .train = train_mcvm};
}

}  // namespace dk

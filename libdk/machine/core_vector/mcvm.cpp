// SPDX-License-Identifier: Apache-2.0
#include "machine/core_vector/core_vector_program.hpp"
#include "machine/single_function.hpp"

namespace dk {

namespace {

/// Learns all classes by one program, whose variables are the rows. Each component of
///     v(x) = sum_s alpha_s y_s (k(x_s, x) + constant)
/// is a function of the model, divided by alpha'K~alpha, and the largest one elects the class. The published
/// rule takes the largest <y_t, v(x)>, which elects the same class since the vectors of the classes sum to
/// zero.
TrainedMachine train_mcvm(const TrainingProblem& problem) {
    const Labels& labels = *problem.data.labels;
    const Matrix vectors = class_vectors(labels.classes());
    const bool binary = vectors.cols() == 1;
    const auto costs = core_vector_costs(row_weights(problem.data), problem.parameters);
    CoreVectorTiles source(problem, problem.data, labels.of_rows, vectors, costs);
    CoreSetSolution solved;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        solved = solve_core_vector_program(source, problem, labels.of_rows, costs, FirstBall::no);
    }
    std::vector<ExpansionFunction> functions;
    for (Index t = 0; t < vectors.cols(); ++t) {
        ExpansionFunction function{
            .rows = solved.core, .positive_class = binary ? 1 : t, .negative_class = binary ? 0 : -1};
        for (std::size_t s = 0; s < solved.core.size(); ++s) {
            const Index own = labels.of_rows[solved.core[s]];
            function.gamma.push_back(solved.alpha[s] * vectors(own, t) / solved.objective);
            function.offset += source.constant() * function.gamma.back();
        }
        functions.push_back(std::move(function));
    }
    Report report;
    report_core_set(report, solved);
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor = make_kernel_expansion(problem.kernel, problem.data, functions, {}, problem.precision,
                                              problem.parameters[parameter::neighbours], problem.control);
    trained.rule = binary ? DecisionRule::binary : DecisionRule::largest;
    trained.report.add("functions", std::vector<Report>{std::move(report)});
    return trained;
}

}  // namespace

Machine mcvm_machine() {
    return {.name = "mcvm",
            .doc = "The multi-class core vector machine learns all classes by one program.",
            .reference =
                "Asharaf, Murty, Shevade, Multiclass core vector machine, ICML 2007; Afzal, Deep learning "
                "in kernel machines, 2018",
            .prototypes = prototypes_are::unbalanced_pairs,
            .task = Task::classification,
            .parameters = core_vector_parameters(),
            .train = train_mcvm,
            .loss = loss_of_core_vectors,
            .few_pairs = [](const Parameters&) { return true; },
            .updates = true};
}

}  // namespace dk

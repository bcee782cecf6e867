// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/dictionary_machine.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "kernel/algebra/algebra.hpp"
#include "machine/prototype_limits.hpp"

namespace dk {

namespace {

/// Gives U with the rows of the data in their own order: rows x prototypes.
Matrix coefficients_of(std::span<const RowCombination> prototypes, const ClassOrder& ordered) {
    Matrix coefficients = Matrix::Zero(ordered.rows(), std::ssize(prototypes));
    for (Index p = 0; p < std::ssize(prototypes); ++p) {
        const auto& [rows, weights] = prototypes[p];
        for (Index k = 0; k < std::ssize(rows); ++k) coefficients(ordered.order[rows[k]], p) = weights[k];
    }
    return coefficients;
}

}  // namespace

std::vector<ParameterSpec> dictionary_parameters() {
    return {parameter::prototypes,
            parameter::rows_of_prototype,
            parameter::prototypes_of_row,
            parameter::lambda,
            parameter::tau,
            parameter::tolerance,
            parameter::max_iterations,
            parameter::decision};
}

DictionaryOptions dictionary_options(const Parameters& parameters, const ClassOrder& ordered) {
    const Index limit = prototypes_of_class(parameters[parameter::prototypes], ordered.smallest_class());
    const auto or_limit = [&](const IntegerKey& key) {
        const Index value = parameters[key];
        return value > 0 ? value : limit;
    };
    return {.learning = {.prototypes = limit,
                         .rows_of_prototype = or_limit(parameter::rows_of_prototype),
                         .prototypes_of_row = or_limit(parameter::prototypes_of_row),
                         .lambda = parameters[parameter::lambda],
                         .tau = parameters[parameter::tau]},
            .weighing = {},
            .tolerance = parameters[parameter::tolerance],
            .max_iterations = parameters[parameter::max_iterations]};
}

void require_learnable(const TrainingProblem& problem, const ClassOrder& ordered,
                       const LearningOptions& options) {
    const double n = ordered.rows();
    double prototypes = 0;
    for (std::size_t c = 0; c + 1 < ordered.class_begins.size(); ++c)
        prototypes += std::min(options.prototypes, ordered.class_begins[c + 1] - ordered.class_begins[c]);
    const double rows_of_prototype = std::min<double>(options.rows_of_prototype, n);
    const double prototypes_of_row = std::min<double>(options.prototypes_of_row, prototypes);
    problem.budget.require(8 * (4 * n * n + 4 * n * prototypes + 2 * prototypes * prototypes +
                                2 * prototypes * rows_of_prototype + 2 * n * prototypes_of_row),
                           text("learning ", prototypes, " prototypes of ", n, " rows"));
}

std::unique_ptr<Predictor> predictor_of(const Dictionary& dictionary, const ClassOrder& ordered,
                                        const Bank& bank, const Dataset& data, const TrainingProblem& problem,
                                        Index prototypes_of_row) {
    const Matrix coefficients = coefficients_of(dictionary.prototypes, ordered);
    return make_prototype_dictionary(
        {.kernel = combine(bank, {dictionary.weights.begin(), dictionary.weights.end()}),
         .coefficients = view(coefficients.data(), coefficients.rows(), coefficients.cols()),
         .rule = std::make_shared<const NonnegativeCodes>(prototypes_of_row,
                                                          problem.parameters[parameter::decision])},
        data, problem.precision, problem.parameters[parameter::neighbours], problem.control);
}

TrainedMachine trained_dictionary(const Dictionary& dictionary, const ClassOrder& ordered, const Bank& bank,
                                  const TrainingProblem& problem, Index prototypes_of_row) {
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.predictor = predictor_of(dictionary, ordered, bank, problem.data, problem, prototypes_of_row);
    const Interpretability ip = interpretability(dictionary.prototypes, ordered.class_of);
    trained.report.add("prototypes", std::ssize(dictionary.prototypes))
        .add("interpretability", ip.measure)
        .add("purity", ip.purity)
        .add("compactness", ip.compactness)
        .add("discrimination_of_prototypes",
             discrimination(dictionary.prototypes, dictionary.codes, ordered.class_of));
    for (const auto& [name, value] : dictionary.report.entries()) trained.report.add(name, value);
    return trained;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// A prediction answers a question: why this class and not the next best one (question.hpp). The answer is a
// sum, which is grouped in three ways:
//
//     answer = offset + sum_p (what prototype p adds)
//            = offset + sum_i (what training row i adds, gamma_i k(x_i, x))
//            = offset + sum_m (what kernel m of the bank adds, weight_m sum_i gamma_i k_m(x_i, x))
//
// Prototypes of pairs add what the rows of their side add, so that the first sum is the second one with the
// rows of a prototype taken together; the distances from p+ and p-, which dk_explain gives, have large parts
// in common that cancel and tell nobody anything. A share is a contribution in percent of the sum of all
// magnitudes, the offset's included.
#include "report/explanation/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "pipeline/score.hpp"

namespace dk {

namespace {

/// Sorts contributions, the strongest first, gives them their shares, and gives that of the offset.
double finish_pulls(std::vector<Pull>& pulls, double offset) {
    double largest = std::abs(offset);
    bool finite = std::isfinite(offset);
    for (const Pull& pull : pulls) {
        finite = finite && std::isfinite(pull.contribution);
        largest = std::max(largest, std::abs(pull.contribution));
    }
    if (!finite) fail(Status::numerical, "what prototypes, rows or kernels add to the answer overflows");
    // In units of the largest, neither the sum nor a hundred times a contribution overflows.
    const double unit = largest > 0 ? largest : 1;
    double sum = std::abs(offset / unit);
    for (const Pull& pull : pulls) sum += std::abs(pull.contribution / unit);
    const auto share = [&](double contribution) { return sum > 0 ? 100 * (contribution / unit) / sum : 0; };
    for (Pull& pull : pulls) pull.share = share(pull.contribution);
    std::ranges::stable_sort(pulls, std::ranges::greater{},
                             [](const Pull& pull) { return std::abs(pull.contribution); });
    return share(offset);
}

std::vector<Pull> pulls_of(const std::map<Index, double>& sums) {
    std::vector<Pull> pulls;
    pulls.reserve(sums.size());
    for (const auto& [source, contribution] : sums) pulls.push_back({source, contribution, 0});
    return pulls;
}

void add_parts(const DecisionParts& parts, RowExplanation& explanation) {
    std::map<Index, double> of_prototypes;
    std::map<Index, double> of_rows;
    bool rows_known = !parts.terms.empty();
    for (const DecisionTerm& term : parts.terms) {
        const double weight = explanation.question.weights[term.function];
        if (weight == 0) continue;
        of_prototypes[term.prototype] += weight * term.contribution;
        of_rows[term.training_row] += weight * term.contribution;
        rows_known = rows_known && term.training_row >= 0;
    }
    explanation.offset = explanation.question.answer(parts.offsets);
    explanation.prototypes = pulls_of(of_prototypes);
    explanation.offset_share_of_prototypes = finish_pulls(explanation.prototypes, explanation.offset);
    if (!rows_known) return;
    explanation.training_rows = pulls_of(of_rows);
    explanation.offset_share_of_rows = finish_pulls(explanation.training_rows, explanation.offset);
}

/// What the kernels add, which leaves the constant of the kernel, if any, to the offset.
void add_kernels(const Model& model, const Dataset& row, RowExplanation& explanation, Control& control) {
    explanation.kernels = kernel_pulls(model, row, explanation.question, control);
    if (explanation.kernels.empty()) return;
    double offset = explanation.answer;
    for (const Pull& pull : explanation.kernels) offset -= pull.contribution;
    explanation.offset_share_of_kernels = finish_pulls(explanation.kernels, offset);
}

/// The answer over the length of its normal: known where it is one function in feature space, or the
/// difference of two distances.
double distance_of(const Model& model, const RowExplanation& explanation) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double>& norms = model.predictor->prototypes().norms;
    if (model.rule == DecisionRule::regression || !model.predictor->prototypes_are_pairs()) return unknown;
    double norm = 0;
    Index functions = 0;
    for (std::size_t f = 0; f < norms.size(); ++f) {
        if (explanation.question.weights[f] == 0) continue;
        if (!(norms[f] > 0)) return unknown;
        norm = norms[f];
        ++functions;
    }
    if (model.rule == DecisionRule::one_vs_rest) return explanation.answer;
    return functions == 1 ? explanation.answer / norm : unknown;
}

}  // namespace

std::vector<Pull> kernel_pulls(const Model& model, const Dataset& row, const Question& question,
                               Control& control) {
    const Matrix decisions = decisions_by_kernel(model, row, control);
    const auto weighed =
        std::ranges::count_if(model.kernel_weights, [](double weight) { return weight != 0; });
    if (decisions.rows() < 2 || decisions.rows() != weighed) return {};
    std::vector<Pull> pulls;
    pulls.reserve(decisions.rows());
    for (Index k = 0; k < std::ssize(model.kernel_weights); ++k) {
        if (model.kernel_weights[k] == 0) continue;
        const Vector of_kernel = decisions.row(std::ssize(pulls));
        pulls.push_back({k, question.answer(as_span(of_kernel)), 0});
    }
    return pulls;
}

void require_training_rows(const Model& model, const Dataset& training) {
    if (training.rows() == model.training_rows) return;
    fail(Status::dimension, "training has ", training.rows(), " rows; the model was trained on ",
         model.training_rows);
}

RowExplanation explanation_of(const Model& model, const Dataset& row, const TrainingRows* training,
                              ExplanationDepth depth, Control& control) {
    if (model.predicts_several())
        fail(Status::unsupported, "a row is explained for one number, and the model predicts ", model.targets,
             "; what each prototype contributes to each of them is known (dk_explain)");
    RowExplanation explanation;
    std::vector<double> values;
    {
        const ProgressScope scope(control, 0, 0.1, "explaining");
        values = decisions(model, row, control);
        const DecisionParts parts = decision_parts(model, row, control);
        const bool regression = model.rule == DecisionRule::regression;
        explanation.question = regression ? question_of_value(parts) : question_of(model, values, control);
        explanation.answer =
            regression ? predicted_values(model, values).front() : explanation.question.answer(values);
        explanation.prediction =
            regression ? explanation.answer
                       : static_cast<double>(model.classes.values[explanation.question.elected]);
        explanation.probability = model.calibration.empty()
                                      ? std::numeric_limits<double>::quiet_NaN()
                                      : probabilities(model, values, control)[explanation.question.elected];
        explanation.distance = distance_of(model, explanation);
        add_parts(parts, explanation);
        add_kernels(model, row, explanation, control);
    }
    const ProgressScope scope(control, 0.1, 1, "explaining");
    if (depth != ExplanationDepth::sums && explanation.question.elected >= 0) {
        if (training != nullptr) explanation.nearest_other = nearest_other(model, row, *training, control);
        explanation.counterfactual = counterfactual(model, row, training, explanation.nearest_other, control);
    }
    if (depth == ExplanationDepth::influences)
        explanation.influences = influences_of(model, row, explanation.question,
                                               training == nullptr ? nullptr : &training->rows, control);
    return explanation;
}

}  // namespace dk

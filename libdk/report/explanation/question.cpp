// SPDX-License-Identifier: Apache-2.0
#include "report/explanation/question.hpp"

#include <algorithm>
#include <numeric>

namespace dk {

double Question::answer(std::span<const double> decisions) const {
    double sum = 0;
    for (std::size_t f = 0; f < weights.size(); ++f) {
        if (weights[f] != 0) sum += weights[f] * decisions[f];
    }
    return sum;
}

Question question_between(const Model& model, Index elected, Index instead) {
    Question question{elected, instead, std::vector<double>(model.predictor->decision_count())};
    const std::vector<double>& norms = model.predictor->prototypes().norms;
    const auto sides = function_sides(model.rule, model.classes.classes());
    for (std::size_t f = 0; f < sides.size(); ++f) {
        const auto [positive, negative] = sides[f];
        double& weight = question.weights[f];
        if (negative >= 0) {  // The function is of the pair.
            if (positive == elected && negative == instead) weight = 1;
            if (positive == instead && negative == elected) weight = -1;
        } else {
            const double norm = model.rule == DecisionRule::one_vs_rest && norms[f] > 0 ? norms[f] : 1;
            if (positive == elected) weight = 1 / norm;
            if (positive == instead) weight = -1 / norm;
        }
    }
    return question;
}

Question question_of_value(const DecisionParts& parts) {
    std::vector<double> values = parts.offsets;
    for (const DecisionTerm& term : parts.terms) values[term.function] += term.contribution;
    std::vector<Index> ascending(values.size());
    std::iota(ascending.begin(), ascending.end(), Index{0});
    std::ranges::stable_sort(ascending, {}, [&](Index f) { return values[f]; });
    Question question{.weights = std::vector<double>(values.size())};
    question.weights[ascending[(values.size() - 1) / 2]] = 1;
    return question;
}

Question question_of(const Model& model, std::span<const double> decisions, Control& control) {
    if (model.rule == DecisionRule::regression) {
        Question question{.weights = std::vector<double>(decisions.size())};
        question.weights[(decisions.size() - 1) / 2] = 1;
        return question;
    }
    const Index classes = model.classes.classes();
    const Index elected = elected_classes(model, decisions, control).front();
    std::vector<double> scores(classes);
    class_scores(model.rule, classes, decisions, model.predictor->prototypes().norms, scores);
    scores[elected] = -infinity;
    return question_between(model, elected, first_largest(scores));
}

}  // namespace dk

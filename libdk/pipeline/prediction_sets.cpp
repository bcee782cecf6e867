// SPDX-License-Identifier: Apache-2.0
// Conformal prediction. The rows that training has not seen say how far the truth is from what the model
// says, and a set of all answers that are no farther than the quantile of these distances holds the truth of
// a new row with the probability that was asked for, whatever the model, if rows are exchangeable (V. Vovk,
// A. Gammerman, G. Shafer, Algorithmic Learning in a Random World, 2005, for rows of their own,
// "split"). Where the rows are those of the folds of a cross-validation and the model is that of all rows,
// each distance is of a model that knew fewer rows, so that sets are rather too wide than too narrow; this is
// no theorem (R. Barber, E. Candes, A. Ramdas, R. Tibshirani, Predictive inference with the jackknife+,
// Annals of Statistics 49, 2021, has the bounds). By class, the promise holds among the rows of each class.
#include "pipeline/prediction_sets.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "matrix/matrix.hpp"
#include "pipeline/common_parameters.hpp"
#include "pipeline/score.hpp"

namespace dk {

namespace {

bool is_regression(const Model& model) {
    return model.rule == DecisionRule::regression;
}

void require_answers(const Model& model, bool by_class) {
    if (model.rule == DecisionRule::labels)
        fail(Status::unsupported, "confidence is of one class a row, and the model predicts several labels");
    if (model.task != "classification" && !is_regression(model)) {
        fail(Status::unsupported, "machine ", model.machine,
             " learns of rows alone and has no answer that could be true; confidence is of classifiers and "
             "regressions");
    }
    if (model.targets > 1)
        fail(Status::unsupported, "confidence is of one target, and the model predicts ", model.targets);
    if (by_class && is_regression(model))
        fail(Status::unsupported, "machine ", model.machine,
             " has no classes by which sets could be calibrated");
}

/// The confidence with which the model was trained, which models of other origins do not have.
double trained_confidence(const Model& model) {
    for (const auto& [name, value] : model.parameters) {
        if (name == parameter::confidence.name) return parse_number(value).value_or(0);
    }
    return 0;
}

/// Computes the score of every class as the answer of each row, classes x rows.
Matrix scores_of_answers(const std::vector<std::vector<double>>& class_scores, Index rows) {
    const Index classes = std::ssize(class_scores);
    Matrix answers(classes, rows);
    std::vector<double> of_row(classes);
    std::vector<double> scores(classes);
    for (Index i = 0; i < rows; ++i) {
        for (Index c = 0; c < classes; ++c) of_row[c] = class_scores[c][i];
        nonconformity_of_classes(of_row, scores);
        for (Index c = 0; c < classes; ++c) answers(c, i) = scores[c];
    }
    return answers;
}

std::vector<double> intervals(const Model& model, std::span<const double> values, double bound) {
    const Index width = model.predictor->decision_count();
    std::vector<double> ends;
    for (std::size_t first = 0; first < values.size(); first += width) {
        const auto of_row = values.subspan(first, width);
        double lower = of_row.front() - bound;
        double upper = of_row.back() + bound;
        // Levels that were too far apart may come so near that they cross; what is left is one value.
        if (lower > upper) lower = upper = 0.5 * (lower + upper);
        ends.insert(ends.end(), {lower, upper});
    }
    return ends;
}

std::vector<double> class_sets(const Model& model, std::span<const double> values,
                               std::span<const double> bounds, Control& control) {
    const Index classes = model.classes.classes();
    const Index rows = std::ssize(values) / model.predictor->decision_count();
    const auto elected = elected_classes(model, values, control);
    const Matrix answers = scores_of_answers(scores_of_classes(model, values), rows);
    std::vector<double> sets(rows * classes);
    for (Index i = 0; i < rows; ++i) {
        for (Index c = 0; c < classes; ++c) {
            const double bound = bounds.size() > 1 ? bounds[c] : bounds.front();
            sets[i * classes + c] = answers(c, i) <= bound || c == elected[i] ? 1 : 0;
        }
    }
    return sets;
}

}  // namespace

Nonconformity nonconformity_of(const Model& model, const Dataset& data, std::span<const double> decisions,
                               bool by_class, Control& control) {
    require_answers(model, by_class);
    const Index width = model.predictor->decision_count();
    Nonconformity found;
    if (is_regression(model)) {
        const auto truth = targets_of(data).values;
        std::vector<double>& scores = found.scores.emplace_back();
        for (Index i = 0; i < data.rows(); ++i)
            scores.push_back(nonconformity_of_value(truth[i], decisions.subspan(i * width, width)));
    } else {
        const ClassPredictions rows = predicted_classes(model, data, decisions, control);
        const Matrix answers = scores_of_answers(rows.scores, data.rows());
        found.scores.resize(by_class ? rows.classes : 1);
        for (Index i = 0; i < data.rows(); ++i)
            found.scores[by_class ? rows.truth[i] : 0].push_back(answers(rows.truth[i], i));
    }
    for (auto& scores : found.scores) std::ranges::sort(scores);
    return found;
}

Model calibrated_on(const Model& model, const Dataset& data, bool by_class, Control& control) {
    require_answers(model, by_class);
    Model calibrated = model;
    calibrated.nonconformity =
        nonconformity_of(model, data, decisions(model, data, control), by_class, control);
    return calibrated;
}

Index prediction_set_width(const Model& model) {
    require_answers(model, false);
    return is_regression(model) ? 2 : model.classes.classes();
}

std::vector<double> prediction_sets(const Model& model, const Dataset& data, double confidence,
                                    Control& control) {
    require_answers(model, false);
    if (model.nonconformity.empty()) {
        fail(Status::unsupported,
             "the model does not know how sure it is; train it with confidence=0.9, or calibrate it on rows "
             "that training has not seen");
    }
    const double asked = confidence > 0 ? confidence : trained_confidence(model);
    if (asked == 0)
        fail(Status::invalid_argument,
             "confidence is 0, which stands for that of the training, and the model was trained without; it "
             "must be above 0 and below 1");
    std::vector<double> bounds;
    for (const auto& scores : model.nonconformity.scores) bounds.push_back(score_bound(scores, asked));
    const auto values = decisions(model, data, control);
    return is_regression(model) ? intervals(model, values, bounds.front())
                                : class_sets(model, values, bounds, control);
}

}  // namespace dk

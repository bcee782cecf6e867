// SPDX-License-Identifier: Apache-2.0
#include "pipeline/score.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "data/metrics.hpp"

namespace dk {

namespace {

/// The data's classes as positions among the model's.
std::vector<Index> true_classes(const Model& model, const Dataset& data) {
    if (!data.labels) fail(Status::invalid_data, "scoring needs labels; the data have none");
    const Labels& known = model.classes;
    const Labels& labels = *data.labels;
    if (known.names.empty() != labels.names.empty()) {
        fail(Status::invalid_data, "the model's classes are ", known.names.empty() ? "integers" : "names",
             ", the data's labels are ", labels.names.empty() ? "integers" : "names");
    }
    std::vector<Index> position(unsigned_of(labels.classes()));
    for (Index c = 0; c < labels.classes(); ++c) {
        for (position[unsigned_of(c)] = 0; position[unsigned_of(c)] < known.classes();
             ++position[unsigned_of(c)]) {
            if (known.class_name(position[unsigned_of(c)]) == labels.class_name(c)) break;
        }
    }
    std::vector<Index> classes;
    for (Index i = 0; i < data.rows(); ++i) {
        const Index label = labels.of_rows[unsigned_of(i)];
        classes.push_back(position[unsigned_of(label)]);
        if (classes.back() < known.classes()) continue;
        fail(Status::invalid_data, "row ", i, " is of class ", labels.class_name(label),
             ", which the model was not trained on");
    }
    return classes;
}

/// Mean over the classes of the area under the curve, each against the rest.
double mean_area(const Model& model, std::span<const double> decisions, std::span<const Index> truth) {
    const Index classes = model.classes.classes();
    const auto width = unsigned_of(model.predictor->decision_count());
    std::vector<double> scores(unsigned_of(classes));
    std::vector<std::vector<double>> of_class(scores.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
        class_scores(model.rule, classes, decisions.subspan(i * width, width),
                     model.predictor->prototypes().norms, scores);
        for (std::size_t c = 0; c < scores.size(); ++c) of_class[c].push_back(scores[c]);
    }
    double sum = 0;
    double defined = 0;
    for (Index c = classes == 2 ? 1 : 0; c < classes; ++c) {
        std::vector<bool> positive;
        for (const Index t : truth) positive.push_back(t == c);
        const double area = area_under_curve(of_class[unsigned_of(c)], positive);
        if (std::isnan(area)) continue;
        sum += area;
        defined += 1;
    }
    return sum / defined;  // NaN when nothing is defined
}

}  // namespace

namespace {

/// What of(decisions of some rows) gives, of all rows; decisions are forgotten as soon as they are read.
template <typename Value, typename Of>
std::vector<Value> read_decisions(const Model& model, const Dataset& data, Control& control, Of of) {
    std::vector<Value> all;
    const auto append = [&](std::span<const double> values) {
        const auto some = of(values);
        all.insert(all.end(), some.begin(), some.end());
    };
    decide(model, data, append, control);
    return all;
}

std::vector<Index> elected_classes(const Model& model, const Dataset& data, Control& control) {
    return read_decisions<Index>(model, data, control, [&](std::span<const double> values) {
        return elected_classes(model, values, control);
    });
}

std::map<std::string, double> score_values(const Model& model, const Dataset& data, Control& control) {
    const auto truth = targets_of(data);
    const auto predicted = decisions(model, data, control);
    return {{"mae", mean_absolute_error(truth, predicted)},
            {"rmse", root_mean_squared_error(truth, predicted)},
            {"r2", coefficient_of_determination(truth, predicted)}};
}

}  // namespace

std::map<std::string, double> score_all(const Model& model, const Dataset& data, Control& control) {
    if (model.rule == DecisionRule::regression) return score_values(model, data, control);
    const auto truth = true_classes(model, data);
    const auto values = decisions(model, data, control);
    const auto elected = elected_classes(model, values, control);
    const Index classes = model.classes.classes();
    const auto counts = confusion_counts(truth, elected, classes);
    const auto [precision, recall, f1] = precision_recall(counts, classes);
    std::vector<double> true_labels;
    std::vector<double> elected_labels;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        true_labels.push_back(static_cast<double>(model.classes.values[unsigned_of(truth[i])]));
        elected_labels.push_back(static_cast<double>(model.classes.values[unsigned_of(elected[i])]));
    }
    return {{"accuracy", accuracy(counts, classes)},
            {"precision", precision},
            {"recall", recall},
            {"f1", f1},
            {"auc", mean_area(model, values, truth)},
            {"mae", mean_absolute_error(true_labels, elected_labels)}};
}

std::vector<Index> confusion(const Model& model, const Dataset& data, Control& control) {
    if (model.rule == DecisionRule::regression)
        fail(Status::unsupported, "machine ", model.machine, " predicts values, no classes");
    const auto truth = true_classes(model, data);
    return confusion_counts(truth, elected_classes(model, data, control), model.classes.classes());
}

std::vector<double> probabilities(const Model& model, const Dataset& data, Control& control) {
    return read_decisions<double>(model, data, control, [&](std::span<const double> values) {
        return probabilities(model, values, control);
    });
}

std::vector<double> predictions(const Model& model, const Dataset& data, Control& control) {
    if (model.rule == DecisionRule::regression) return decisions(model, data, control);
    std::vector<double> labels;
    for (const Index c : elected_classes(model, data, control))
        labels.push_back(static_cast<double>(model.classes.values[unsigned_of(c)]));
    return labels;
}

}  // namespace dk

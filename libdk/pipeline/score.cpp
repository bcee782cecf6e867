// SPDX-License-Identifier: Apache-2.0
#include "pipeline/score.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/metrics/metrics.hpp"
#include "machine/margin/quantile_levels.hpp"

namespace dk {

namespace {

/// Tells whether classes are integers. Those beyond 2^53 have their digits as names, and with them all others
/// of the same data, so that a part of the data may have numbers where the whole has names.
bool are_integers(const Labels& labels) {
    return std::ranges::all_of(labels.names,
                               [](const std::string& name) { return parse_integer(name).has_value(); });
}

}  // namespace

std::vector<Index> true_classes(const Model& model, const Dataset& data) {
    if (model.task == name_of(Task::clustering))
        fail(Status::unsupported, "machine ", model.machine,
             " finds clusters, whose numbers are no classes; compare them with classes by the rows of each");
    if (model.rule == DecisionRule::labels)
        fail(Status::unsupported,
             "the model predicts several labels a row, and this is of models that elect one class");
    if (!data.labels) fail(Status::invalid_data, "scoring needs labels; the data have none");
    const Labels& known = model.classes;
    const Labels& labels = *data.labels;
    if (are_integers(known) != are_integers(labels)) {
        fail(Status::invalid_data, "the model's classes are ", are_integers(known) ? "integers" : "names",
             ", the data's labels are ", are_integers(labels) ? "integers" : "names");
    }
    std::vector<Index> position(labels.classes());
    for (Index c = 0; c < labels.classes(); ++c) {
        for (position[c] = 0; position[c] < known.classes(); ++position[c]) {
            if (known.class_name(position[c]) == labels.class_name(c)) break;
        }
    }
    std::vector<Index> classes;
    for (Index i = 0; i < data.rows(); ++i) {
        const Index label = labels.of_rows[i];
        classes.push_back(position[label]);
        if (classes.back() < known.classes()) continue;
        fail(Status::invalid_data, "row ", i, " is of class ", labels.class_name(label),
             ", which the model was not trained on");
    }
    return classes;
}

namespace {

/// Calls of(decisions) for some rows at a time and joins what it gives, so that the decisions of all rows are
/// never kept.
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

}  // namespace

namespace {

/// Appends the scores of some rows to those of each class, by which they are elected or ranked.
void append_scores(const Model& model, std::span<const double> decisions, decltype(class_scores)& scores,
                   std::vector<std::vector<double>>& of_classes) {
    const Index classes = model.classes.classes();
    std::vector<double> of_row(classes);
    for (const std::size_t width = model.predictor->decision_count(); !decisions.empty();
         decisions = decisions.subspan(width)) {
        scores(model.rule, classes, decisions.first(width), model.predictor->prototypes().norms, of_row);
        for (Index c = 0; c < classes; ++c) of_classes[c].push_back(of_row[c]);
    }
}

}  // namespace

std::vector<std::vector<double>> scores_of_classes(const Model& model, std::span<const double> decisions) {
    std::vector<std::vector<double>> of_classes(model.classes.classes());
    append_scores(model, decisions, class_scores, of_classes);
    return of_classes;
}

ValuePredictions predicted_values(const Model& model, const Dataset& data, Control& control) {
    return predicted_values(model, data, decisions(model, data, control));
}

ValuePredictions predicted_values(const Model& model, const Dataset& data, std::vector<double> values) {
    Targets known = targets_of(data);
    if (known.count != model.targets)
        fail(Status::dimension, "the model predicts ", model.targets,
             model.targets == 1 ? " target" : " targets", " of a row, the data have ", known.count);
    ValuePredictions rows{.truth = std::move(known.values), .targets = known.count};
    for (const auto& [name, value] : model.parameters) {
        if (name != parameter::levels.name) continue;
        rows.levels = parse_levels(value);
        rows.at_levels = values;
    }
    rows.predicted = predicted_values(model, std::move(values));
    return rows;
}

namespace {

/// Looks at rows whose decisions `read` gives to its reader, some at a time.
template <typename Read>
ClassPredictions class_predictions(const Model& model, const Dataset& data, Control& control, Read read) {
    ClassPredictions rows{.classes = model.classes.classes(), .truth = true_classes(model, data)};
    rows.scores.resize(rows.classes);
    read([&](std::span<const double> some) {
        const auto elected = elected_classes(model, some, control);
        rows.elected.insert(rows.elected.end(), elected.begin(), elected.end());
        append_scores(model, some, ranking_scores, rows.scores);
        if (model.calibration.empty()) return;
        const auto of_some = probabilities(model, some, control);
        rows.probabilities.insert(rows.probabilities.end(), of_some.begin(), of_some.end());
    });
    rows.labels = model.classes.values;
    rows.confusion = confusion_counts(rows.truth, rows.elected, rows.classes);
    return rows;
}

}  // namespace

ClassPredictions predicted_classes(const Model& model, const Dataset& data, Control& control) {
    return class_predictions(model, data, control,
                             [&](const auto& reader) { decide(model, data, reader, control); });
}

ClassPredictions predicted_classes(const Model& model, const Dataset& data, std::span<const double> decisions,
                                   Control& control) {
    return class_predictions(model, data, control, [&](const auto& reader) { reader(decisions); });
}

namespace {

/// Finds the position of each of the data's labels among the model's, -1 for one that no row has and the
/// model does not know.
std::vector<Index> positions_in_model(const Model& model, const LabelSets& sets) {
    std::map<std::string, Index> known;
    for (Index label = 0; label < model.classes.classes(); ++label)
        known[model.classes.class_name(label)] = label;
    const auto counts = sets.counts();
    std::vector<Index> positions;
    for (Index label = 0; label < sets.labels(); ++label) {
        const auto found = known.find(sets.names[label]);
        positions.push_back(found == known.end() ? -1 : found->second);
        if (positions.back() < 0 && counts[label] > 0)
            fail(Status::invalid_data, counts[label], counts[label] == 1 ? " row has" : " rows have",
                 " the label ", sets.names[label], ", which the model was not trained on");
    }
    return positions;
}

}  // namespace

LabelPredictions predicted_labels(const Model& model, const Dataset& data, Control& control) {
    if (!data.label_sets && !data.labels)
        fail(Status::invalid_data,
             "the model predicts several labels a row, and scoring needs them; the data have none");
    const LabelSets sets = data.label_sets ? *data.label_sets : sets_of_one(*data.labels);
    const auto positions = positions_in_model(model, sets);
    LabelPredictions rows{.labels = model.classes.classes(), .scores = decisions(model, data, control)};
    require_memory_of_decisions(data.rows(), rows.labels, 3, control);
    rows.truth.assign(rows.scores.size(), 0.0);
    for (Index i = 0; i < sets.rows(); ++i) {
        for (const Index label : sets.of_row(i)) rows.truth[i * rows.labels + positions[label]] = 1;
    }
    rows.predicted = elected_labels(model, rows.scores);
    if (!model.calibration.empty()) rows.probabilities = probabilities(model, rows.scores, control);
    return rows;
}

namespace {

bool has_probabilities(const ClassPredictions& rows) {
    return !rows.probabilities.empty();
}
bool has_probabilities(const LabelPredictions& rows) {
    return !rows.probabilities.empty();
}
bool has_probabilities(const ValuePredictions&) {
    return false;
}

double value_of(const std::function<double(const ClassPredictions&)>& metric, const ClassPredictions& rows) {
    return metric(rows);
}
double value_of(const std::function<double(const LabelPredictions&)>& metric, const LabelPredictions& rows) {
    return metric(rows);
}
/// Of several targets a metric is the mean of those of each.
double value_of(const std::function<double(const ValuePredictions&)>& metric, const ValuePredictions& rows) {
    if (rows.targets == 1) return metric(rows);
    double sum = 0;
    for (Index t = 0; t < rows.targets; ++t) {
        ValuePredictions one{.truth = {}};
        for (std::size_t e = t; e < rows.truth.size(); e += rows.targets) {
            one.truth.push_back(rows.truth[e]);
            one.predicted.push_back(rows.predicted[e]);
        }
        sum += metric(one);
    }
    return sum / static_cast<double>(rows.targets);
}

/// Computes the metrics that have a function for such predictions.
template <typename Predictions>
std::map<std::string, double> values_of_metrics(const Predictions& rows,
                                                std::function<double(const Predictions&)> Metric::*function) {
    std::map<std::string, double> values;
    for (const Metric& metric : metrics()) {
        if (metric.needs_probabilities && !has_probabilities(rows)) continue;
        if (metric.*function) values[metric.name] = value_of(metric.*function, rows);
    }
    return values;
}

std::vector<std::string> names_of_metrics(MetricsOf kind) {
    std::vector<std::string> names;
    for (const Metric& metric : metrics()) {
        if (metric.is_of(kind)) names.push_back(metric.name);
    }
    return names;
}

MetricsOf kind_of_predictions(const Model& model) {
    return model.rule == DecisionRule::regression ? MetricsOf::values
           : model.rule == DecisionRule::labels   ? MetricsOf::labels
                                                  : MetricsOf::classes;
}

/// Calls of(predictions, function), where the function of a metric is the one for such predictions.
template <typename Of>
auto with_predictions(const Model& model, const Dataset& data, Control& control, Of of) {
    switch (kind_of_predictions(model)) {
        case MetricsOf::values:
            return of(predicted_values(model, data, control), &Metric::of_values);
        case MetricsOf::labels:
            return of(predicted_labels(model, data, control), &Metric::of_labels);
        case MetricsOf::classes:
            break;
    }
    return of(predicted_classes(model, data, control), &Metric::of_classes);
}

}  // namespace

std::map<std::string, double> metrics_of(const ClassPredictions& rows) {
    return values_of_metrics(rows, &Metric::of_classes);
}

std::map<std::string, double> metrics_of(const LabelPredictions& rows) {
    return values_of_metrics(rows, &Metric::of_labels);
}

std::map<std::string, double> metrics_of(const ValuePredictions& rows) {
    return values_of_metrics(rows, &Metric::of_values);
}

std::map<std::string, double> score_all(const Model& model, const Dataset& data, Control& control) {
    return with_predictions(model, data, control,
                            [](const auto& rows, const auto&) { return metrics_of(rows); });
}

double score(const Model& model, const Dataset& data, const Metric& metric, Control& control) {
    const MetricsOf kind = kind_of_predictions(model);
    if (!metric.is_of(kind))
        fail(Status::unsupported, "metric ", metric.name, " is not one of ", model.task, "; there are ",
             join(names_of_metrics(kind), ", "));
    if (metric.needs_probabilities && model.calibration.empty())
        fail(Status::unsupported, "metric ", metric.name,
             " is one of probabilities, which this model has none of; train it with probability=yes");
    return with_predictions(model, data, control, [&](const auto& rows, auto function) {
        return value_of(metric.*function, rows);
    });
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

std::vector<double> predictions_from(const Model& model, std::span<const double> decisions,
                                     Control& control) {
    if (model.rule == DecisionRule::regression)
        return predicted_values(model, {decisions.begin(), decisions.end()});
    if (model.rule == DecisionRule::labels) return elected_labels(model, decisions);
    std::vector<double> labels;
    for (const Index c : elected_classes(model, decisions, control))
        labels.push_back(model.classes.values[c]);
    return labels;
}

std::vector<double> predictions(const Model& model, const Dataset& data, Control& control) {
    return read_decisions<double>(model, data, control, [&](std::span<const double> values) {
        return predictions_from(model, values, control);
    });
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "exchange/arrow_results.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/resize.hpp"
#include "pipeline/score.hpp"

namespace dk {

namespace {

std::vector<std::string> names_of(const Labels& classes) {
    std::vector<std::string> names;
    for (Index k = 0; k < classes.classes(); ++k) names.push_back(classes.class_name(k));
    return names;
}

std::vector<std::string> positions_of(Index count) {
    std::vector<std::string> names;
    for (Index k = 0; k < count; ++k) names.push_back(text(k));
    return names;
}

/// Adds rows x columns values, a column for each name, which is what[name].
void add_matrix(ArrowResults& results, const char* what, const std::vector<double>& values,
                const std::vector<std::string>& names, Control& control) {
    const Index columns = std::ssize(names);
    control.memory().require(16.0 * static_cast<double>(values.size()),
                             text("a table of ", columns, " columns of results, twice"));
    for (Index j = 0; j < columns; ++j) {
        control.check();
        std::vector<double> column(values.size() / columns);
        for (Index i = 0; i < std::ssize(column); ++i) column[i] = values[i * columns + j];
        results.add_numbers(text(what, "[", names[j], "]"), std::move(column));
    }
}

/// Adds a column of integers for each label, 1 for rows that are predicted to have it and else 0.
void add_labels(ArrowResults& results, const Labels& labels, const std::vector<double>& values,
                Control& control) {
    const Index count = labels.classes();
    for (Index label = 0; label < count; ++label) {
        control.check();
        std::vector<std::int64_t> has;
        for (std::size_t e = label; e < values.size(); e += count)
            has.push_back(static_cast<std::int64_t>(values[e]));
        results.add_integers(text("prediction[", labels.class_name(label), "]"), std::move(has));
    }
}

/// Adds targets as numbers, named classes as a dictionary, and other classes, clusters and the like as
/// integers.
void add_predictions(ArrowResults& results, const Model& model, const Dataset& data, Control& control) {
    std::vector<double> values = predictions(model, data, control);
    if (model.rule == DecisionRule::labels) return add_labels(results, model.classes, values, control);
    if (model.targets > 1)
        return add_matrix(results, "prediction", values, positions_of(model.targets), control);
    if (model.task == "regression") return results.add_numbers("prediction", std::move(values));
    if (model.task == "classification" && !model.classes.names.empty()) {
        results.add_classes("prediction", std::vector<std::int32_t>(values.begin(), values.end()),
                            model.classes.names);
    } else {
        results.add_integers("prediction", std::vector<std::int64_t>(values.begin(), values.end()));
    }
}

void add_decisions(ArrowResults& results, const Model& model, const Dataset& data, Control& control) {
    const Index functions = model.predictor->decision_count();
    const bool one_a_class = (model.task == "classification" || model.task == "multilabel") &&
                             functions == model.classes.classes();
    add_matrix(results, "decision", decisions(model, data, control),
               one_a_class ? names_of(model.classes) : positions_of(functions), control);
}

void add_explanations(ArrowResults& results, const Model& model, const Dataset& data, Control& control) {
    const Index count = model.predictor->prototypes().count();
    control.memory().require(16.0 * data.rows() * count,
                             text("what ", count, " prototypes say of ", data.rows(), " rows, twice"));
    std::vector<double> values;
    resize_in_steps(values, data.rows() * count, control);
    explain(model, data, values.data(), control);
    add_matrix(results, "explanation", values, positions_of(count), control);
}

}  // namespace

void add_results(ArrowResults& results, std::string_view what, const Model& model, const Dataset& data,
                 Control& control) {
    constexpr std::array<std::string_view, 4> known{"prediction", "decision", "probability", "explanation"};
    const std::vector<std::string> parts = split(what, ',');
    for (const std::string& part : parts) {
        if (std::ranges::find(known, part) == known.end())
            fail(Status::invalid_argument, "what lists ", in_quotes(part),
                 "; allowed are prediction, decision, probability and explanation");
    }
    if (!data.row_names.empty()) results.add_texts("id", data.row_names);
    for (const std::string& part : parts) {
        if (part == "prediction") add_predictions(results, model, data, control);
        if (part == "decision") add_decisions(results, model, data, control);
        if (part == "probability")
            add_matrix(results, "probability", probabilities(model, data, control), names_of(model.classes),
                       control);
        if (part == "explanation") add_explanations(results, model, data, control);
    }
}

}  // namespace dk

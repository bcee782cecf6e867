// SPDX-License-Identifier: Apache-2.0
#include "predictions.hpp"

#include <optional>

namespace command {

namespace {

std::vector<std::string> numbered(const std::string& name, int64_t count) {
    std::vector<std::string> names;
    for (int64_t i = 0; i < count; ++i) names.push_back(name + std::to_string(i));
    return names;
}

// Names the labels of a row, for each of which `has` says 1 or 0.
std::vector<std::string> predicted_names(const double* has, const ClassNames& classes) {
    std::vector<std::string> names;
    for (size_t label = 0; label < classes.all().size(); ++label) {
        if (has[label] == 1) names.push_back(classes.all()[label]);
    }
    return names;
}

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ";") + name;
    return all;
}

}  // namespace

Predictions predict(Control& control, Columns columns, const Model& model, const Data& data,
                    const ClassNames& classes, double confidence) {
    const auto values = [&](auto member) {
        return control.run([&](const libdk::Control& c) { return (model.*member)(data, c); });
    };
    using Rows = libdk::Matrix (Model::*)(const Data&, const libdk::Control&) const;
    using Row = std::vector<double> (Model::*)(const Data&, const libdk::Control&) const;
    Predictions result;
    const bool named = !data.row_name(0).empty();
    for (int64_t row = 0; named && row < data.rows(); ++row) result.names.push_back(data.row_name(row));
    const double labels_end = columns == Columns::none ? 0.9 : 0.4;
    std::optional<WorkPart> part;
    part.emplace(control.progress(), 0, labels_end);
    const std::vector<double> predicted = values(static_cast<Row>(&Model::predict));
    const auto targets = static_cast<size_t>(model.target_count());
    const bool several_labels = model.task() == libdk::Task::multilabel;
    for (size_t first = 0; first < predicted.size(); first += targets) {
        result.labels.push_back(predicted[first]);
        if (several_labels) result.sets.push_back(predicted_names(&predicted[first], classes));
    }
    part.emplace(control.progress(), labels_end, 0.9);
    switch (columns) {
        case Columns::none:
            if (several_labels) break;
            for (size_t target = 1; target < targets; ++target)
                result.columns.push_back("prediction " + std::to_string(target));
            for (size_t e = 0; targets > 1 && e < predicted.size(); ++e) {
                if (e % targets > 0) result.values.push_back(predicted[e]);
            }
            break;
        case Columns::probabilities:
            result.columns = classes.all();
            result.values = values(static_cast<Rows>(&Model::probability)).values;
            break;
        case Columns::decisions:
            result.columns = function_names(model, classes);
            result.values = values(static_cast<Rows>(&Model::decision)).values;
            break;
        case Columns::contributions:
            result.columns = prototype_names(model, classes);
            result.values = control.run([&](const libdk::Control& c) { return model.explain(data, c); })
                                .contributions.values;
            break;
        case Columns::features:
            result.columns = numbered("feature ", model.transform_count());
            result.values = values(static_cast<Rows>(&Model::transform)).values;
            break;
        case Columns::reconstructions:
            result.columns = numbered("column ", model.feature_count());
            result.values = values(static_cast<Rows>(&Model::reconstruct)).values;
            break;
        case Columns::novelty:
            result.columns = {"distance", "p"};
            result.values = values(static_cast<Rows>(&Model::novelty)).values;
            break;
        case Columns::deviation:
            result.columns = {"deviation"};
            result.values = values(static_cast<Row>(&Model::deviation));
            break;
        case Columns::sets:
            result.columns = classes.empty() ? std::vector<std::string>{"lower", "upper"} : classes.all();
            result.values =
                control.run([&](const libdk::Control& c) { return model.predict_set(data, confidence, c); })
                    .values;
            break;
    }
    return result;
}

void write_csv(const std::string& path, const Predictions& predictions, const ClassNames& classes) {
    Output output(path);
    if (!predictions.names.empty()) output.text("id,");
    output.text("prediction");
    for (const std::string& column : predictions.columns) {
        output.text(",");
        output.field(column);
    }
    output.text("\n");
    auto value = predictions.values.begin();
    auto name = predictions.names.begin();
    for (size_t row = 0; row < predictions.labels.size(); ++row) {
        const double label = predictions.labels[row];
        if (!predictions.names.empty()) {
            output.field(*name++);
            output.text(",");
        }
        if (!predictions.sets.empty()) {
            output.field(joined(predictions.sets[row]));
        } else if (classes.empty()) {
            output.number(label);
        } else {
            output.field(classes.of_prediction(label).get_ref<const std::string&>());
        }
        for (size_t c = 0; c < predictions.columns.size(); ++c) {
            output.text(",");
            output.number(*value++);
        }
        output.text("\n");
    }
    output.commit();
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
#include "model_view.hpp"

#include <algorithm>
#include <array>

#include "output/terminal.hpp"

namespace command {
namespace {

std::vector<int64_t> confusion(Control& control, const Model& model, const Data& data) {
    return control.run([&](const libdk::Control& c) { return model.confusion(data, c); });
}

// Counts the confusion matrix from predictions that are known. It is empty where the classes are no integers,
// since labels of data and model may then differ in meaning, or where the model does not know a label.
std::vector<int64_t> confusion_of(const std::vector<double>& predicted, const Model& model, const Data& data,
                                  const ClassNames& classes) {
    const auto known = model.classes();
    std::map<int64_t, size_t> position;
    for (size_t c = 0; c < known.size(); ++c) {
        if (classes.all()[c] != std::to_string(known[c])) return {};
        position[known[c]] = c;
    }
    const auto labels = labels_of(data);
    if (labels.empty()) return {};
    std::vector<int64_t> counts(known.size() * known.size());
    for (size_t i = 0; i < labels.size(); ++i) {
        const auto truth = position.find(labels[i]);
        if (truth == position.end()) return {};
        ++counts[truth->second * known.size() + position.at(static_cast<int64_t>(predicted[i]))];
    }
    return counts;
}

// The calls that scores need, which are as long as a prediction each.
class ScorePart : public WorkPart {
  public:
    ScorePart(Control& control, size_t number, size_t count)
        : WorkPart(control.progress(), double(number) / double(count), double(number + 1) / double(count)) {}
};

// Gives a metric, or null where it does not exist for the data, such as the AUC of rows of one class.
Json metric(Control& control, const Model& model, const Data& data, const char* name) {
    try {
        return control.run([&](const libdk::Control& c) { return model.score(data, name, c); });
    } catch (const LibraryError& error) {
        if (error.status() == libdk::Status::cancelled) throw;
        return nullptr;
    }
}

}  // namespace

std::vector<int64_t> labels_of(const Data& data) {
    try {
        return data.labels();
    } catch (const LibraryError&) {
        return {};
    }
}

ClassNames::ClassNames(const Model& model) {
    for (const int64_t label : model.classes()) {
        names_.push_back(model.class_name(static_cast<int64_t>(names_.size())));
        by_label_[static_cast<double>(label)] = names_.back();
    }
}

bool has_prototype_pairs(const Model& model) {
    return model.prototypes_are_pairs();
}

std::vector<std::string> function_names(const Model& model, const ClassNames& classes) {
    const int64_t functions = model.decision_count();
    std::vector<std::string> names;
    if (classes.empty() || !has_prototype_pairs(model)) {
        for (int64_t f = 0; f < functions; ++f) names.push_back("decision " + std::to_string(f));
        return names;
    }
    const auto sides = model.prototype_classes();
    for (size_t p = 0; p < sides.size(); p += 2) {
        names.push_back(classes.at(sides[p]) + " vs " + classes.at(sides[p + 1]));
    }
    return names;
}

std::vector<std::string> prototype_names(const Model& model, const ClassNames& classes) {
    const auto sides = model.prototype_classes();
    std::vector<std::string> names;
    for (size_t p = 0; p < sides.size(); ++p) {
        names.push_back("prototype " + std::to_string(p) +
                        (classes.empty() ? "" : " of " + classes.at(sides[p])));
    }
    return names;
}

Json model_info(const Model& model) {
    return Json::parse(model.info());
}

Json info_for_people(Json info) {
    info.erase("kernels");        // dk weights shows them.
    info.erase("feature_names");  // dk prototypes shows them.
    if (!info.contains("cross_validation")) return info;
    Json& validation = info["cross_validation"];
    Json& metrics = validation["metrics"];
    Json table = Json::array();
    for (const auto& metric : metrics.items()) {
        if (metric.value().empty()) continue;  // No fold defines it, as where each fold has one class.
        table.push_back({{"metric", metric.key()},
                         {"mean", metric.value().at("mean")},
                         {"deviation", metric.value().at("deviation")}});
    }
    metrics = std::move(table);
    return info;
}

Json model_warnings(const Model& model) {
    return Json::parse(model.warnings()).at("warnings");
}

void warn_of(const Json& warnings) {
    for (const Json& one : warnings) {
        const bool in_summary = one.at("about") == "scaled" || one.at("about") == "optimistic score";
        if (!in_summary) warn(one.at("text").get<std::string>());
    }
}

namespace {

// Precision, recall and F1 of each class, from the confusion counts. A share of no rows is 0.
Json by_class(const std::vector<int64_t>& counts, const ClassNames& classes) {
    const size_t count = classes.all().size();
    const auto share = [](int64_t part, int64_t whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    };
    Json list = Json::array();
    for (size_t c = 0; c < count; ++c) {
        int64_t rows = 0;
        int64_t predicted = 0;
        for (size_t other = 0; other < count; ++other) {
            rows += counts[c * count + other];
            predicted += counts[other * count + c];
        }
        const int64_t right = counts[c * count + c];
        list.push_back({{"class", classes.all()[c]},
                        {"rows", rows},
                        {"precision", share(right, predicted)},
                        {"recall", share(right, rows)},
                        {"f1", share(2 * right, rows + predicted)}});
    }
    return list;
}

}  // namespace

Json score(Control& control, const Model& model, const Data& data, Scores which,
           const std::vector<double>& predicted) {
    const ClassNames classes(model);
    const size_t count = classes.all().size();
    Json scores = {{"rows", data.rows()}};
    const bool several_labels = model.task() == libdk::Task::multilabel;
    if (classes.empty() || several_labels) {
        std::vector<const char*> names{"mae", "rmse", "r2"};
        if (several_labels) names = {"micro_f1", "accuracy", "hamming_loss", "f1", "auc"};
        if (several_labels && which == Scores::kAccuracy) names.resize(1);
        for (size_t at = 0; at < names.size(); ++at) {
            const ScorePart part(control, at, names.size());
            scores[names[at]] = metric(control, model, data, names[at]);
        }
        return scores;
    }
    std::vector<int64_t> counts;
    if (!predicted.empty()) counts = confusion_of(predicted, model, data, classes);
    const std::array names{"precision", "recall", "f1", "auc"};
    const size_t calls = 1 + (which == Scores::kAll ? names.size() : 0);
    if (counts.empty()) {
        const ScorePart part(control, 0, calls);
        counts = confusion(control, model, data);
    }
    Json rows = Json::array();
    int64_t right = 0;
    for (size_t truth = 0; truth < count; ++truth) {
        const auto row = counts.begin() + static_cast<std::ptrdiff_t>(truth * count);
        rows.push_back(std::vector<int64_t>(row, row + static_cast<std::ptrdiff_t>(count)));
        right += counts[truth * count + truth];
    }
    scores["accuracy"] = static_cast<double>(right) / scores.at("rows").get<double>();
    if (which == Scores::kAll) {
        for (size_t at = 0; at < names.size(); ++at) {
            const ScorePart part(control, at + 1, calls);
            scores[names[at]] = metric(control, model, data, names[at]);
        }
    }
    if (which == Scores::kAll) scores["by_class"] = by_class(counts, classes);
    scores["confusion"] = {{"classes", classes.all()}, {"rows_true_columns_predicted", std::move(rows)}};
    return scores;
}

}  // namespace command

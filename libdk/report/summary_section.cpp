// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/text.hpp"
#include "data/same_rows.hpp"
#include "machine/machine.hpp"
#include "pipeline/score.hpp"
#include "report/drawing/html.hpp"
#include "report/model_warnings.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

std::string tile(std::string_view name, const std::string& value) {
    return text("<div class=\"tile\"><b>", value, "</b>", escaped(name), "</div>\n");
}

/// What the machine is: the first sentence of its documentation.
std::string machine_sentence(const Model& model) {
    for (const Machine& machine : machines()) {
        if (machine.name != model.machine) continue;
        const std::size_t end = machine.doc.find(". ");
        return end == std::string::npos ? machine.doc : machine.doc.substr(0, end + 1);
    }
    return text("The machine is ", model.machine, ".");
}

/// What rows are made of: features, channels of a series, or, for texts and graphs, nothing that is counted.
std::string made_of(const Model& model) {
    const auto counted = [&](std::string_view what) {
        return text(" by ", model.features, " ", what, model.features == 1 ? "" : "s");
    };
    switch (model.kind) {
        case DataKind::series:
            return counted("channel");
        case DataKind::strings:
        case DataKind::graphs:
            return "";
        case DataKind::gram:
            return " by similarities";
        default:
            return counted("feature");
    }
}

std::string task_sentence(const Model& model) {
    if (model.task == "regression") return text("It predicts a number", made_of(model), ".");
    if (model.task == "clustering")
        return text("It tells in which of ", model.classes.classes(), " clusters a row is", made_of(model),
                    ".");
    if (model.task == "novelty")
        return text("It tells rows that are like its training rows from others", made_of(model), ".");
    std::vector<std::string> names;
    for (Index c = 0; c < std::min<Index>(model.classes.classes(), 8); ++c)
        names.push_back(model.classes.class_name(c));
    if (model.classes.classes() > 8) names.emplace_back("\u2026");
    return text("It tells ", model.classes.classes(), " classes (", join(names, ", "), ")", made_of(model),
                ".");
}

std::string learning_sentence(const Model& model) {
    return text("It learned from ", model.training_rows, " rows, of which its predictions need ",
                model.predictor->support_count(), ", and compares rows by ",
                model.kernels.size() == 1 ? text("the kernel ", shortened(model.kernel, 120))
                                          : text("a weighted sum of ", model.kernels.size(), " kernels"),
                ".");
}

/// The few metrics that people ask for first, under the names that they have.
std::string metric_tiles(const ScoredRows& scored) {
    std::string tiles;
    static constexpr std::pair<const char*, const char*> names[] = {
        {"accuracy", "accuracy"},      {"f1", "F1"},      {"auc", "area under ROC"},
        {"eer", "equal error rate"},   {"r2", "R\u00b2"}, {"rmse", "RMSE"},
        {"mae", "mean absolute error"}};
    for (const auto& [metric, name] : names) {
        const auto found = scored.metrics.find(metric);
        if (found == scored.metrics.end() || std::isnan(found->second)) continue;
        if (scored.classes && std::string_view(metric) == "mae") continue;
        tiles += tile(name, shown(found->second));
    }
    return tiles;
}

}  // namespace

std::string summary_section(const ReportedModel& reported, const ScoredRows& scored) {
    const Model& model = reported.model;
    std::string out = text("<h1>",
                           escaped(reported.options.title.empty() ? text(model.machine, ": ", model.task,
                                                                         ", ", reported.data.rows(), " rows")
                                                                  : reported.options.title),
                           "</h1>\n<p>", escaped(machine_sentence(model)), " ", escaped(task_sentence(model)),
                           " ", escaped(learning_sentence(model)), "</p>\n");
    if (!scored.not_scored.empty()) out += text("<p class=\"bad\">", escaped(scored.not_scored), "</p>\n");
    out += text("<div class=\"tiles\">\n", metric_tiles(scored),
                tile("rows shown here", text(reported.data.rows())),
                tile("support rows", text(model.predictor->support_count())),
                tile("prototypes", text(model.predictor->prototypes().count())), "</div>\n");
    for (const auto& [about, sentence] : model_warnings(model))
        out += text("<p class=\"bad\">", escaped(about), ": ", escaped(sentence), "</p>\n");
    // Languages hand over copies, so that the contents say whether these are the training rows.
    if (reported.training != nullptr && same_rows(reported.data, *reported.training))
        out +=
            "<p class=\"quiet\">These are the rows that the model was trained on, on which it looks better "
            "than "
            "it will on new ones.</p>\n";
    return out;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// The page for who decides what to do with predictions: how good they are beside knowing nothing, what
// matters, what would turn some of them, and why this model was taken. It speaks of cases and columns, and of
// no kernel.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.hpp"
#include "data/same_rows.hpp"
#include "model/archive/model_json.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/explanation/explanation.hpp"
#include "report/model_warnings.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

using ManagerJson = nlohmann::ordered_json;

constexpr Index most_cases = 10;

/// A measure on rows that training had not seen, with an interval, beside that of a guess.
struct Measured {
    double mean = 0;
    double low = 0;  // These are the ends of an interval of 95 per cent.
    double high = 0;
    std::optional<double> guess = {};
};

const ManagerJson* part_of(const ManagerJson& whole, const char* key) {
    return whole.is_object() && whole.contains(key) ? &whole.at(key) : nullptr;
}

std::optional<double> number_of(const ManagerJson* whole, const char* key) {
    const ManagerJson* number = whole == nullptr ? nullptr : part_of(*whole, key);
    return number != nullptr && number->is_number() ? std::optional(number->get<double>()) : std::nullopt;
}

/// Cross-validation as a model tells of it, that of the whole choice where there was one.
class Validation {
  public:
    explicit Validation(const Model& model) {
        read_model_json(model.validation_report, report_);
        whole_choice_ = part_of(*report_, "nested");
        source_ = whole_choice_ != nullptr ? whole_choice_ : &*report_;
    }

    bool of_whole_choice() const { return whole_choice_ != nullptr; }
    bool compared() const { return part_of(*report_, "candidates") != nullptr; }

    std::optional<Measured> measured(const char* metric) const {
        const ManagerJson* all = part_of(*source_, "metrics");
        const ManagerJson* one = all == nullptr ? nullptr : part_of(*all, metric);
        const auto mean = number_of(one, "mean");
        const auto low = number_of(one, "low");
        const auto high = number_of(one, "high");
        if (!mean || !low || !high) return std::nullopt;
        Measured found{.mean = *mean, .low = *low, .high = *high};
        if (const ManagerJson* baseline = part_of(*report_, "baseline"))
            found.guess = number_of(part_of(*baseline, metric), "mean");
        return found;
    }

  private:
    Dismantled<ManagerJson> report_;
    const ManagerJson* whole_choice_ = nullptr;
    const ManagerJson* source_ = nullptr;
};

std::string of_hundred(double share) {
    return text(std::lround(100 * std::clamp(share, 0.0, 1.0)), " of 100");
}

std::string purpose(const Model& model) {
    if (model.task == "regression") return "The model predicts a number for each case.";
    if (model.task == "clustering")
        return text("The model tells in which of ", model.classes.classes(),
                    " groups of alike cases one is.");
    if (model.task == "novelty") return "The model tells cases that are like the known ones from others.";
    const Index classes = model.classes.classes();
    if (classes == 2)
        return text("The model tells ", model.classes.class_name(1),
                    ", which counts as the positive class, from ", model.classes.class_name(0), ".");
    return text("The model tells ", classes, " classes apart.");
}

std::string range_of(const Measured& measured) {
    return text("between ", of_hundred(measured.low), " and ", of_hundred(measured.high));
}

std::string classification_sentences(const Model& model, const Validation& validation) {
    const auto right = validation.measured("accuracy");
    if (!right) return "";
    std::string out =
        text("<p><b>", of_hundred(right->mean), "</b> cases that it had not seen were predicted rightly (",
             range_of(*right), " with 95 per cent certainty). ");
    if (right->guess)
        out += text("Who always says the most frequent class is right in ", of_hundred(*right->guess), ". ");
    const bool better = !right->guess || right->low > *right->guess;
    if (!better) out += "<span class=\"bad\">The model is not surely better than that.</span> ";
    const auto recall = validation.measured("recall");
    const auto precision = validation.measured("precision");
    if (model.classes.classes() == 2 && recall && precision) {
        const std::string positive = escaped(model.classes.class_name(1));
        out += text("Of 100 cases of ", positive, " it finds ", std::lround(100 * recall->mean),
                    ", and of 100 that it takes for ", positive, " ", std::lround(100 * precision->mean),
                    " are.");
    }
    return out + "</p>\n";
}

std::string regression_sentences(const Validation& validation) {
    const auto error = validation.measured("rmse");
    if (!error) return "";
    std::string out =
        text("<p>Predictions of cases that it had not seen were off by about <b>", shown(error->mean),
             "</b> (", shown(std::max(0.0, error->low)), " to ", shown(error->high),
             " with 95 per cent certainty), in the unit of what is predicted. ");
    if (error->guess) {
        out += text("Who always says the mean is off by ", shown(*error->guess), ". ");
        if (error->high >= *error->guess)
            out += "<span class=\"bad\">The model is not surely better than that.</span>";
    }
    return out + "</p>\n";
}

std::string chart_of_quality(const Model& model, const Validation& validation) {
    const bool values = model.task == "regression";
    const auto measured = validation.measured(values ? "rmse" : "accuracy");
    if (!measured || !measured->guess) return "";
    const std::vector<Bar> bars{
        {"this model", measured->mean, 2, measured->low, measured->high},
        {values ? "always the mean" : "always the most frequent class", *measured->guess, 7}};
    return bar_chart(bars, values ? "Usual error on unseen cases, less is better"
                                  : "Share of unseen cases that are predicted rightly");
}

/// What the rows of the page say where the model tells of no validation.
std::string shown_quality(const ReportedModel& reported, const ScoredRows& scored) {
    if (reported.training != nullptr && same_rows(reported.data, *reported.training))
        return "<p class=\"bad\">Nobody has measured how good the model is on cases that it has not seen: "
               "the "
               "rows of this page are those that it learned from.</p>\n";
    const auto accuracy = scored.metrics.find("accuracy");
    const auto error = scored.metrics.find("rmse");
    if (scored.classes && accuracy != scored.metrics.end())
        return text("<p><b>", of_hundred(accuracy->second), "</b> of the ", reported.data.rows(),
                    " cases of this page are predicted rightly.</p>\n");
    if (scored.values && error != scored.metrics.end())
        return text("<p>Predictions of the ", reported.data.rows(),
                    " cases of this page are off by about <b>", shown(error->second), "</b>.</p>\n");
    return "<p class=\"bad\">Nobody has measured how good the model is on cases that it has not seen.</p>\n";
}

std::string quality_section(const ReportedModel& reported, const ScoredRows& scored) {
    const Model& model = reported.model;
    const Validation validation(model);
    std::string content = model.task == "regression" ? regression_sentences(validation)
                                                     : classification_sentences(model, validation);
    if (content.empty()) return section("How good it is", "", shown_quality(reported, scored));
    if (!validation.of_whole_choice() && validation.compared())
        content +=
            "<p class=\"quiet\">The model was chosen by this measure among others, so that it is a little "
            "too good.</p>\n";
    return section("How good it is", "", content + chart_of_quality(model, validation));
}

std::string changes_text(const ReportedModel& reported, const RowExplanation& explanation) {
    if (!explanation.counterfactual) return "";
    const Counterfactual& found = *explanation.counterfactual;
    std::string out = text("<b>", escaped(reported.model.classes.class_name(found.elected)), "</b> if ");
    constexpr std::size_t most_told = 4;
    const std::size_t count = std::min(found.changes.size(), most_told);
    for (std::size_t k = 0; k < count; ++k) {
        const FeatureChange& change = found.changes[k];
        out += text(k > 0 ? "<br>and " : "", escaped(reported.data.feature_name(change.feature)), " were ",
                    shown(change.to), " in place of ", shown(change.from));
    }
    if (found.changes.size() > count) out += text("<br>and ", found.changes.size() - count, " more changed");
    return out;
}

std::string cases_section(const ReportedModel& reported, Control& control) {
    const Model& model = reported.model;
    if (model.classes.classes() == 0 || model.task != "classification") return "";
    HtmlTable table{.head = {"case", "", "predicted", "would be"}, .rows = {}, .numbers = {}};
    std::optional<TrainingRows> training;
    if (reported.training != nullptr) training = training_rows_of(model, *reported.training, control);
    const auto rows = spread_rows(reported.data.rows(), std::min(reported.options.worst_rows, most_cases));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const ProgressScope scope(control, double(k) / double(rows.size()),
                                  double(k + 1) / double(rows.size()));
        const Dataset row = reported.data.select(std::vector<Index>{rows[k]});
        const RowExplanation explanation = explanation_of(model, row, training ? &*training : nullptr,
                                                          ExplanationDepth::counterfactual, control);
        std::string predicted = escaped(model.classes.class_name(explanation.question.elected));
        if (std::isfinite(explanation.probability))
            predicted += text(" (", of_hundred(explanation.probability), ")");
        table.rows.push_back({escaped(row.row_names.empty() ? text(rows[k]) : row.row_name(0)),
                              shown_row(reported, reported.data, rows[k]), predicted,
                              changes_text(reported, explanation)});
    }
    const bool observed = training && reported.data.kind() == DataKind::dense;
    return section("Some cases",
                   text("What is predicted, and a small change that would turn it",
                        observed ? ", with values that the columns had in training" : "", "."),
                   html_of(table));
}

std::string reasons_section(const Model& model) {
    Dismantled<ManagerJson> choice;
    read_model_json(model.choice_report, choice);
    const ManagerJson* reason = part_of(*choice, "reason");
    const std::string chosen =
        reason != nullptr && reason->is_string()
            ? text("The machine, its scaling and its numbers were chosen among others: ",
                   reason->get<std::string>(), ".")
            : text("Somebody chose the machine ", model.machine, ".");
    return section("Why this model", "",
                   text("<p>", escaped(chosen), " It learned from ", model.training_rows, " cases.</p>\n"));
}

}  // namespace

std::string manager_page(const ReportedModel& reported, Control& control) {
    const Model& model = reported.model;
    const std::string title = reported.options.title.empty()
                                  ? std::string("What the model does, and how well")
                                  : reported.options.title;
    ScoredRows scored;
    {
        const ProgressScope scope(control, 0, 0.3, "report");
        scored = scored_rows(model, reported.data, control);
    }
    std::string body = text("<h1>", escaped(title), "</h1>\n<p>", escaped(purpose(model)), "</p>\n");
    for (const auto& [about, sentence] : model_warnings(model))
        body += text("<p class=\"bad\">", escaped(about), ": ", escaped(sentence), "</p>\n");
    body += quality_section(reported, scored);
    {
        const ProgressScope scope(control, 0.3, 0.6, "report");
        body += importance_section(reported, scored, control);
    }
    {
        const ProgressScope scope(control, 0.6, 1, "report");
        body += cases_section(reported, control);
    }
    body += reasons_section(model);
    return html_page(title, body);
}

}  // namespace dk

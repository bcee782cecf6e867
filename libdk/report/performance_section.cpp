// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

constexpr std::size_t most_points = 200;
constexpr Index most_curves = 10;
constexpr Index most_classes_of_matrix = 50;
constexpr std::size_t most_confusions = 30;

/// The most frequent confusions, where a matrix has more classes than a screen has room for.
std::string confusion_list(const Model& model, const ClassPredictions& rows) {
    std::vector<Index> cells;
    for (Index cell = 0; cell < rows.classes * rows.classes; ++cell) {
        if (cell / rows.classes != cell % rows.classes && rows.confusion[cell] > 0) cells.push_back(cell);
    }
    std::ranges::stable_sort(cells, std::ranges::greater{}, [&](Index cell) { return rows.confusion[cell]; });
    if (cells.size() > most_confusions) cells.resize(most_confusions);
    HtmlTable table{.head = {"is", "predicted", "rows"}, .rows = {}, .numbers = {false, false, true}};
    for (const Index cell : cells)
        table.rows.push_back({escaped(model.classes.class_name(cell / rows.classes)),
                              escaped(model.classes.class_name(cell % rows.classes)),
                              text(rows.confusion[cell])});
    return text("<div class=\"card\"><h3>Most frequent confusions</h3>", html_of(table), "</div>\n");
}

std::string confusion_table(const Model& model, const ClassPredictions& rows) {
    if (rows.classes > most_classes_of_matrix) return confusion_list(model, rows);
    HtmlTable table;
    table.head.emplace_back("true \u2193 predicted \u2192");
    table.numbers.push_back(false);
    for (Index c = 0; c < rows.classes; ++c) {
        table.head.push_back(escaped(shortened(model.classes.class_name(c), 12)));
        table.numbers.push_back(true);
    }
    table.head.emplace_back("right");
    table.numbers.push_back(true);
    for (Index t = 0; t < rows.classes; ++t) {
        const auto of_class = std::span(rows.confusion).subspan(t * rows.classes, rows.classes);
        const double all = std::reduce(of_class.begin(), of_class.end(), Index{0});
        auto& row = table.rows.emplace_back();
        row.push_back(escaped(model.classes.class_name(t)));
        for (Index p = 0; p < rows.classes; ++p) {
            const std::string count = text(of_class[p]);
            row.push_back(of_class[p] == 0 ? text("<span class=\"quiet\">0</span>")
                          : p == t         ? text("<b class=\"good\">", count, "</b>")
                                           : text("<span class=\"bad\">", count, "</span>"));
        }
        row.push_back(all > 0 ? shown_percent(100 * static_cast<double>(of_class[t]) / all) : "");
    }
    return text("<div class=\"card\"><h3>Confusion matrix</h3>", html_of(table), "</div>\n");
}

/// Positions of rows by descending score.
std::vector<Index> by_score(std::span<const double> scores) {
    std::vector<Index> order(scores.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) { return scores[i]; });
    return order;
}

struct Curves {
    Line roc;
    Line precision_recall;
};

/// Walks down the scores; rows of equal scores come in together.
Curves curves_of(const ClassPredictions& rows, Index positive, const std::string& name) {
    const std::vector<double>& scores = rows.scores[positive];
    const auto order = by_score(scores);
    const double positives = std::ranges::count(rows.truth, positive);
    const double negatives = static_cast<double>(rows.truth.size()) - positives;
    Curves curves{{name, {0}, {0}, positive}, {name, {}, {}, positive}};
    double hits = 0;
    double alarms = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        (rows.truth[order[k]] == positive ? hits : alarms) += 1;
        if (k + 1 < order.size() && scores[order[k + 1]] == scores[order[k]]) continue;
        curves.roc.x.push_back(alarms / negatives);
        curves.roc.y.push_back(hits / positives);
        curves.precision_recall.x.push_back(hits / positives);
        curves.precision_recall.y.push_back(hits / (hits + alarms));
    }
    return curves;
}

/// Keeps so many points of a line, its ends among them.
void thin(Line& line) {
    if (line.x.size() <= most_points) return;
    Line kept{line.name, {}, {}, line.colour};
    for (std::size_t i = 0; i < most_points; ++i) {
        const std::size_t from = i * (line.x.size() - 1) / (most_points - 1);
        kept.x.push_back(line.x[from]);
        kept.y.push_back(line.y[from]);
    }
    line = std::move(kept);
}

/// The classes whose curves are drawn: the second of two; of many those with the most rows.
std::vector<Index> drawn_classes(const ClassPredictions& rows) {
    std::vector<Index> counts(rows.classes, 0);
    for (const Index c : rows.truth) ++counts[c];
    std::vector<Index> classes;
    for (Index c = rows.classes == 2 ? 1 : 0; c < rows.classes; ++c) {
        if (counts[c] > 0 && counts[c] < std::ssize(rows.truth)) classes.push_back(c);
    }
    std::ranges::stable_sort(classes, std::ranges::greater{}, [&](Index c) { return counts[c]; });
    if (std::ssize(classes) > most_curves) classes.resize(most_curves);
    std::ranges::sort(classes);
    return classes;
}

void add_curves(const Model& model, const ClassPredictions& rows, std::vector<std::string>& figures) {
    std::vector<Line> roc;
    std::vector<Line> precision_recall;
    for (const Index c : drawn_classes(rows)) {
        Curves curves = curves_of(rows, c, model.classes.class_name(c));
        thin(curves.roc);
        thin(curves.precision_recall);
        roc.push_back(std::move(curves.roc));
        precision_recall.push_back(std::move(curves.precision_recall));
    }
    if (roc.empty()) return;
    const std::string of = rows.classes == 2 ? model.classes.class_name(1) : "each class against the others";
    figures.push_back(
        line_chart(roc, {"false alarms", 0, 1}, {"found", 0, 1}, true, text("ROC curve of ", of)));
    figures.push_back(line_chart(precision_recall, {"recall", 0, 1}, {"precision", 0, 1}, false,
                                 text("Precision and recall of ", of)));
}

/// How often rows are of a class whose probability is in each tenth.
void add_calibration(const Model& model, const ScoredRows& scored, std::vector<std::string>& figures) {
    if (scored.probabilities.empty()) return;
    const ClassPredictions& rows = *scored.classes;
    std::vector<double> sums(10, 0.0);
    std::vector<double> hits(10, 0.0);
    std::vector<double> counts(10, 0.0);
    for (std::size_t i = 0; i < rows.truth.size(); ++i) {
        for (Index c = rows.classes == 2 ? 1 : 0; c < rows.classes; ++c) {
            const double p = scored.probabilities[i * rows.classes + c];
            const auto tenth = std::min<std::size_t>(static_cast<std::size_t>(10 * p), 9);
            sums[tenth] += p;
            counts[tenth] += 1;
            if (rows.truth[i] == c) hits[tenth] += 1;
        }
    }
    Line line{rows.classes == 2 ? model.classes.class_name(1) : "all classes", {}, {}, 0};
    for (std::size_t b = 0; b < counts.size(); ++b) {
        if (counts[b] == 0) continue;
        line.x.push_back(sums[b] / counts[b]);
        line.y.push_back(hits[b] / counts[b]);
    }
    figures.push_back(
        line_chart({&line, 1}, {"probability said", 0, 1}, {"share that was", 0, 1}, true,
                   "Calibration: on the diagonal, what is said to be 70 % sure is so 7 times of 10"));
}

/// Decisions by class. With more than two classes these are how far each row's own class is above the best
/// other one.
void add_decisions(const Model& model, const ScoredRows& scored, std::vector<std::string>& figures) {
    const ClassPredictions& rows = *scored.classes;
    if (rows.classes == 2 && std::ssize(scored.decisions) == std::ssize(rows.truth)) {
        std::vector<ValueGroup> groups;
        for (Index c = 0; c < 2; ++c) groups.push_back({model.classes.class_name(c), {}, c});
        for (std::size_t i = 0; i < rows.truth.size(); ++i)
            groups[rows.truth[i]].values.push_back(scored.decisions[i]);
        figures.push_back(histogram_chart(
            groups, "decision",
            !model.elects_by_probability()
                ? text("Decisions by class: above 0 the model says ", model.classes.class_name(1))
                : std::string("Decisions by class; probabilities elect")));
        return;
    }
    std::vector<ValueGroup> groups{{"right", {}, 2}, {"wrong", {}, 1}};
    for (std::size_t i = 0; i < rows.truth.size(); ++i) {
        double best = -infinity;
        for (Index c = 0; c < rows.classes; ++c) {
            if (c != rows.truth[i]) best = std::max(best, rows.scores[c][i]);
        }
        const bool right = rows.elected[i] == rows.truth[i];
        groups[right ? 0 : 1].values.push_back(rows.scores[rows.truth[i]][i] - best);
    }
    figures.push_back(histogram_chart(groups, "score of the own class less the best other",
                                      "How clearly rows are of their class"));
}

std::string classes_section(const Model& model, const ScoredRows& scored) {
    std::vector<std::string> figures;
    add_curves(model, *scored.classes, figures);
    add_calibration(model, scored, figures);
    add_decisions(model, scored, figures);
    const std::string probabilities = scored.probabilities.empty() && model.task == "classification"
                                          ? "<p class=\"quiet\">The model has no probabilities; train it "
                                            "with probability=yes to see how well "
                                            "they are calibrated.</p>\n"
                                          : "";
    return confusion_table(model, *scored.classes) + side_by_side(figures) + probabilities;
}

std::string values_section(const ValuePredictions& rows) {
    std::vector<double> errors;
    std::vector<double> both(rows.truth.begin(), rows.truth.end());
    both.insert(both.end(), rows.predicted.begin(), rows.predicted.end());
    std::vector<Mark> marks;
    for (const Index i : spread_rows(std::ssize(rows.truth), 800))
        marks.push_back(
            {rows.truth[i], rows.predicted[i], 0, false,
             text("row ", i, ": ", shown(rows.truth[i]), ", predicted ", shown(rows.predicted[i]))});
    for (std::size_t i = 0; i < rows.truth.size(); ++i) errors.push_back(rows.predicted[i] - rows.truth[i]);
    const std::vector<ValueGroup> groups{{"errors", errors, 0}};
    std::vector<Mark> error_marks;
    for (const Index i : spread_rows(std::ssize(rows.truth), 800))
        error_marks.push_back(
            {rows.predicted[i], errors[i], 0, false, text("row ", i, ": ", shown(errors[i]))});
    return side_by_side(std::vector<std::string>{
        scatter_chart(marks, axis_over("true value", both), axis_over("predicted", both), {}, true,
                      "Predicted against true values"),
        histogram_chart(groups, "predicted less true", "How large errors are"),
        scatter_chart(error_marks, axis_over("predicted", rows.predicted), axis_over("error", errors), {},
                      false, "Errors along the predictions: a pattern is what the model has not learned")});
}

}  // namespace

std::string performance_section(const ReportedModel& reported, const ScoredRows& scored) {
    const Model& model = reported.model;
    if (scored.classes)
        return section("How good it is", "Rows by what they are and what the model says they are.",
                       classes_section(model, scored));
    if (scored.values)
        return section("How good it is", "Values as they are and as the model predicts them.",
                       values_section(*scored.values));
    if (model.task != "novelty" && model.task != "regression") return "";
    const std::vector<ValueGroup> groups{{"decisions", scored.decisions, 0}};
    return section("What it says", "",
                   side_by_side(std::vector<std::string>{histogram_chart(
                       groups, "decision",
                       model.task == "novelty" ? "Decisions: rows below 0 are unlike the training rows"
                                               : "Predictions")}));
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "report/drawing/html.hpp"
#include "report/explanation/explanation.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

/// Looking for a counterfactual costs two decisions for each feature and step.
constexpr Index most_turned_features = 200;
constexpr std::size_t most_pulls = 4;

/// How wrong each row is: by how much the best other class, or the prediction, is away from what the row is.
std::vector<double> wrongness(const ScoredRows& scored) {
    std::vector<double> wrong;
    if (scored.values) {
        for (std::size_t i = 0; i < scored.values->truth.size(); ++i)
            wrong.push_back(std::abs(scored.values->truth[i] - scored.values->predicted[i]));
        return wrong;
    }
    const ClassPredictions& rows = *scored.classes;
    for (std::size_t i = 0; i < rows.truth.size(); ++i)
        wrong.push_back(rows.elected[i] == rows.truth[i]
                            ? -infinity
                            : rows.scores[rows.elected[i]][i] - rows.scores[rows.truth[i]][i]);
    return wrong;
}

std::vector<Index> worst_rows(const ScoredRows& scored, Index most) {
    const std::vector<double> wrong = wrongness(scored);
    std::vector<Index> order;
    for (Index i = 0; i < std::ssize(wrong); ++i) {
        if (wrong[i] > -infinity) order.push_back(i);
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) { return wrong[i]; });
    if (std::ssize(order) > most) order.resize(most);
    return order;
}

std::string pulls_text(const ReportedModel& reported, const RowExplanation& explanation) {
    const bool rows = !explanation.training_rows.empty();
    const std::vector<Pull>& pulls = rows ? explanation.training_rows : explanation.prototypes;
    std::string out;
    for (std::size_t k = 0; k < std::min(pulls.size(), most_pulls); ++k) {
        std::string name = text(rows ? "row " : "prototype ", pulls[k].source);
        if (rows && reported.training != nullptr && reported.training->labels) {
            const Labels& labels = *reported.training->labels;
            name += text(" (", labels.class_name(labels.of_rows[pulls[k].source]), ")");
        }
        out +=
            text(k > 0 ? "<br>" : "", escaped(name), " <span class=\"", pulls[k].share < 0 ? "bad" : "good",
                 "\">", pulls[k].share > 0 ? "+" : "", shown_percent(pulls[k].share), "</span>");
    }
    return out;
}

std::string turning_text(const ReportedModel& reported, const RowExplanation& explanation) {
    if (!explanation.counterfactual) return "";
    const Counterfactual& found = *explanation.counterfactual;
    std::string out = text("would be ", escaped(reported.model.classes.class_name(found.elected)), " with ");
    const std::size_t count = std::min<std::size_t>(found.changes.size(), 4);
    for (std::size_t k = 0; k < count; ++k) {
        const FeatureChange& change = found.changes[k];
        out += text(k > 0 ? "<br>" : "", escaped(reported.data.feature_name(change.feature)), " ",
                    shown(change.from), " \u2192 ", shown(change.to));
    }
    if (found.changes.size() > count) out += text("<br>and ", found.changes.size() - count, " more");
    return out;
}

/// The text of a string with the places marked that its nearest string of the other class does not have.
std::string marked_text(const std::string& own, const std::string& other) {
    const auto within_character = [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    };
    std::size_t begin = 0;
    while (begin < std::min(own.size(), other.size()) && own[begin] == other[begin]) ++begin;
    while (begin > 0 && begin < own.size() && within_character(own[begin])) --begin;
    std::size_t end = own.size();
    std::size_t other_end = other.size();
    while (end > begin && other_end > begin && own[end - 1] == other[other_end - 1]) --end, --other_end;
    while (end < own.size() && within_character(own[end])) ++end;
    const std::string_view all = own;
    if (all.size() > 300) return escaped(shortened(own, 120));
    return text("<code>", escaped(all.substr(0, begin)), "<mark>", escaped(all.substr(begin, end - begin)),
                "</mark>", escaped(all.substr(end)), "</code>");
}

std::string shown_with_difference(const ReportedModel& reported, const RowExplanation& explanation,
                                  Index row) {
    if (reported.data.kind() == DataKind::strings && explanation.nearest_other &&
        reported.training != nullptr)
        return marked_text(reported.data.strings().texts[row],
                           reported.training->strings().texts[explanation.nearest_other->row]);
    return shown_row(reported, reported.data, row);
}

std::string truth_of(const ReportedModel& reported, const ScoredRows& scored, Index row) {
    return scored.values ? shown(scored.values->truth[row])
                         : escaped(reported.model.classes.class_name(scored.classes->truth[row]));
}

std::string prediction_of(const ReportedModel& reported, const ScoredRows& scored, Index row) {
    return scored.values ? shown(scored.values->predicted[row])
                         : escaped(reported.model.classes.class_name(scored.classes->elected[row]));
}

}  // namespace

std::string wrong_rows_section(const ReportedModel& reported, const ScoredRows& scored, Control& control) {
    if (!scored.classes && !scored.values) return "";
    const std::vector<Index> rows = worst_rows(scored, reported.options.worst_rows);
    if (rows.empty())
        return section("Rows that are most wrong", "",
                       "<p class=\"good\">Every row gets its own class.</p>\n");
    HtmlTable table{.head = {"row", "", "is", "predicted", "what pulled most", "what would turn it"},
                    .rows = {},
                    .numbers = {true}};
    const bool many_features =
        reported.data.kind() == DataKind::dense && reported.data.cols() > most_turned_features;
    const ExplanationDepth depth = many_features ? ExplanationDepth::sums : ExplanationDepth::counterfactual;
    std::optional<TrainingRows> training;
    if (reported.training != nullptr)
        training = training_rows_of(reported.model, *reported.training, control);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const ProgressScope scope(control, double(k) / double(rows.size()),
                                  double(k + 1) / double(rows.size()));
        const Dataset row = reported.data.select(std::vector<Index>{rows[k]});
        const RowExplanation explanation =
            explanation_of(reported.model, row, training ? &*training : nullptr, depth, control);
        table.rows.push_back({escaped(row.row_names.empty() ? text(rows[k]) : row.row_name(0)),
                              shown_with_difference(reported, explanation, rows[k]),
                              truth_of(reported, scored, rows[k]), prediction_of(reported, scored, rows[k]),
                              pulls_text(reported, explanation), turning_text(reported, explanation)});
    }
    return section(
        "Rows that are most wrong",
        "What pulled them to their prediction, with shares of all pulls: + towards it, \u2212 away from it.",
        html_of(table));
}

}  // namespace dk

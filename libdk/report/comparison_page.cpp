// SPDX-License-Identifier: Apache-2.0
// Models are compared on the same rows. An accuracy a of n rows has the interval of Wilson's score,
//
//     (a + z^2 / 2n +- z (a (1 - a) / n + z^2 / 4n^2)^(1/2)) / (1 + z^2 / n),   z = 1.96,
//
// and whether a model is really behind the best one is told by McNemar's exact test: of the rows that just
// one of both gets right, each would be the better one's with probability 1/2 if they were equally good.
//
// E. B. Wilson, Probable inference, JASA 22, 1927; Q. McNemar, Note on the sampling error of the difference
// between correlated proportions, Psychometrika 12, 1947.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "base/version.hpp"
#include "pipeline/score.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

struct ComparedModel {
    const Model& model;
    ScoredRows scored;
};

std::string model_name(const Model& model, std::size_t number) {
    return text(number + 1, ": ", model.machine, ", ", shortened(model.kernel, 40));
}

Bar accuracy_bar(const ComparedModel& compared, std::size_t number) {
    constexpr double z = 1.96;
    const double n = static_cast<double>(compared.scored.classes->truth.size());
    const double a = compared.scored.metrics.at("accuracy");
    const double middle = (a + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z * std::sqrt(a * (1 - a) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    return {model_name(compared.model, number), a, static_cast<Index>(number), middle - half, middle + half};
}

/// The probability that a fair coin falls to one side at most `less` or at least n - `less` times of n.
double mcnemar(Index less, Index n) {
    if (n == 0) return 1;
    double sum = 0;
    double logarithm = -static_cast<double>(n) * std::log(2.0);  // of the probability of k = 0, 1, ...
    for (Index k = 0; k <= less; ++k) {
        sum += std::exp(logarithm);
        logarithm += std::log(static_cast<double>(n - k) / static_cast<double>(k + 1));
    }
    return std::min(1.0, 2 * sum);
}

std::string against_best(const ComparedModel& one, const ComparedModel& best) {
    if (&one == &best) return "<b class=\"good\">best</b>";
    if (!one.scored.classes || !best.scored.classes) return "";
    Index one_alone = 0;
    Index best_alone = 0;
    const auto& truth = one.scored.classes->truth;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const bool right = one.scored.classes->elected[i] == truth[i];
        const bool best_right = best.scored.classes->elected[i] == truth[i];
        if (right && !best_right) ++one_alone;
        if (best_right && !right) ++best_alone;
    }
    const double p = mcnemar(std::min(one_alone, best_alone), one_alone + best_alone);
    return text("p = ", shown(p), p < 0.05 ? "" : ", not told apart");
}

const ComparedModel& best_of(const std::vector<ComparedModel>& models, const std::string& metric,
                             bool smaller) {
    return *std::ranges::max_element(models, {}, [&](const ComparedModel& one) {
        const auto found = one.scored.metrics.find(metric);
        if (found == one.scored.metrics.end() || std::isnan(found->second)) return -infinity;
        return smaller ? -found->second : found->second;
    });
}

std::string metrics_table(const std::vector<ComparedModel>& models, const ComparedModel& best) {
    HtmlTable table{.head = {"model"}, .rows = {}, .numbers = {false}};
    std::vector<std::string> names;
    for (const auto& [name, value] : best.scored.metrics) {
        if (std::isnan(value)) continue;
        names.push_back(name);
        table.head.push_back(escaped(name));
        table.numbers.push_back(true);
    }
    for (const char* name : {"support rows", "prototypes", "trained on", "against the best"}) {
        table.head.emplace_back(name);
        table.numbers.push_back(std::string_view(name) != "against the best");
    }
    for (std::size_t m = 0; m < models.size(); ++m) {
        const ComparedModel& one = models[m];
        auto& row = table.rows.emplace_back();
        row.push_back(escaped(model_name(one.model, m)));
        for (const std::string& name : names) {
            const auto found = one.scored.metrics.find(name);
            row.push_back(found == one.scored.metrics.end() ? "" : shown(found->second));
        }
        row.push_back(text(one.model.predictor->support_count()));
        row.push_back(text(one.model.predictor->prototypes().count()));
        row.push_back(text(one.model.training_rows));
        row.push_back(against_best(one, best));
    }
    return html_of(table);
}

/// The classes that a model elects, under numbers that all models share.
std::vector<Index> common_classes(const ComparedModel& one, std::map<std::string, Index>& numbers) {
    std::vector<Index> of_position;
    for (Index c = 0; c < one.model.classes.classes(); ++c)
        of_position.push_back(
            numbers.try_emplace(one.model.classes.class_name(c), std::ssize(numbers)).first->second);
    std::vector<Index> elected;
    elected.reserve(one.scored.elected.size());
    for (const Index position : one.scored.elected) elected.push_back(of_position[position]);
    return elected;
}

/// The share of the rows that two models tell alike.
std::string agreement_table(const std::vector<ComparedModel>& models, Control& control) {
    HtmlTable table{.head = {""}, .rows = {}, .numbers = {false}};
    std::map<std::string, Index> numbers;
    std::vector<std::vector<Index>> elected;
    elected.reserve(models.size());
    for (const ComparedModel& one : models) elected.push_back(common_classes(one, numbers));
    for (std::size_t a = 0; a < models.size(); ++a) {
        table.head.push_back(text(a + 1));
        table.numbers.push_back(true);
        auto& row = table.rows.emplace_back();
        row.push_back(escaped(model_name(models[a].model, a)));
        for (const std::vector<Index>& other : elected) {
            control.check();
            Index same = 0;
            for (std::size_t i = 0; i < other.size(); ++i) same += elected[a][i] == other[i] ? 1 : 0;
            row.push_back(shown_percent(100 * static_cast<double>(same) / static_cast<double>(other.size())));
        }
    }
    return html_of(table);
}

}  // namespace

std::string comparison_page(std::span<const Model* const> models, const Dataset& data,
                            const ReportOptions& options, Control& control) {
    std::vector<ComparedModel> compared;
    for (std::size_t m = 0; m < models.size(); ++m) {
        const ProgressScope scope(control, double(m) / double(models.size()),
                                  double(m + 1) / double(models.size()), "report");
        compared.push_back({*models[m], scored_rows(*models[m], data, control)});
    }
    const bool classes = std::ranges::any_of(
        compared, [](const ComparedModel& one) { return one.scored.classes.has_value(); });
    const ComparedModel& best = best_of(compared, classes ? "accuracy" : "rmse", !classes);
    std::vector<Bar> bars;
    for (std::size_t m = 0; m < compared.size(); ++m) {
        if (compared[m].scored.classes) {
            bars.push_back(accuracy_bar(compared[m], m));
        } else if (compared[m].scored.metrics.contains("rmse")) {
            bars.push_back(
                {model_name(*models[m], m), compared[m].scored.metrics.at("rmse"), static_cast<Index>(m)});
        }
    }
    const std::string title =
        options.title.empty() ? text(models.size(), " models on ", data.rows(), " rows") : options.title;
    std::string body = text("<h1>", escaped(title), "</h1>\n");
    for (std::size_t m = 0; m < compared.size(); ++m) {
        if (compared[m].scored.not_scored.empty()) continue;
        body += text("<p class=\"bad\">", escaped(model_name(*models[m], m)), ". ",
                     escaped(compared[m].scored.not_scored), "</p>\n");
    }
    if (!bars.empty())
        body += side_by_side(std::vector<std::string>{
            bar_chart(bars, classes ? "Accuracy, with its interval of 95 %" : "Root mean squared error")});
    body += section(
        "Side by side",
        classes ? "p is of McNemar's exact test: the probability of such a difference between models that "
                  "are equally good."
                : "",
        metrics_table(compared, best));
    if (!compared.front().scored.elected.empty())
        body += section("How often they agree", "The share of the rows for which two models say the same.",
                        agreement_table(compared, control));
    for (std::size_t m = 0; m < compared.size(); ++m) {
        const ReportedModel reported{*models[m], data, nullptr, options};
        const std::string performance = performance_section(reported, compared[m].scored);
        body += text("<details><summary>", escaped(model_name(*models[m], m)), "</summary>\n", performance,
                     "</details>\n");
    }
    body += text("<p class=\"quiet\">Written by libdk ", version_string, ".</p>\n");
    return html_page(title, body);
}

}  // namespace dk

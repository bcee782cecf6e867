// SPDX-License-Identifier: Apache-2.0
// What cross-validation compared, and whether more rows would help: the report of a validation, drawn.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/scanning/scanner.hpp"
#include "base/text.hpp"
#include "model/archive/model_json.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

using ChoiceJson = nlohmann::ordered_json;

constexpr std::size_t most_candidate_bars = 15;
constexpr double factor_of_logarithms = 20;  // Values that differ more stand by their logarithms.

/// A candidate with its score, and the numbers that tell it from others: its own and those in its kernel.
struct ComparedCandidate {
    std::string name;
    std::map<std::string, double> numbers = {};
    double mean = 0;
    double deviation = 0;
};

/// Reads "2.5" and "2.5*deviation" as 2.5.
std::optional<double> leading_number(std::string_view value) {
    return parse_number(trimmed(value.substr(0, value.find('*'))));
}

/// Gives a number of a report that a model file keeps, where it is one.
std::optional<double> number_at(const ChoiceJson& report, const char* key) {
    if (!report.is_object() || !report.contains(key) || !report.at(key).is_number()) return std::nullopt;
    return report.at(key).get<double>();
}

/// Reads what stands as key=number in a kernel that is one call, such as rbf(gamma=0.5).
void add_numbers_of_kernel(const std::string& kernel, std::map<std::string, double>& numbers) {
    if (std::ranges::count(kernel, '(') != 1) return;
    Scanner scanner(kernel);
    while (!scanner.at_end()) {
        if (!scanner.sees_name()) {
            scanner.return_to(scanner.position() + 1);
            continue;
        }
        const std::string key(scanner.name());
        if (!scanner.accept('=')) continue;
        if (const auto number = parse_number(scanner.number())) numbers[key] = *number;
    }
}

std::vector<ComparedCandidate> compared_candidates(const ChoiceJson& validation, const std::string& metric) {
    std::vector<ComparedCandidate> all;
    for (const ChoiceJson& candidate : validation.at("candidates")) {
        if (!candidate.is_object() || !candidate.contains("parameters") || !candidate.contains("metrics"))
            continue;
        ComparedCandidate one;
        for (const auto& [key, value] : candidate.at("parameters").items()) {
            const std::string written = value.is_string() ? value.get<std::string>() : value.dump();
            one.name += text(one.name.empty() ? "" : " ", key, "=", written);
            if (key == "kernel") add_numbers_of_kernel(written, one.numbers);
            if (const auto number = leading_number(written)) one.numbers.try_emplace(key, *number);
        }
        if (!candidate.at("metrics").contains(metric)) continue;
        const ChoiceJson& score = candidate.at("metrics").at(metric);
        const auto mean = number_at(score, "mean");
        if (!mean) continue;
        one.mean = *mean;
        one.deviation = number_at(score, "deviation").value_or(0);
        all.push_back(std::move(one));
    }
    return all;
}

/// Orders the candidates by their scores, the best first.
void sort_best_first(std::vector<ComparedCandidate>& candidates, bool smaller_is_better) {
    std::ranges::stable_sort(candidates, [&](const auto& a, const auto& b) {
        return smaller_is_better ? a.mean < b.mean : a.mean > b.mean;
    });
}

std::string bars_of(std::span<const ComparedCandidate> candidates, const std::string& metric) {
    std::vector<Bar> bars;
    for (const auto& [name, numbers, mean, deviation] :
         candidates.first(std::min(candidates.size(), most_candidate_bars)))
        bars.push_back({name, mean, 4, mean - deviation, mean + deviation});
    return bar_chart(bars, text("Candidates by ", metric, " in cross-validation, one deviation around"));
}

/// Lists the numbers that all candidates have and that are not the same in all of them.
std::vector<std::string> varying_numbers(std::span<const ComparedCandidate> candidates) {
    std::vector<std::string> keys;
    for (const auto& number : candidates.front().numbers) {
        const auto has = [&](const ComparedCandidate& c) { return c.numbers.contains(number.first); };
        const auto same = [&](const ComparedCandidate& c) {
            return c.numbers.at(number.first) == number.second;
        };
        if (std::ranges::all_of(candidates, has) && !std::ranges::all_of(candidates, same))
            keys.push_back(number.first);
    }
    return keys;
}

/// The values of a number, and the axis on which they stand.
struct Place {
    std::vector<double> values;
    Axis axis;
};

Place place_of(const std::string& key, std::span<const ComparedCandidate> candidates) {
    std::vector<double> values;
    for (const ComparedCandidate& candidate : candidates) values.push_back(candidate.numbers.at(key));
    const auto [least, most] = std::ranges::minmax(values);
    const bool logarithmic = least > 0 && most >= factor_of_logarithms * least;
    if (logarithmic) {
        for (double& value : values) value = std::log10(value);
    }
    return {values, axis_over(logarithmic ? text("log10 of ", key) : key, values)};
}

/// Draws the scores over the first two numbers that vary, of candidates of which the best is the first.
std::string heat_of(std::span<const ComparedCandidate> candidates, const std::string& metric) {
    const auto keys = varying_numbers(candidates);
    if (keys.size() < 2) return "";
    const Place x = place_of(keys[0], candidates);
    const Place y = place_of(keys[1], candidates);
    std::vector<ValuedMark> marks;
    for (std::size_t c = 0; c < candidates.size(); ++c)
        marks.push_back({x.values[c], y.values[c], candidates[c].mean,
                         text(candidates[c].name, ": ", metric, " ", shown(candidates[c].mean))});
    return heat_chart(marks, 0, x.axis, y.axis,
                      text("Mean ", metric, " in cross-validation over ", keys[0], " and ", keys[1],
                           "; the diamond is the best"));
}

std::string curve_of(const ChoiceJson& validation, const std::string& metric) {
    if (!validation.contains("learning_curve")) return "";
    Line line{metric, {}, {}, 0};
    for (const ChoiceJson& point : validation.at("learning_curve")) {
        const auto rows = number_at(point, "rows");
        const auto mean = number_at(point, "mean");
        if (!rows || !mean) continue;
        line.x.push_back(*rows);
        line.y.push_back(*mean);
    }
    if (line.x.size() < 2) return "";
    return line_chart({&line, 1}, axis_over("training rows", line.x), axis_over(metric, line.y), false,
                      text("Mean ", metric,
                           " on held-out rows as training rows grow: where it still gets "
                           "better at the end, more rows would help"));
}

}  // namespace

std::string choice_section(const ReportedModel& reported) {
    Dismantled<ChoiceJson> validation;
    read_model_json(reported.model.validation_report, validation);
    if (!validation->is_object() || !validation->contains("select") || !validation->at("select").is_string())
        return "";
    const std::string metric = validation->at("select");
    if (std::ranges::find(metrics(), metric, &Metric::name) == metrics().end()) return "";
    std::vector<std::string> figures;
    if (validation->contains("candidates")) {
        auto candidates = compared_candidates(*validation, metric);
        sort_best_first(candidates, metric_named(metric).smaller_is_better);
        if (!candidates.empty()) {
            figures.push_back(bars_of(candidates, metric));
            if (std::string heat = heat_of(candidates, metric); !heat.empty())
                figures.push_back(std::move(heat));
        }
    }
    if (std::string curve = curve_of(*validation, metric); !curve.empty())
        figures.push_back(std::move(curve));
    if (figures.empty()) return "";
    return section("How it was chosen", "What cross-validation compared.", side_by_side(figures));
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "model/archive/model_json.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/explanation/explanation.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

constexpr Index most_bars = 30;
constexpr Index most_explained = 100;

/// The mean and deviation of each kernel's share over random halves of the rows, where cross-validation with
/// halves found them.
struct ShareIntervals {
    std::vector<double> mean = {};
    std::vector<double> deviation = {};
};

ShareIntervals intervals_of(const Model& model) {
    Dismantled<nlohmann::ordered_json> report;
    read_model_json(model.validation_report, report);
    const auto found = report->find("weights_over_halves");
    ShareIntervals intervals;
    if (found == report->end() || !found->is_object() || !found->contains("kernels")) return intervals;
    for (const nlohmann::ordered_json& kernel : found->at("kernels")) {
        intervals.mean.push_back(kernel.value("mean", std::nan("")));
        intervals.deviation.push_back(kernel.value("deviation", std::nan("")));
    }
    if (intervals.mean.size() != model.kernels.size()) return {};
    return intervals;
}

/// A kernel of one column bears the name of the column, where it sees the columns of the data themselves.
std::string kernel_name(const Model& model, Index kernel) {
    const std::string& specification = model.kernels[kernel];
    if (!specification.starts_with("on(") || !model.preparation.layers.empty()) return specification;
    const std::string_view inside = std::string_view(specification).substr(3, specification.size() - 4);
    const std::size_t comma = inside.find(", ");
    if (comma == std::string_view::npos) return specification;
    const auto column = parse_integer(inside.substr(0, comma));
    const std::string_view function = inside.substr(comma + 2);
    const bool more_columns = function.empty() || (function.front() >= '0' && function.front() <= '9');
    if (!column || more_columns || *column >= std::ssize(model.feature_names)) return specification;
    return text(model.feature_names[*column], ": ", function);
}

std::vector<Bar> largest_bars(std::vector<Bar> bars) {
    std::ranges::stable_sort(bars, std::ranges::greater{},
                             [](const Bar& bar) { return std::abs(bar.value); });
    if (std::ssize(bars) > most_bars) bars.resize(most_bars);
    return bars;
}

std::string weights_chart(const Model& model) {
    const ShareIntervals intervals = intervals_of(model);
    double sum = 0;
    for (const double weight : model.kernel_weights) sum += std::abs(weight);
    std::vector<Bar> bars;
    for (Index k = 0; k < std::ssize(model.kernels); ++k) {
        Bar bar{kernel_name(model, k), sum > 0 ? model.kernel_weights[k] / sum : 0};
        if (!intervals.mean.empty()) {
            bar.low = std::max(0.0, intervals.mean[k] - 2 * intervals.deviation[k]);
            bar.high = std::min(1.0, intervals.mean[k] + 2 * intervals.deviation[k]);
        }
        bars.push_back(std::move(bar));
    }
    const bool all = std::ssize(bars) <= most_bars;
    const std::string which =
        all ? "Share of each kernel in the weights"
            : text("The ", most_bars, " kernels with the largest weights, of ", bars.size());
    return bar_chart(largest_bars(std::move(bars)),
                     intervals.mean.empty()
                         ? which
                         : which + "; lines: mean over random halves of the rows, two deviations around it");
}

/// The mean magnitude of what each kernel adds to the answers on some rows.
std::string contributions_chart(const ReportedModel& reported, const ScoredRows& scored, Control& control) {
    const Model& model = reported.model;
    const Index width = model.predictor->decision_count();
    const std::vector<Index> rows = spread_rows(reported.data.rows(), most_explained);
    std::map<Index, double> sums;
    double all = 0;
    const ProgressHold hold(control);
    for (const Index i : rows) {
        const Question why =
            question_of(model, std::span(scored.decisions).subspan(i * width, width), control);
        const Dataset row = reported.data.select(std::vector<Index>{i});
        for (const Pull& pull : kernel_pulls(model, row, why, control)) {
            sums[pull.source] += std::abs(pull.contribution);
            all += std::abs(pull.contribution);
        }
    }
    if (!(all > 0)) return "";
    std::vector<Bar> bars;
    bars.reserve(sums.size());
    for (const auto& [kernel, sum] : sums) bars.push_back({kernel_name(model, kernel), sum / all, 2});
    return bar_chart(largest_bars(std::move(bars)),
                     text("Share of each kernel in the decisions on ", rows.size(),
                          " rows: a kernel may weigh much and tell little"));
}

}  // namespace

std::string kernels_section(const ReportedModel& reported, const ScoredRows& scored, Control& control) {
    const Model& model = reported.model;
    if (model.kernels.size() < 2 || model.kernel_weights.size() != model.kernels.size()) return "";
    std::vector<std::string> figures{weights_chart(model)};
    const std::string contributions = contributions_chart(reported, scored, control);
    if (!contributions.empty()) figures.push_back(contributions);
    return section("Which kernels count",
                   text("The model compares rows by ", model.kernels.size(), " kernels, weighed by <code>",
                        escaped(model.parameter("weights")), "</code>."),
                   side_by_side(figures));
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/cross_validate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "data/metrics.hpp"
#include "data/split.hpp"
#include "model/archive.hpp"
#include "pipeline/score.hpp"
#include "pipeline/train.hpp"

namespace dk {

namespace {

/// Mean and sample deviation over the folds that define the metric.
Report summary(const std::vector<double>& of_folds) {
    std::vector<double> defined;
    std::ranges::copy_if(of_folds, std::back_inserter(defined), [](double v) { return !std::isnan(v); });
    const auto count = static_cast<double>(defined.size());
    double mean = 0;
    for (const double v : defined) mean += v / count;
    double squares = 0;
    for (const double v : defined) squares += (v - mean) * (v - mean);
    Report report;
    if (defined.empty()) return report;
    report.add("mean", mean)
        .add("deviation", count > 1 ? std::sqrt(squares / (count - 1)) : 0.0)
        .add("folds", defined);
    return report;
}

}  // namespace

Model cross_validate(const Dataset& data, const Settings& settings, Control& control) {
    const auto folds = static_cast<Index>(settings.parameters.integer("folds"));
    if (folds > data.rows()) {
        fail(Status::invalid_parameter, "folds cannot be ", folds, " for ", data.rows(),
             " rows; allowed is 2 to ", data.rows());
    }
    require_complete_unless_filled(data, settings);
    const auto repeats = static_cast<Index>(settings.parameters.integer("repeats"));
    const auto seed = static_cast<std::uint64_t>(settings.parameters.integer("seed"));
    const auto share = [&](Index run) {
        return static_cast<double>(run) / static_cast<double>(folds * repeats + 1);
    };
    std::map<std::string, std::vector<double>> scores;
    for (Index repeat = 0; repeat < repeats; ++repeat) {
        const auto fold_of = stratified_folds(data, folds, seed + static_cast<std::uint64_t>(repeat));
        for (Index fold = 0; fold < folds; ++fold) {
            const Index run = repeat * folds + fold;
            const ProgressScope scope(control, share(run), share(run + 1), "cross-validation");
            const Model model = train(data.select(rows_of_fold(fold_of, fold, false)), settings, control);
            const Dataset held_out = data.select(rows_of_fold(fold_of, fold, true));
            for (const auto& [metric, value] : score_all(model, held_out, control))
                scores[metric].push_back(value);
        }
    }
    const ProgressScope scope(control, share(folds * repeats), 1.0);
    Model model = train(data, settings, control);
    auto report = nlohmann::ordered_json{
        {"folds", folds}, {"repeats", repeats}, {"metrics", nlohmann::ordered_json::object()}};
    for (const auto& metric : metric_descriptions())
        if (scores.contains(metric.name)) report["metrics"][metric.name] = to_json(summary(scores[metric.name]));
    model.validation_report = report.dump();
    return model;
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validation/fold_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/metrics/metrics.hpp"
#include "pipeline/validation/paired_test.hpp"

namespace dk {

namespace {

Report summary(const std::vector<double>& of_folds, double share) {
    std::vector<double> defined;
    std::ranges::copy_if(of_folds, std::back_inserter(defined), [](double v) { return !std::isnan(v); });
    const double count = defined.size();
    double mean = 0;
    for (const double v : defined) mean += v / count;
    double squares = 0;
    for (const double v : defined) squares += (v - mean) * (v - mean);
    Report report;
    if (defined.empty()) return report;
    const ScoreInterval interval = corrected_interval(defined, share);
    report.add("mean", mean)
        .add("deviation", count > 1 ? std::sqrt(squares / (count - 1)) : 0.0)
        .add("low", interval.low)
        .add("high", interval.high)
        .add("folds", defined);
    return report;
}

}  // namespace

MeanAndError mean_and_error(const std::vector<double>& values) {
    double count = 0;
    double mean = 0;
    double squares = 0;  // sum of (v - mean)^2 of the values so far
    for (const double v : values) {
        if (std::isnan(v)) continue;
        count += 1;
        const double step = v - mean;
        mean += step / count;
        squares += step * (v - mean);
    }
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return {count > 0 ? mean : unknown, count > 1 ? std::sqrt(squares / (count - 1) / count) : unknown};
}

std::vector<double> FoldScores::values(const std::string& metric) const {
    std::vector<double> all;
    for (const Scores& scores : of_folds_) {
        if (const auto found = scores.find(metric); found != scores.end()) all.push_back(found->second);
    }
    return all;
}

double FoldScores::rank(const std::string& metric) const {
    double sum = 0;
    double count = 0;
    for (const double v : values(metric)) {
        if (std::isnan(v)) continue;
        sum += v;
        count += 1;
    }
    return (metric_named(metric).smaller_is_better ? -sum : sum) / count;
}

Report FoldScores::report(double share) const {
    Report report;
    for (const Metric& metric : metrics()) {
        const auto all = values(metric.name);
        if (!all.empty()) report.add(metric.name, summary(all, share));
    }
    return report;
}

}  // namespace dk

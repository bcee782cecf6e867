// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "data/metrics/metrics.hpp"
#include "machine/margin/quantile_levels.hpp"
#include "pipeline/validation/baseline.hpp"
#include "pipeline/validation/paired_test.hpp"

namespace dk {

std::string selecting_metric(const MachineSpecification& specification, Task task) {
    const std::string& chosen = specification.parameters[parameter::select];
    if (task == Task::clustering)
        fail(Status::unsupported, "cross-validation compares answers with what rows are; machine ",
             specification.machine->name, " finds clusters, which nothing says to be true");
    const MetricsOf of = task == Task::regression   ? MetricsOf::values
                         : task == Task::multilabel ? MetricsOf::labels
                                                    : MetricsOf::classes;
    if (chosen == "auto" && !quantile_levels(specification.parameters).empty()) return "pinball";
    if (chosen == "auto")
        return of == MetricsOf::values ? "rmse" : of == MetricsOf::labels ? "micro_f1" : "accuracy";
    if (metric_named(chosen).is_of(of)) return chosen;
    fail(Status::invalid_parameter, "select cannot be ", chosen, " for machine ", specification.machine->name,
         ", whose task is ", name_of(task));
}

std::size_t best_of(const std::vector<FoldScores>& scores, const std::string& metric) {
    const auto has_none = [&](const FoldScores& of_candidate) { return of_candidate.values(metric).empty(); };
    if (metric_named(metric).needs_probabilities && std::ranges::all_of(scores, has_none))
        fail(Status::invalid_parameter, "select is ", metric,
             ", which is of models with probabilities, and these have none; add probability=yes");
    std::size_t best = 0;
    for (std::size_t c = 1; c < scores.size(); ++c) {
        const double rank = scores[c].rank(metric);
        const double leading = scores[best].rank(metric);
        // Sums of the same numbers in another order differ by rounding, which makes none better.
        if (rank > leading + 1e-12 * std::abs(leading) || std::isnan(leading)) best = c;
    }
    return best;
}

std::vector<double> differences(const FoldScores& first, const FoldScores& second,
                                const std::string& metric) {
    const auto leading = first.values(metric);
    const auto others = second.values(metric);
    const double sign = metric_named(metric).smaller_is_better ? -1 : 1;
    std::vector<double> defined;
    for (std::size_t f = 0; f < std::min(leading.size(), others.size()); ++f) {
        const double difference = sign * (leading[f] - others[f]);
        if (!std::isnan(difference)) defined.push_back(difference);
    }
    return defined;
}

Report chosen_parameters(const Candidate& candidate) {
    Report chosen;
    for (const auto& [key, value] : candidate.parameters()) chosen.add(key, value);
    return chosen;
}

namespace {

/// Reports how far a candidate is behind the best, over the folds that define the metric for both.
Report behind(const FoldScores& candidate, const FoldScores& best, const std::string& metric, Index folds) {
    const PairedTest test =
        corrected_resampled_test(differences(best, candidate, metric), share_of_test_rows(folds));
    Report report;
    report.add("difference", test.difference).add("t", test.t).add("p", test.p);
    return report;
}

}  // namespace

std::vector<Report> compared(const std::vector<Candidate>& candidates, const std::vector<FoldScores>& scores,
                             std::size_t best, const std::string& metric, Index folds) {
    std::vector<Report> list;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        Report& one = list.emplace_back();
        one.add("parameters", chosen_parameters(candidates[c]))
            .add("metrics", scores[c].report(share_of_test_rows(folds)));
        if (c != best) one.add("behind_best", behind(scores[c], scores[best], metric, folds));
    }
    return list;
}

Report report_of_baseline(const Dataset& data, const MachineSpecification& specification, Task task,
                          const std::vector<Fold>& folds) {
    const auto levels = quantile_levels(specification.parameters);
    FoldScores scores(folds.size());
    for (std::size_t f = 0; f < folds.size(); ++f)
        scores.fold(f) = baseline_scores(task, levels, data, folds[f].training, folds[f].held_out);
    const Fold& first = folds.front();
    return scores.report(static_cast<double>(first.held_out.size()) /
                         static_cast<double>(first.training.size()));
}

}  // namespace dk

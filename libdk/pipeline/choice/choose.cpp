// SPDX-License-Identifier: Apache-2.0
#include "pipeline/choice/choose.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/report.hpp"
#include "data/metrics/metrics.hpp"
#include "data/split.hpp"
#include "pipeline/choice/race.hpp"
#include "pipeline/prepare.hpp"
#include "pipeline/score.hpp"
#include "pipeline/search/comparison.hpp"
#include "pipeline/threshold.hpp"
#include "pipeline/train.hpp"

namespace dk {

namespace {

/// Rows so few cannot be divided for a comparison.
constexpr Index fewest_rows = 10;

/// Says the same of missing values for every kind of rows: what is not dense, or misses nothing, needs no
/// filling.
MachineSpecification with_needed_filling(MachineSpecification automatic, const Dataset& data) {
    const bool complete = data.kind() != DataKind::dense ||
                          std::ranges::none_of(data.dense().values, [](double x) { return std::isnan(x); });
    if (complete) set_parameter(automatic, parameter::impute.name, "none");
    return automatic;
}

/// Reports what every proposal of a heat scored, the best first.
Report report_of(const Heat& heat, const std::string& metric) {
    std::vector<std::size_t> order(heat.proposals.size());
    std::ranges::generate(order, [next = std::size_t{0}]() mutable { return next++; });
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t p) {
        return heat.failures[p].empty() ? heat.scores[p].rank(metric) : -infinity;
    });
    std::vector<Report> tried;
    for (const std::size_t p : order) {
        const auto [mean, error] = mean_and_error(heat.scores[p].values(metric));
        Report& one = tried.emplace_back();
        one.add("machine", heat.proposals[p].machine).add("scale", heat.proposals[p].scale);
        one.add("parameters", chosen_parameters(heat.proposals[p].candidate));
        if (!heat.failures[p].empty()) {
            one.add("failed", heat.failures[p]);
            continue;
        }
        one.add("mean", mean);
        if (!std::isnan(error)) one.add("standard_error", error);
    }
    Report report;
    report.add("rows", heat.rows).add("folds", Index(heat.folds.size())).add("tried", std::move(tried));
    return report;
}

/// A model that was chosen, and how.
struct Choice {
    Model model;
    Proposal winner;
    Report how;
    bool compared = false;  // whether there was more than one to choose from
    Report validation = {};
};

/// Trains what is left where nothing can be compared, or nothing is left to choose.
Choice only_choice(const Dataset& data, Task task, Proposal only, const MachineSpecification& automatic,
                   std::string_view reason, Control& control) {
    Model model = train(data, specification_of(only, automatic), control);
    Choice choice{.model = std::move(model), .winner = std::move(only), .how = {}};
    if (!reason.empty())
        choice.how.add("task", std::string(name_of(task))).add("reason", std::string(reason));
    return choice;
}

/// Counts the proposals that a heat has compared.
Index compared_in(const Heat& heat) {
    return std::ranges::count_if(heat.failures, &std::string::empty);
}

std::string reason_of(const std::vector<Heat>& heats, const std::string& metric, double seconds) {
    Index trainings = 0;
    Index passed_over = 0;
    for (const Heat& heat : heats) {
        trainings += compared_in(heat) * std::ssize(heat.folds);
        passed_over += std::ssize(heat.proposals) - compared_in(heat);
    }
    const Heat& last = heats.back();
    std::string limit;
    if (seconds > 0)
        limit = text("; with another time than seconds=", seconds, " it may be another one",
                     passed_over > 0 ? text(" (", passed_over, " were not compared)") : "");
    if (last.proposals[last.best].machine == "kelm")
        limit += "; so many rows are learned from landmarks, machine=svm takes longer";
    return text("of ", heats.front().proposals.size(), " models at first and ", last.proposals.size(),
                " in the last of ", heats.size(), " rounds of cross-validation (", trainings,
                " trainings) it has the best ", metric,
                "; that score is a little too good, because the model was chosen by it: "
                "outer_folds=5 tells one that is not",
                limit);
}

/// Trains the winner of the last heat on all rows, and reports the race.
Choice trained_winner(const Dataset& data, Task task, const std::vector<Heat>& heats,
                      const std::string& metric, const MachineSpecification& automatic, Control& control) {
    const Heat& last = heats.back();
    const Proposal& winner = last.proposals[last.best];
    Choice choice{.model = train(data, specification_of(winner, automatic), control),
                  .winner = winner,
                  .how = {},
                  .compared = true};
    std::vector<Candidate> candidates;
    std::vector<FoldScores> scores;
    std::size_t best = 0;
    for (std::size_t p = 0; p < last.proposals.size(); ++p) {
        if (p == last.best) best = candidates.size();
        if (p != last.best && !last.failures[p].empty()) continue;
        candidates.push_back(last.proposals[p].candidate);
        scores.push_back(last.scores[p]);
    }
    const Index folds = std::ssize(last.folds) / last.repeats;
    choice.validation.add("folds", folds)
        .add("repeats", last.repeats)
        .add("metrics", last.scores[last.best].report(share_of_test_rows(folds)))
        .add("baseline", last.baseline)
        .add("select", metric)
        .add("best", Index(best))
        .add("candidates", compared(candidates, scores, best, metric, folds));
    std::vector<Report> rounds;
    rounds.reserve(heats.size());
    for (const Heat& heat : heats) rounds.push_back(report_of(heat, metric));
    choice.how.add("task", std::string(name_of(task)))
        .add("reason", reason_of(heats, metric, automatic.parameters[parameter::seconds]))
        .add("rounds", std::move(rounds));
    return choice;
}

/// Tells whether folds of the rows can train and judge.
bool comparable(const Dataset& rows) {
    return rows.rows() >= fewest_rows && (!rows.labels || present_classes(*rows.labels).classes() > 1);
}

Choice chosen(const Dataset& data, const std::string& machine, const MachineSpecification& given,
              Control& control) {
    const Task task = task_of(data);
    const MachineSpecification automatic = with_needed_filling(given, data);
    const Parameters& parameters = automatic.parameters;
    if (task == Task::classification) require_reachable(threshold_goal(parameters), parameters, data);
    if (task == Task::novelty) {
        const Proposal detector{"one_class_svm", parameters[parameter::scale], {.chosen = {{"nu", "0.1"}}}};
        return only_choice(data, task, detector, automatic,
                           "rows without labels and targets have nothing to compare models by", control);
    }
    std::vector<Proposal> tried = proposals(data, machine, automatic);
    if (tried.size() == 1) {
        tried.front().scale = parameters[parameter::scale];
        return only_choice(data, task, tried.front(), automatic, "", control);
    }
    const std::string metric = selecting_metric(given, task);
    if (metric_named(metric).needs_probabilities)
        fail(Status::invalid_parameter, "select cannot be ", metric,
             " for machine auto, which compares machines without probabilities; name a machine");
    if (!comparable(without_single_rows(data, task))) {
        const Proposal plain{
            tried.front().machine, parameters[parameter::scale], {.kernel = parameters[parameter::kernel]}};
        return only_choice(data, task, plain, automatic, "there are too few rows to compare models", control);
    }
    constexpr double racing = 0.9;
    std::vector<Heat> heats;
    {
        const ProgressScope scope(control, 0, racing);
        heats = race(data, std::move(tried), {task, metric, automatic, end_of_race(parameters)}, control);
    }
    const ProgressScope scope(control, racing, 1);
    return trained_winner(data, task, heats, metric, automatic, control);
}

/// What the choice scored on rows that had no part in it, and what it chose each time.
struct NestedScores {
    FoldScores scores;
    std::vector<Report> winners = {};
};

/// Repeats the choice without each of some parts of the rows and scores what it chose on them.
NestedScores nested_choices(const Dataset& data, const std::string& machine,
                            const MachineSpecification& automatic, Index outer, Control& control) {
    require_folds(data, "outer_folds", outer);
    const auto fold_of = stratified_folds(data, outer, automatic.parameters[parameter::seed]);
    NestedScores nested{FoldScores(outer)};
    for (Index fold = 0; fold < outer; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / outer, (fold + 1.0) / outer, "outer folds");
        const Choice inner =
            chosen(data.select(rows_of_fold(fold_of, fold, false)), machine, automatic, control);
        nested.scores.fold(fold) =
            score_all(inner.model, data.select(rows_of_fold(fold_of, fold, true)), control);
        nested.winners.push_back(chosen_parameters(inner.winner.candidate));
    }
    return nested;
}

}  // namespace

Model choose(const Dataset& data, const MachineSpecification& automatic, Control& control) {
    const Index outer = automatic.parameters[parameter::outer_folds];
    if (outer == 1)
        fail(Status::invalid_parameter, "outer_folds cannot be 1; allowed is 0 for none, or from 2 on");
    const Task task = task_of(data);
    if (task == Task::classification) require_repeated_classes(data, automatic);
    // Fewer rows of an outer fold are to be learned as all are.
    const std::string machine = machine_for(data, task, automatic);
    const double own = 1.0 / (1.0 + static_cast<double>(outer));
    std::optional<ProgressScope> scope;
    scope.emplace(control, 0, own);
    Choice choice = chosen(data, machine, automatic, control);
    scope.emplace(control, own, 1);
    if (outer > 0) {
        const NestedScores nested = nested_choices(data, machine, automatic, outer, control);
        if (!choice.compared)
            choice.validation.add("folds", outer)
                .add("repeats", 1)
                .add("metrics", nested.scores.report(share_of_test_rows(outer)));
        Report report;
        report.add("folds", outer)
            .add("metrics", nested.scores.report(share_of_test_rows(outer)))
            .add("chosen", nested.winners);
        choice.validation.add("nested", std::move(report));
    }
    choice.model.validation_report = json_text(choice.validation);
    if (!choice.how.empty()) choice.model.choice_report = json_text(choice.how);
    return std::move(choice.model);
}

Model choose_and_validate(const Dataset& data, MachineSpecification automatic, Control& control) {
    if (automatic.parameters[parameter::outer_folds] == 0)
        set_parameter(automatic, parameter::outer_folds.name,
                      automatic.parameters.text(parameter::folds.name));
    return choose(data, automatic, control);
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validation/cross_validate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/report.hpp"
#include "data/metrics.hpp"
#include "data/split.hpp"
#include "kernel/gram/bank_similarities.hpp"
#include "kernel/language/bank.hpp"
#include "pipeline/score.hpp"
#include "pipeline/train.hpp"
#include "pipeline/validation/baseline.hpp"
#include "pipeline/validation/fold_scores.hpp"
#include "pipeline/validation/grid.hpp"
#include "pipeline/validation/paired_test.hpp"
#include "pipeline/validation/weight_stability.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

/// One division of the rows into those that train a model and those that judge it.
struct Fold {
    std::vector<Index> training;
    std::vector<Index> held_out;
};

void require_folds(const Dataset& data, const char* name, Index count) {
    const Index most = most_folds(data);
    if (count <= most) return;
    fail(Status::invalid_parameter, name, " cannot be ", count, " for ", most,
         data.groups.empty() ? " rows" : " groups of rows, none of which is divided", "; allowed is 2 to ",
         most);
}

std::vector<Fold> folds_of(const Dataset& data, const MachineSpecification& specification, Control& control) {
    const Index count = specification.parameters[parameter::folds];
    require_folds(data, "folds", count);
    const std::uint64_t seed = specification.parameters[parameter::seed];
    const std::int64_t repeats = specification.parameters[parameter::repeats];
    control.memory().require(8.0 * data.rows() * count * repeats,
                             text(count, " folds of ", data.rows(), " rows, ", repeats, " times"));
    std::vector<Fold> folds;
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
        control.check();
        const auto fold_of = stratified_folds(data, count, seed + repeat);
        for (Index fold = 0; fold < count; ++fold)
            folds.push_back({rows_of_fold(fold_of, fold, false), rows_of_fold(fold_of, fold, true)});
    }
    return folds;
}

/// Throws Error(invalid_data) where a fold holds out all rows of a class, which its model could not know
/// then.
void require_classes_in_training(const Dataset& data, const std::vector<Fold>& folds, const char* name,
                                 Index count) {
    if (!data.labels) return;
    const Labels& labels = *data.labels;
    for (std::size_t f = 0; f < folds.size(); ++f) {
        std::vector<Index> left(labels.classes());
        for (const Index i : folds[f].training) ++left[labels.of_rows[i]];
        for (const Index i : folds[f].held_out) {
            const Index c = labels.of_rows[i];
            if (left[c] > 0) continue;
            fail(Status::invalid_data, "fold ", Index(f) % count + 1, " of ", name, "=", count,
                 " holds out all rows of class ", labels.class_name(c), " (",
                 std::ranges::count(labels.of_rows, c), data.groups.empty() ? "" : ", all in one group",
                 "), so that its model cannot know the class; every class needs rows in at least two ",
                 data.groups.empty() ? "folds: add rows of it, or leave it out"
                                     : "groups: divide its group, or leave the class out");
        }
    }
}

/// The part of a cross-validation in which the values that folds share are computed.
constexpr double sharing = 0.1;

/// Computes the kernels' values between all rows once, as similarities that every fold and every candidate
/// with these kernels shares. Gives nothing where folds can't share them, because scaling differs from fold
/// to fold or from candidate to candidate, because a kernel learns from its rows, or because the machine or
/// the weights read the rows themselves. Gives nothing either where they don't fit in the memory, or where
/// they are many more numbers than the rows, and kernels have factors, on which machines train faster.
std::optional<Dataset> shared_similarities(const Dataset& data, const MachineSpecification& specification,
                                           std::span<const Candidate> candidates, Control& control) {
    const auto& parameters = specification.parameters;
    const auto leaves_rows = [&](const Candidate& candidate) {
        const auto tried = with_candidate(specification, {.chosen = candidate.chosen}).parameters;
        return scaler_choice(tried) == ScalerChoice() && tried[parameter::layers].empty() &&
               parse_weights(tried[parameter::weights]).strategy->needs != Knowledge::coordinates;
    };
    if (specification.machine->reads_rows) return std::nullopt;
    if (data.kind() == DataKind::gram || !std::ranges::all_of(candidates, leaves_rows)) return std::nullopt;
    if (!has_fixed_values(parameters[parameter::kernel])) return std::nullopt;
    const ProgressScope scope(control, 0, sharing);
    const Bank bank = make_bank(parameters[parameter::kernel], data, &control);
    // A matrix that is so much larger than the rows costs more than what machines compute of it again.
    constexpr double large_beside_rows = 10;
    const double matrix_bytes = 8.0 * data.rows() * data.rows();
    const auto factored = [](const KernelPointer& kernel) { return kernel->factored(); };
    if (std::ranges::all_of(bank, factored) && large_beside_rows * data.feature_bytes() < matrix_bytes)
        return std::nullopt;
    return bank_similarities(bank, data, MemoryBudget(parameters[parameter::memory_mb]), control);
}

/// Writes the bank of so many matrices of similarities, such as "[gram(0), gram(1)]".
std::string similarities_text(Index matrices) {
    std::vector<std::string> names;
    for (Index k = 0; k < matrices; ++k) names.push_back(text("gram(", k, ")"));
    return matrices == 1 ? names.front() : text("[", join(names, ", "), "]");
}

/// Data of at most so many rows are trained on side by side, each fold by one thread. Larger ones use all
/// threads for each fold.
constexpr Index small_rows = 6000;

/// Trains candidates that share one kernel on every fold and scores them on the rows that the fold holds out.
void score_candidates(const Dataset& data, const MachineSpecification& specification,
                      std::span<const Candidate> candidates, std::span<FoldScores> scores,
                      const std::vector<Fold>& folds, Control& control) {
    MachineSpecification common = with_candidate(specification, {.kernel = candidates.front().kernel});
    const auto shared = shared_similarities(data, common, candidates, control);
    const ProgressScope scope(control, shared ? sharing : 0, 1);
    const Dataset& rows = shared ? *shared : data;
    if (shared) set_parameter(common, "kernel", similarities_text(shared->gram().matrices));
    const auto specification_of = [&](Candidate candidate) {
        candidate.kernel.clear();
        if (shared && candidate.alone >= 0) candidate.alone_text = text("gram(", candidate.alone, ")");
        return with_candidate(common, candidate);
    };
    const Index tasks = std::ssize(candidates) * std::ssize(folds);
    const auto run_named = [&](Index task, Control& own, auto work) {
        try {
            work(task, own);
        } catch (const Error& error) {
            const Candidate& failed = candidates[task / std::ssize(folds)];
            if (error.status() == Status::cancelled || failed.parameters().empty()) throw;
            std::string name;
            for (const auto& [key, value] : failed.parameters())
                name.append(" ").append(key).append("=").append(value);
            fail(error.status(), "grid candidate", name, ": ", error.what());
        }
    };
    const auto train_and_score = [&](Index task, Control& own, CostPath* path = nullptr) {
        const auto c = task / std::ssize(folds);
        const auto f = task % std::ssize(folds);
        const Model model =
            train_along(path, rows.select(folds[f].training), specification_of(candidates[c]), own);
        scores[c].fold(f) = score_all(model, rows.select(folds[f].held_out), own);
    };
    const bool callback =
        (data.kind() == DataKind::gram && data.gram().compute) || only_the_calling_thread(data);
    // Several trainings at once must fit the budget. Their number is fixed, so that the answer does not
    // depend on the number of threads.
    constexpr double trainings_at_once = 8;
    const MemoryBudget budget(specification.parameters[parameter::memory_mb]);
    const auto fit = [&] {
        const double bank_bytes =
            8.0 * rows.rows() * rows.rows() * count_kernels(kernel_of(common, rows), rows);
        return budget.allows(trainings_at_once * bank_bytes);
    };
    // What kernels there are after layers is not known before these are learned.
    const bool layered = !std::ranges::all_of(candidates, [&](const Candidate& c) {
        return specification_of(c).parameters[parameter::layers].empty();
    });
    if (data.rows() <= small_rows && !callback && !layered && fit()) {
        const auto run_task = [&](int, Index task) {
            // A fold of many rows takes seconds, in which progress would otherwise stand still.
            Control own(Control::Part{1.0 * task / tasks, (task + 1.0) / tasks}, control);
            run_named(task, own, [&](Index named, Control& part) { train_and_score(named, part); });
        };
        const double pairs = 1.0 * tasks * rows.rows() * rows.rows();
        parallel_for_with(
            tasks, control, [] { return 0; }, run_task, workforce_of_tasks(pairs, control));
        return;
    }
    double done = 0;
    for (const auto& of_path : cost_paths(candidates)) {
        for (Index fold = 0; fold < std::ssize(folds); ++fold) {
            CostPath path;
            CostPath* const shared_path = of_path.size() > 1 ? &path : nullptr;
            for (const Index c : of_path) {
                const ProgressScope of_task(control, done / tasks, (done + 1) / tasks);
                run_named(c * std::ssize(folds) + fold, control,
                          [&](Index named, Control& part) { train_and_score(named, part, shared_path); });
                done += 1;
            }
        }
    }
}

std::string selecting_metric(const MachineSpecification& specification) {
    const std::string& chosen = specification.parameters[parameter::select];
    const bool regression = specification.machine->task == Task::regression;
    if (chosen == "auto") return regression ? "rmse" : "accuracy";
    const Metric metric = metric_named(chosen);
    if (regression ? metric.of_values != nullptr : metric.of_classes != nullptr) return chosen;
    fail(Status::invalid_parameter, "select cannot be ", chosen, " for machine ", specification.machine->name,
         ", whose task is ", name_of(specification.machine->task));
}

/// Finds the position of the best candidate, the first of equal ones.
std::size_t best_of(const std::vector<FoldScores>& scores, const std::string& metric) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < scores.size(); ++c) {
        const double rank = scores[c].rank(metric);
        const double leading = scores[best].rank(metric);
        // Sums of the same numbers in another order differ by rounding, which makes none better.
        if (rank > leading + 1e-12 * std::abs(leading) || std::isnan(leading)) best = c;
    }
    return best;
}

/// Reports how far a candidate is behind the best, over the folds that define the metric for both.
Report behind(const FoldScores& candidate, const FoldScores& best, const std::string& metric, Index folds) {
    const auto leading = best.values(metric);
    const auto others = candidate.values(metric);
    const double sign = metric_named(metric).smaller_is_better ? -1 : 1;
    std::vector<double> differences;
    for (std::size_t f = 0; f < leading.size(); ++f) {
        const double difference = sign * (leading[f] - others[f]);
        if (!std::isnan(difference)) differences.push_back(difference);
    }
    const PairedTest test = corrected_resampled_test(differences, 1.0 / static_cast<double>(folds - 1));
    Report report;
    report.add("difference", test.difference).add("t", test.t).add("p", test.p);
    return report;
}

/// Reports the parameters that tell a candidate from the others.
Report chosen_parameters(const Candidate& candidate) {
    Report chosen;
    for (const auto& [key, value] : candidate.parameters()) chosen.add(key, value);
    return chosen;
}

/// Reports what each candidate chose, how it did, and how far it is behind the best.
std::vector<Report> compared(const std::vector<Candidate>& candidates, const std::vector<FoldScores>& scores,
                             std::size_t best, const std::string& metric, Index folds) {
    std::vector<Report> list;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        Report& one = list.emplace_back();
        one.add("parameters", chosen_parameters(candidates[c])).add("metrics", scores[c].report());
        if (c != best) one.add("behind_best", behind(scores[c], scores[best], metric, folds));
    }
    return list;
}

/// Reports what predicting without features scores on the same folds.
Report report_of_baseline(const Dataset& data, Task task, const std::vector<Fold>& folds) {
    FoldScores scores(folds.size());
    for (std::size_t f = 0; f < folds.size(); ++f)
        scores.fold(f) = baseline_scores(task, data, folds[f].training, folds[f].held_out);
    return scores.report();
}

/// A model that was trained on all rows after cross-validation, and how it was chosen.
struct Validated {
    Model model;
    Candidate chosen;
    Report report;
};

Validated validated(const Dataset& data, const MachineSpecification& specification, Control& control) {
    const std::string metric = selecting_metric(specification);
    const auto folds = folds_of(data, specification, control);
    if (specification.machine->task == Task::classification)
        require_classes_in_training(data, folds, "folds", specification.parameters[parameter::folds]);
    const auto candidates = grid_candidates(specification, data, control);
    constexpr double bytes_of_scores = 2048;  // of all metrics, with their names
    control.memory().require(
        bytes_of_scores * candidates.size() * folds.size(),
        text("scores of ", candidates.size(), " combinations on ", folds.size(), " folds each"));
    std::vector<FoldScores> scores(candidates.size(), FoldScores(folds.size()));
    const double trainings = candidates.size() * folds.size() + 1;
    for (std::size_t first = 0; first < candidates.size();) {
        std::size_t last = first;
        while (last < candidates.size() && candidates[last].kernel == candidates[first].kernel) ++last;
        const ProgressScope scope(control, first * folds.size() / trainings, last * folds.size() / trainings,
                                  "cross-validation");
        score_candidates(data, specification, std::span(candidates).subspan(first, last - first),
                         std::span(scores).subspan(first, last - first), folds, control);
        first = last;
    }
    const std::size_t best = best_of(scores, metric);
    const ProgressScope scope(control, 1 - 1 / trainings, 1.0);
    Validated result{.model = train(data, with_candidate(specification, candidates[best]), control),
                     .chosen = candidates[best],
                     .report = {}};
    const Index count = specification.parameters[parameter::folds];
    result.report.add("folds", count);
    result.report.add("repeats", specification.parameters[parameter::repeats]);
    result.report.add("metrics", scores[best].report());
    result.report.add("baseline", report_of_baseline(data, specification.machine->task, folds));
    if (!specification.parameters[parameter::grid].empty()) {
        result.report.add("select", metric);
        result.report.add("best", Index(best));
        result.report.add("candidates", compared(candidates, scores, best, metric, count));
    }
    return result;
}

/// Cross-validates on the training rows of outer folds, and scores what is chosen on the others, which it has
/// not seen: the score of the best candidate alone is too good, since it was chosen by it.
Report nested_scores(const Dataset& data, const MachineSpecification& specification, Index outer,
                     Control& control) {
    require_folds(data, "outer_folds", outer);
    const auto fold_of = stratified_folds(data, outer, specification.parameters[parameter::seed]);
    FoldScores scores(outer);
    std::vector<Report> chosen;
    for (Index fold = 0; fold < outer; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / outer, (fold + 1.0) / outer, "outer folds");
        const Validated inner =
            validated(data.select(rows_of_fold(fold_of, fold, false)), specification, control);
        scores.fold(fold) = score_all(inner.model, data.select(rows_of_fold(fold_of, fold, true)), control);
        chosen.push_back(chosen_parameters(inner.chosen));
    }
    Report report;
    report.add("folds", outer).add("metrics", scores.report()).add("chosen", std::move(chosen));
    return report;
}

}  // namespace

Model cross_validate(const Dataset& data, const MachineSpecification& specification, Control& control) {
    require_complete_unless_filled(data, specification);
    const Index outer = specification.parameters[parameter::outer_folds];
    const Index halves = specification.parameters[parameter::halves];
    if (outer == 1)
        fail(Status::invalid_parameter, "outer_folds cannot be 1; allowed is 0 for none, or from 2 on");
    // The parts of the work count as many trainings: those of each outer fold, of all rows, and of halves.
    const double own = 1.0 / (1.0 + static_cast<double>(outer) + (halves > 0 ? 1.0 : 0.0));
    std::optional<ProgressScope> scope;
    scope.emplace(control, 0, own);
    Validated found = validated(data, specification, control);
    scope.emplace(control, own, own * static_cast<double>(1 + outer));
    if (outer > 0) found.report.add("nested", nested_scores(data, specification, outer, control));
    scope.emplace(control, own * static_cast<double>(1 + outer), 1);
    if (halves > 0) {
        const auto chosen = with_candidate(specification, found.chosen);
        found.report.add("weights_over_halves", weights_over_halves(data, chosen, halves, control));
    }
    found.model.validation_report = json_text(found.report);
    return std::move(found.model);
}

Model compare_weights(const Dataset& data, MachineSpecification specification, Control& control) {
    set_parameter(specification, "grid", with_battery(specification.parameters[parameter::grid]));
    return cross_validate(data, specification, control);
}

}  // namespace dk

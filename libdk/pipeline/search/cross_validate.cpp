// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/cross_validate.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/report.hpp"
#include "data/scaling/column_scale.hpp"
#include "data/split.hpp"
#include "pipeline/score.hpp"
#include "pipeline/search/comparison.hpp"
#include "pipeline/search/learning_curve.hpp"
#include "pipeline/search/search.hpp"
#include "pipeline/train.hpp"
#include "pipeline/validation/fold_scores.hpp"
#include "pipeline/validation/folds.hpp"
#include "pipeline/validation/weight_stability.hpp"

namespace dk {

namespace {

/// A model that was trained on all rows after cross-validation, and how it was chosen.
struct Validated {
    Model model;
    Candidate chosen;
    Report report;
};

/// Says once for all folds that no column is scaled, where scale=auto means that for these rows, so that
/// folds can share kernel values.
MachineSpecification with_decided_scale(MachineSpecification specification, const Dataset& data) {
    const ScalerChoice choice = scaler_choice(specification.parameters);
    if (choice == ScalerChoice{.columns = "auto"} && column_scale_of(data).name == "none")
        set_parameter(specification, parameter::scale.name, "none");
    return specification;
}

Validated validated(const Dataset& data, const MachineSpecification& given, Control& control) {
    const MachineSpecification specification = with_decided_scale(given, data);
    const Task task = learned_task(*specification.machine, data);
    const std::string metric = selecting_metric(specification, task);
    const auto folds = folds_of(data, specification, control);
    if (task == Task::classification)
        require_classes_in_training(data, folds, "folds", specification.parameters[parameter::folds]);
    const bool draws_curve = specification.parameters[parameter::learning_curve];
    const double trainings = static_cast<double>(folds.size() + 1);
    const double compared_at = draws_curve ? 0.5 : 1 - 1 / trainings;
    std::optional<ProgressScope> part;
    part.emplace(control, 0, compared_at);
    Compared found = compare_candidates(data, specification, folds, metric, control);
    const auto& [candidates, scores, how] = found;
    const std::size_t best = best_of(scores, metric);
    part.emplace(control, compared_at, draws_curve ? 0.9 : compared_at);
    std::vector<Report> curve;
    if (draws_curve) curve = learning_curve(data, specification, candidates[best], folds, metric, control);
    part.emplace(control, draws_curve ? 0.9 : compared_at, 1.0);
    Validated result{.model = train(data, with_candidate(specification, candidates[best]), control),
                     .chosen = candidates[best],
                     .report = {}};
    const Index count = specification.parameters[parameter::folds];
    result.report.add("folds", count);
    result.report.add("repeats", specification.parameters[parameter::repeats]);
    result.report.add("metrics", scores[best].report(share_of_test_rows(count)));
    result.report.add("baseline", report_of_baseline(data, specification, task, folds));
    const bool compares = !specification.parameters[parameter::grid].empty() || !how.empty();
    if (compares || draws_curve) result.report.add("select", metric);
    if (compares) {
        result.report.add("best", Index(best));
        result.report.add("candidates", compared(candidates, scores, best, metric, count));
    }
    if (!how.empty()) result.report.add("tuned", how);
    if (draws_curve) result.report.add("learning_curve", std::move(curve));
    return result;
}

/// Cross-validates on the training rows of outer folds, and scores what is chosen on the others, which it has
/// not seen: the score of the best candidate alone is too good, since it was chosen by it.
Report nested_scores(const Dataset& data, MachineSpecification specification, Index outer, Control& control) {
    require_folds(data, "outer_folds", outer);
    set_parameter(specification, parameter::learning_curve.name, "no");
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
    report.add("folds", outer)
        .add("metrics", scores.report(share_of_test_rows(outer)))
        .add("chosen", std::move(chosen));
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
    if (!specification.parameters[parameter::tune].empty())
        fail(Status::invalid_parameter,
             "comparing ways to weigh a bank searches no numbers; leave tune out, or cross-validate with it");
    set_parameter(specification, "grid", with_battery(specification.parameters[parameter::grid]));
    return cross_validate(data, specification, control);
}

}  // namespace dk

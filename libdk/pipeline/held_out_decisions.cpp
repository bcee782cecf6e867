// SPDX-License-Identifier: Apache-2.0
#include "pipeline/held_out_decisions.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/split.hpp"
#include "pipeline/train.hpp"

namespace dk {

namespace {

void require_rows_for_folds(const Dataset& data, Task task, std::string_view reason) {
    if (task == Task::classification && data.labels) {
        const Labels& labels = *data.labels;
        std::vector<Index> counts(labels.classes());
        for (const Index c : labels.of_rows) ++counts[c];
        for (Index c = 0; c < labels.classes(); ++c) {
            if (counts[c] == 1) {
                fail(Status::invalid_data, reason, " needs at least 2 rows of every class; class ",
                     labels.class_name(c), " has 1");
            }
        }
    }
    if (most_folds(data) < 2)
        fail(Status::invalid_data, reason, " needs at least 2 groups of rows; there is 1");
}

}  // namespace

Matrix held_out_decisions(const Dataset& data, const MachineSpecification& specification, Index width,
                          std::string_view reason, Control& control) {
    require_rows_for_folds(data, specification.machine->task, reason);
    require_memory_of_decisions(data.rows(), width, 2, control);  // Who asks has those of the training, too.
    // More folds than five would cost more and tell little more. Some machines have folds of their own, of
    // which there may be none.
    constexpr Index enough = 5;
    const Index asked = specification.parameters[parameter::folds];
    const Index folds = std::min({enough, asked < 2 ? enough : asked, most_folds(data)});
    const auto fold_of = stratified_folds(data, folds, specification.parameters[parameter::seed]);
    Matrix all(data.rows(), width);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / folds, (fold + 1.0) / folds, "held-out rows");
        const auto held_out = rows_of_fold(fold_of, fold, true);
        if (held_out.empty()) continue;
        const Model model =
            train_uncalibrated(data.select(rows_of_fold(fold_of, fold, false)), specification, control);
        if (model.predictor->decision_count() != width) {
            fail(Status::invalid_data, reason,
                 ": a class has too few rows, or groups of rows, to be in every fold");
        }
        const auto values = decisions(model, data.select(held_out), control);
        all(held_out, Eigen::all) = view(values.data(), std::ssize(held_out), width);
    }
    return all;
}

}  // namespace dk

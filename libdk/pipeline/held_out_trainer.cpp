// SPDX-License-Identifier: Apache-2.0
#include "pipeline/held_out_trainer.hpp"

#include "base/error.hpp"
#include "pipeline/common_parameters.hpp"

namespace dk {

namespace {

/// Computes the mean signed distance of a row from the boundaries between its class and others.
double margin_of(std::span<const FunctionSides> sides, Index label, std::span<const double> decisions,
                 std::span<const double> norms) {
    double sum = 0;
    double count = 0;
    for (std::size_t f = 0; f < sides.size(); ++f) {
        const bool positive = sides[f].positive == label;
        if (!positive && sides[f].negative >= 0 && sides[f].negative != label) continue;
        if (norms[f] > 0) sum += (positive ? 1 : -1) * decisions[f] / norms[f];
        count += 1;
    }
    return count > 0 ? sum / count : 0;
}

HeldOutScore score_of(const TrainedMachine& trained, const Dataset& held_out, Index classes,
                      Control& control) {
    const auto sides = function_sides(trained.rule, classes);
    const auto& norms = trained.predictor->prototypes().norms;
    const auto width = static_cast<std::size_t>(trained.predictor->decision_count());
    const auto& labels = held_out.labels->of_rows;
    HeldOutScore score;
    std::size_t row = 0;
    std::vector<double> scores(classes);
    trained.predictor->decide(
        held_out,
        [&](std::span<const double> decisions) {
            for (; !decisions.empty(); decisions = decisions.subspan(width), ++row) {
                const auto of_row = decisions.first(width);
                class_scores(trained.rule, classes, of_row, norms, scores);
                score.right += first_largest(scores) == labels[row] ? 1 : 0;
                score.margin += margin_of(sides, labels[row], of_row, norms);
            }
        },
        control);
    score.right /= static_cast<double>(row);
    score.margin /= static_cast<double>(row);
    return score;
}

}  // namespace

HeldOutTrainer held_out_trainer(const MachineSpecification& specification, const MemoryBudget& budget) {
    const Machine& machine = *specification.machine;
    if (machine.task != Task::classification) return {};
    Parameters parameters = specification.parameters;
    parameters.set(parameter::neighbours.name, "0");  // Nobody looks at these models' prototypes.
    const Precision precision = precision_of(parameters);
    return [&machine, parameters, precision, budget](const KernelPointer& kernel, const Dataset& training,
                                                     const Dataset& held_out, Control& control) {
        const Bank bank{kernel};
        const TrainedMachine trained =
            machine.train({training, kernel, bank, parameters, precision, budget, control});
        return score_of(trained, held_out, training.labels->classes(), control);
    };
}

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "machine/machine.hpp"

namespace dk {

/// What the numbers of a kernel and C are tuned for, if at all.
enum class TuningGoal { none, leave_one_out, evidence };

namespace parameter {
constexpr ChoiceKey<TuningGoal> tune_kernel{
    "tune_kernel",
    {"no", "leave_one_out", "evidence"},
    "With leave_one_out or evidence, the real parameters of the kernel and C begin at their values and move "
    "along gradients to where the squared leave-one-out errors are least, or the evidence of the Gaussian "
    "process with this kernel and the noise 1 / C is largest."};
}  // namespace parameter

/// Adds tune_kernel to the parameters of a machine.
std::vector<ParameterSpec> with_tuning(std::vector<ParameterSpec> parameters);

/// The goal's value at some numbers and its gradient in their logarithms.
struct TuningValue {
    double value = infinity;
    Vector gradient = {};
};

/// The goal as a function of the logarithms of the kernel's numbers, in the order of their places in its
/// text, and of 1 / C behind them.
class RidgeTuning {
  public:
    /// `targets` has a row for each row of the data.
    RidgeTuning(const TrainingProblem& problem, Matrix targets, TuningGoal goal);

    /// Gives the logarithms of the numbers as they are written.
    Vector start() const;
    Vector lowest() const;
    Vector highest() const;
    KernelPointer kernel(const Vector& logarithms) const;
    TuningValue evaluate(const Vector& logarithms) const;

  private:
    struct Numbers;

    const TrainingProblem& problem_;
    Matrix targets_;
    TuningGoal goal_;
    std::shared_ptr<const Numbers> numbers_;
};

using RidgeTrainer = std::function<TrainedMachine(const TrainingProblem&)>;

/// Tunes the kernel and C as the parameters say, and trains with what was found.
TrainedMachine train_tuned(const TrainingProblem& problem, const RidgeTrainer& trainer);

}  // namespace dk

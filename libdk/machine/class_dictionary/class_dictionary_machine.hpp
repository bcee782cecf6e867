// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "machine/class_dictionary/class_dictionary_learning.hpp"
#include "machine/machine.hpp"
#include "model/dictionary/dictionary_rule.hpp"

namespace dk {

inline constexpr char class_dictionary_prototypes[] =
    "Prototypes are the atoms of each class, whose coefficients of training rows may be negative. "
    "Explanations are how much nearer each brings the reconstruction by its class to the row, and sum to the "
    "decision of the class. Features are the codes of a row.";

/// Adds the parameters that these machines share to a machine's own.
std::vector<ParameterSpec> with_class_dictionary_parameters(std::vector<ParameterSpec> own,
                                                            std::int64_t iterations);

/// Makes the learning of some matrix and classes.
using MakeLearning = std::function<std::unique_ptr<ClassDictionaryLearning>(const LargeMatrix& gram,
                                                                            std::vector<ClassRange> classes)>;

/// Learns dictionaries of the classes and weights of the bank's kernels, and makes the machine that decides
/// by the rule.
TrainedMachine train_class_dictionary(const TrainingProblem& problem, Index atoms, const MakeLearning& make,
                                      std::shared_ptr<const DictionaryRule> rule);

}  // namespace dk

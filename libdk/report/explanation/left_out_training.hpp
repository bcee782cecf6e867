// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "report/explanation/question.hpp"

namespace dk {

/// Tells whether training the model's machine anew without each of its support rows, on so many rows, takes
/// seconds at most.
bool may_train_anew(const Model& model, const Dataset& training);

/// Trains the machine of a model of two classes, or of the question's pair, once without each of `left_out`,
/// with the model's kernel, scaling and parameters, and gives each time what the answer for `row` is then.
/// `row` is prepared already. NaN stands where a training failed, as without the last row of a class.
std::vector<double> answers_without(const Model& model, const Question& question, const Dataset& row,
                                    const Dataset& training, std::span<const Index> left_out,
                                    Control& control);

}  // namespace dk

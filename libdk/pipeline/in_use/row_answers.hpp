// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "model/model.hpp"

namespace dk {

/// Where the answers of a model for rows go; an empty place is for what nobody asks.
struct RowAnswers {
    std::span<double> predictions;    // rows x targets
    std::span<double> decisions;      // rows x functions
    std::span<double> probabilities;  // rows x classes
};

/// Answers rows from one pass over the kernel: what is predicted, and how probable each class is, follows
/// from the decisions. Throws Error(unsupported) where probabilities are asked of a model without.
void answer_rows(const Model& model, const Dataset& rows, const RowAnswers& answers, Control& control);

}  // namespace dk

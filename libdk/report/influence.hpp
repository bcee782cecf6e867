// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/question.hpp"

namespace dk {

/// By how much a training row moves the answer: the answer less what it would be had the machine been trained
/// without this row.
struct RowInfluence {
    Index training_row;
    double change;
};

/// The influences of the training rows that have one, the largest magnitudes first; none where the machine's
/// functions without a row are not known. Those of a support vector machine are found by training it anew
/// where `training` are few rows, and are estimates otherwise.
struct Influences {
    std::vector<RowInfluence> rows = {};
    bool exact = false;  // Training anew with the same kernel, scaling and C gives just this.
};

Influences influences_of(const Model& model, const Dataset& row, const Question& question,
                         const Dataset* training, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/explanation/question.hpp"

namespace dk {

/// By how much a training row moves the answer: the answer less what it would be had the machine been trained
/// without this row.
struct RowInfluence {
    Index training_row;
    double change;
};

/// Finds the influences of the training rows that the answer needs, the largest magnitudes first: just what
/// training anew with the same kernel, scaling and C gives. There are none where the machine's functions
/// without a row are not known. `training`, which may be null, are the training rows, of which a support
/// vector machine asks for few.
std::vector<RowInfluence> influences_of(const Model& model, const Dataset& row, const Question& question,
                                        const Dataset* training, Control& control);

}  // namespace dk

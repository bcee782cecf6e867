// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "data/arrow/arrow_output.hpp"
#include "model/model.hpp"

namespace dk {

/// Adds what a model says of rows: the columns that `what` lists with commas between them, which are
/// prediction, decision, probability and explanation, and before them the names of the rows where they have
/// some. Throws Error(invalid_argument) for another word.
void add_results(ArrowResults& results, std::string_view what, const Model& model, const Dataset& data,
                 Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "base/types.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Facts of a model that its predictor must fit.
struct ReadingContext {
    Index training_rows;
    Index features;
    Index classes;
    DataKind kind;     // of the rows that it is given
    Control& control;  // of the call that reads the model
};

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"

namespace dk {

/// What the weights of strategies with a p-norm are divided by.
enum class WeightScale { norm, sum };

namespace parameter {
constexpr ChoiceKey<WeightScale> weight_scale{
    "normalise",
    {"norm", "sum"},
    "The machine is trained with weights whose p-norm is 1 (norm), or with these divided by their sum (sum), "
    "which makes its C mean the same for any p."};
}  // namespace parameter

}  // namespace dk

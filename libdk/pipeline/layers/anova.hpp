// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Computes the F statistic of each column of dense rows with classes: how much the means of the classes
/// differ beside how much the rows of a class do. It is infinite where only the means differ. Throws
/// Error(invalid_data) where there are no more rows than classes.
std::vector<double> anova_f(const Dataset& data, Control& control);

}  // namespace dk

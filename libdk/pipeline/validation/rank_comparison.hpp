// SPDX-License-Identifier: Apache-2.0
// This compares learners over several data sets by their ranks.
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Computes the mean rank of each learner, 1 for the best; equal scores share their ranks. `scores` is data
/// sets x learners; the larger score is the better.
Vector mean_ranks(const ConstMatrixRef& scores, Control& control);

/// Computes the difference of two mean ranks from which on Nemenyi's test tells two of `learners` apart at a
/// level. The integral behind it is accurate for 2 to 100,000 learners and levels of 0.001 to 0.5.
double critical_difference(Index learners, Index sets, double level);

}  // namespace dk

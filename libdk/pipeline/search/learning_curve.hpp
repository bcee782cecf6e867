// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/report.hpp"
#include "pipeline/search/grid.hpp"
#include "pipeline/validation/folds.hpp"

namespace dk {

/// Reports what a candidate scores on the rows that folds hold out, when it is trained on an eighth, a
/// quarter and a half of the folds' other rows and on all of them: whether more rows would help is seen from
/// the gain of the last step, which is positive where more rows were better. Parts that are too small for the
/// classes, or for their groups, are left out.
std::vector<Report> learning_curve(const Dataset& data, const MachineSpecification& specification,
                                   const Candidate& candidate, const std::vector<Fold>& folds,
                                   const std::string& metric, Control& control);

}  // namespace dk

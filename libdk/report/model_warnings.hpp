// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/report.hpp"
#include "data/describing/data_warnings.hpp"
#include "model/model.hpp"

namespace dk {

/// Lists what whoever uses the model should know: what looked wrong with the training rows, how columns were
/// scaled, whether training converged, and what its scores are worth. Nothing is computed from rows.
std::vector<Warning> model_warnings(const Model& model);

/// The same as the list "warnings", each with "about" and "text".
Report report_of_warnings(const Model& model);

}  // namespace dk

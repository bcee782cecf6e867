// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/report.hpp"
#include "matrix/matrix.hpp"
#include "model/model.hpp"
#include "pipeline/machine_specification.hpp"

namespace dk {

struct FittedCalibration {
    Calibration calibration;
    Report report;
};

/// Fits a sigmoid to each decision function of a model, or one to all where the parameters say so, on
/// held_out_decisions() of the rows. These weigh as they did in the training, but all alike where one is
/// fitted to all functions, and no sigmoid turns the order of decisions around.
FittedCalibration calibrate(const Dataset& data, const MachineSpecification& specification,
                            const Model& model, const Matrix& held_out, Control& control);

/// Gives the sigmoids of functions that are log odds.
Calibration log_odds_calibration(Index functions);

}  // namespace dk

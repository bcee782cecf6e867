// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "dk/dk.h"
#include "model/model.hpp"
#include "pipeline/settings.hpp"

// What the opaque handles of dk.h are.

struct dk_data {
    dk::Dataset value;
};

struct dk_params {
    dk::Settings value;
};

struct dk_model {
    dk::Model value;
};

struct dk_control {
    dk::Control value;
};

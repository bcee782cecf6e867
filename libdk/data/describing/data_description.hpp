// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "base/report.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Says what a dataset is before anybody trains on it: its size and kind, its columns, its labels or targets,
/// how its file was understood, and what looks wrong. dk_data_describe() documents the parts.
Report describe_data(const Dataset& data, Control& control);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// This file reads data with the threads of the command, so that Ctrl-C ends it. The name "-" stands for
// standard input.
#pragma once

#include <string>

#include "control.hpp"
#include "handles.hpp"

namespace command {

Data read_data(Control& control, const std::string& path, const std::string& options);

// Reads a file whose columns become the features that the model was trained on.
Data read_data_for(Control& control, const Model& model, const std::string& path, const std::string& options);

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
// This file reads data with the threads of the command, so that Ctrl-C ends it.
#pragma once

#include <string>

#include "control.hpp"
#include "handles.hpp"

namespace command {

inline Data read_data(Control& control, const std::string& path, const std::string& options) {
    return control.run([&](const libdk::Control& c) { return Data::file(path, options, c); });
}

// Reads a file whose columns become the features that the model was trained on.
inline Data read_data_for(Control& control, const Model& model, const std::string& path,
                          const std::string& options) {
    return control.run([&](const libdk::Control& c) { return model.read_rows(path, options, c); });
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
// This file reads data with the threads of the command, so that Ctrl-C ends it.
#pragma once

#include <string>

#include "control.hpp"
#include "handles.hpp"

namespace command {

inline Data read_data(Control& control, const std::string& path, const std::string& options) {
    Data data;
    control.run([&](dk_control* c) {
        dk_data* read = nullptr;
        const dk_status status = dk_data_from_file(&read, path.c_str(), options.c_str(), c);
        data.reset(read);
        return status;
    });
    return data;
}

// Reads a file whose columns become the features that the model was trained on.
inline Data read_data_for(Control& control, const Model& model, const std::string& path,
                          const std::string& options) {
    Data data;
    control.run([&](dk_control* c) {
        dk_data* read = nullptr;
        const dk_status status = dk_data_from_file_like(&read, path.c_str(), options.c_str(), model.get(), c);
        data.reset(read);
        return status;
    });
    return data;
}

}  // namespace command

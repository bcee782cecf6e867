// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/types.hpp"

namespace dk {

/// How a model of another program is read. dk_model_import() documents the text that they are written in.
struct ImportOptions {
    std::string format = "auto";
    std::string data = "auto";  // the rows that the model is for: dense or sparse
    Index features = 0;         // The rows have so many features, or as many as the file shows if it is 0.
};

ImportOptions import_options(std::string_view text);

}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/archive/dismantled.hpp"

namespace dk {

/// Reads a JSON text of a model into its place, where it ends without asking for memory (see Dismantled).
/// Parts of it are looked at by reference, never copied.
void read_model_json(const std::string& text, Dismantled<nlohmann::ordered_json>& out);

}  // namespace dk

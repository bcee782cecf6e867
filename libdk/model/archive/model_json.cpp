// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "model/archive/model_json.hpp"

namespace dk {

void read_model_json(const std::string& text, Dismantled<nlohmann::ordered_json>& out) {
    nlohmann::detail::json_sax_dom_parser<nlohmann::ordered_json> builder(*out, true);
    nlohmann::ordered_json::sax_parse(text, &builder);
}

}  // namespace dk

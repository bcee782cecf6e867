// SPDX-License-Identifier: Apache-2.0
#include "base/report.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>

namespace dk {

namespace {

using Json = nlohmann::ordered_json;

Json object_of(const Report& report);

/// Turns each kind of value that a report holds into JSON.
struct ToJson {
    Json operator()(const std::vector<Report>& reports) const {
        Json list = Json::array();
        for (const Report& report : reports) list.push_back(object_of(report));
        return list;
    }
    Json operator()(const std::shared_ptr<const Report>& report) const { return object_of(*report); }
    Json operator()(const Report::JsonText& json) const { return Json::parse(json.text); }
    template <typename Value>
    Json operator()(const Value& value) const {
        return value;
    }
};

Json object_of(const Report& report) {
    Json object = Json::object();
    for (const auto& [name, value] : report.entries()) object[name] = std::visit(ToJson(), value);
    return object;
}

}  // namespace

std::string json_text(const Report& report, int indent) {
    return object_of(report).dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dk

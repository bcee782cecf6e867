// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "data/metrics.hpp"
#include "kernel/bank.hpp"
#include "kernel/family.hpp"
#include "pipeline/settings.hpp"
#include "weights/strategy.hpp"

namespace dk {

namespace {

using Json = nlohmann::ordered_json;

Json describe_parameters(const std::vector<ParameterSpec>& specs) {
    Json list = Json::array();
    for (const auto& spec : specs) {
        Json one{{"name", spec.name}, {"type", name_of(spec.type)}, {"default", spec.default_value}};
        if (std::isfinite(spec.minimum)) one["minimum"] = spec.minimum;
        if (spec.minimum_excluded) one["minimum_excluded"] = true;
        if (std::isfinite(spec.maximum)) one["maximum"] = spec.maximum;
        if (!spec.choices.empty()) one["choices"] = spec.choices;
        one["allowed"] = allowed_values(spec);
        one["doc"] = spec.doc;
        list.push_back(std::move(one));
    }
    return list;
}

Json describe_machines() {
    Json list = Json::array();
    for (const auto& machine : machines()) {
        list.push_back({{"name", machine.name},
                        {"doc", machine.doc},
                        {"reference", machine.reference},
                        {"task", name_of(machine.task)},
                        {"parameters", describe_parameters(machine.parameters)}});
    }
    return list;
}

Json describe_kernels() {
    Json list = Json::array();
    for (const auto& family : kernel_families()) {
        Json data = Json::array();
        for (const auto kind : family.data) data.push_back(name_of(kind));
        Json one{{"name", family.name},
                 {"doc", family.doc},
                 {"reference", family.reference},
                 {"data", std::move(data)},
                 {"positive_semidefinite", family.positive_semidefinite},
                 {"constant_diagonal", family.constant_diagonal},
                 {"parameters", describe_parameters(family.parameters)}};
        if (!family.positional.empty()) one["arguments"] = family.positional;
        list.push_back(std::move(one));
    }
    return list;
}

Json describe_operators() {
    Json list = Json::array();
    for (const auto& one : kernel_operators()) {
        list.push_back(
            {{"name", one.name}, {"doc", one.doc}, {"parameters", describe_parameters(one.parameters)}});
    }
    return list;
}

Json describe_weights() {
    Json list = Json::array();
    for (const auto& strategy : weight_strategies()) {
        Json one{{"name", strategy.name},
                 {"doc", strategy.doc},
                 {"reference", strategy.reference},
                 {"normalises", strategy.normalises},
                 {"parameters", describe_parameters(strategy.parameters)}};
        if (!strategy.arguments.empty()) one["arguments"] = strategy.arguments;
        list.push_back(std::move(one));
    }
    return list;
}

template <typename List>
Json describe_names(const List& all) {
    Json list = Json::array();
    for (const auto& one : all) list.push_back({{"name", one.name}, {"doc", one.doc}});
    return list;
}

}  // namespace

std::string describe() {
    const Json all{{"libdk", version_string},
                   {"machines", describe_machines()},
                   {"kernels", describe_kernels()},
                   {"kernel_operators", describe_operators()},
                   {"weights", describe_weights()},
                   {"common", describe_parameters(common_parameters())},
                   {"metrics", describe_names(metric_descriptions())}};
    return all.dump(2);
}

}  // namespace dk

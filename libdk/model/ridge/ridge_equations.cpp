// SPDX-License-Identifier: Apache-2.0
#include "model/ridge/ridge_equations.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/archive/model_json.hpp"
#include "model/kernel_expansion.hpp"

namespace dk {

std::optional<RidgeEquations> ridge_equations(const Model& model) {
    const auto* expansion = dynamic_cast<const KernelExpansion*>(model.predictor.get());
    // A model of another program does not say with what C it was trained.
    const auto has = [&](const char* name) {
        return std::ranges::count(model.parameters, name, [](const auto& p) { return p.first; }) > 0;
    };
    if (expansion == nullptr || !has("C")) return std::nullopt;
    // An updated model keeps the rows that were not forgotten.
    const bool keeps_all = model.kept_answers != nullptr && model.sums == nullptr
                               ? expansion->support_count() > 0
                               : expansion->support_count() == model.training_rows;
    if (!keeps_all) return std::nullopt;
    Dismantled<nlohmann::ordered_json> report;
    read_model_json(model.training_report, report);
    // What the fit tells is told of the machine, or of its only function.
    const nlohmann::ordered_json* fit = &*report;
    if (!fit->contains("ridge") && fit->contains("functions") && !fit->at("functions").empty())
        fit = &fit->at("functions").front();
    const bool tells =
        fit->is_object() && fit->contains("ridge") && fit->contains("C") && fit->at("C").is_number();
    if (!tells || fit->contains("coefficients") || fit->contains("weighed")) return std::nullopt;
    const double cost = fit->at("C").get<double>();
    if (!(cost > 0)) return std::nullopt;
    return RidgeEquations{.cost = cost, .offset = has("offset") && model.parameter("offset") == "yes"};
}

}  // namespace dk

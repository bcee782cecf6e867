// SPDX-License-Identifier: Apache-2.0
#include "report/model_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.hpp"
#include "base/unicode.hpp"
#include "model/archive/model_json.hpp"
#include "report/drawing/html.hpp"

namespace dk {

namespace {

using ReportJson = nlohmann::ordered_json;
using Warnings = std::vector<Warning>;

/// Gives a member of an object, or nothing where there is none or it is not of this type.
const ReportJson* member(const ReportJson& object, const char* name, ReportJson::value_t type) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() || found->type() != type ? nullptr : &*found;
}

bool has_converged(const ReportJson& training) {
    const auto* told = member(training, "converged", ReportJson::value_t::boolean);
    return told == nullptr || told->get<bool>();
}

/// Gives the value of a parameter as text, or nothing for a model that has not got it.
std::string value_of(const Model& model, std::string_view name) {
    const auto found = std::ranges::find(model.parameters, name, &Assignments::value_type::first);
    return found == model.parameters.end() ? std::string() : found->second;
}

/// Says which parameters let a training that did not converge go on, as far as the machine has them.
std::string remedies(const Model& model) {
    std::vector<std::string> all;
    const std::string iterations = value_of(model, "max_iterations");
    const std::string tolerance = value_of(model, "tolerance");
    if (!iterations.empty() && iterations != "0") all.push_back("raise max_iterations=" + iterations);
    if (!tolerance.empty()) all.push_back("raise tolerance=" + tolerance);
    if (model.kind == DataKind::dense && model.preparation.scaler.scale.empty())
        all.emplace_back("scale the columns (scale=standard)");
    return all.empty() ? "" : "; " + join(all, ", or ");
}

void warn_of_convergence(const Model& model, const ReportJson& training, Warnings& out) {
    std::string what;
    if (const auto* functions = member(training, "functions", ReportJson::value_t::array)) {
        const auto failed = std::ranges::count(*functions, false, has_converged);
        if (failed > 0) what = text(failed, " of ", functions->size(), " decision functions");
    } else if (!has_converged(training)) {
        what = "the training";
    }
    if (!what.empty()) out.push_back({"convergence", what + " did not converge" + remedies(model)});
}

void warn_of_scaling(const ReportJson& training, Warnings& out) {
    if (const auto* why = member(training, "scaled", ReportJson::value_t::string))
        out.push_back({"scaled", made_plain(why->get<std::string>())});
}

/// The scores of a metric on the folds of a cross-validation.
struct FoldMean {
    double mean;
    double standard_error;
};

std::optional<FoldMean> mean_of(const ReportJson& metrics, const char* metric) {
    const auto* one = member(metrics, metric, ReportJson::value_t::object);
    const auto* folds = one == nullptr ? nullptr : member(*one, "folds", ReportJson::value_t::array);
    if (folds == nullptr || folds->empty()) return std::nullopt;
    const double count = folds->size();
    const double deviation = one->value("deviation", 0.0);
    return FoldMean{one->value("mean", 0.0), deviation / std::sqrt(count)};
}

/// Tells whether errors were weighed, so that the share of right answers is not what the model is for.
bool weighs_errors(const Model& model) {
    const auto is_set = [&](std::string_view name) {
        const std::string value = value_of(model, name);
        return !value.empty() && value != "0";
    };
    const std::string weight = value_of(model, "class_weight");
    return model.threshold_report != "{}" || is_set("false_alarms") || is_set("miss_cost") ||
           !(weight.empty() || weight == "none");
}

void warn_of_choice(const ReportJson& validation, Warnings& out) {
    const auto* candidates = member(validation, "candidates", ReportJson::value_t::array);
    const bool nested = member(validation, "nested", ReportJson::value_t::object) != nullptr;
    if (candidates == nullptr || candidates->size() < 2 || nested) return;
    out.push_back(
        {"optimistic score",
         "the model has the best of several scores on the same folds, which is therefore a little too "
         "good; outer_folds=5 tells one that is not"});
}

void warn_of_baseline(const Model& model, const ReportJson& validation, Warnings& out) {
    const auto* nested = member(validation, "nested", ReportJson::value_t::object);
    const auto* metrics =
        member(nested == nullptr ? validation : *nested, "metrics", ReportJson::value_t::object);
    const auto* baseline = member(validation, "baseline", ReportJson::value_t::object);
    if (metrics == nullptr || baseline == nullptr) return;
    for (const char* metric : {"accuracy", "r2"}) {
        if (metric == std::string_view("accuracy") && weighs_errors(model)) continue;
        const auto reached = mean_of(*metrics, metric);
        const auto without = mean_of(*baseline, metric);
        if (!reached || !without || reached->mean - 2 * reached->standard_error > without->mean) continue;
        out.push_back({"no better than the baseline",
                       text("on rows that it has not seen, ", metric, " is ", shown(reached->mean),
                            " with a standard error of ", shown(reached->standard_error),
                            ", and the baseline, which looks at no column, reaches ", shown(without->mean))});
    }
}

}  // namespace

std::vector<Warning> model_warnings(const Model& model) {
    Warnings out;
    const bool scaled = !model.preparation.scaler.scale.empty();
    for (const auto& [about, sentence] : model.warnings) {
        if (!(scaled && about == "scales")) out.push_back({about, sentence});
    }
    Dismantled<ReportJson> training;
    Dismantled<ReportJson> validation;
    read_model_json(model.training_report, training);
    read_model_json(model.validation_report, validation);
    warn_of_scaling(*training, out);
    warn_of_convergence(model, *training, out);
    warn_of_choice(*validation, out);
    warn_of_baseline(model, *validation, out);
    return out;
}

Report report_of_warnings(const Model& model) {
    std::vector<Report> all;
    for (const auto& [about, sentence] : model_warnings(model))
        all.push_back(Report().add("about", about).add("text", sentence));
    return Report().add("warnings", std::move(all));
}

}  // namespace dk

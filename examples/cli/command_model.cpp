// SPDX-License-Identifier: Apache-2.0
// dk info, dk weights and dk prototypes show what a model file holds.
#include <algorithm>
#include <numeric>

#include "commands.hpp"
#include "model_view.hpp"
#include "output/candidates.hpp"
#include "output/proposals.hpp"
#include "output/summary.hpp"
#include "output/terminal.hpp"
#include "prototype_table.hpp"

namespace command {
namespace {

struct ModelOptions {
    std::string model;
    int64_t limit = 0;
    bool json = false;
    bool verbose = false;
};

void add_options(CLI::App* subcommand, ModelOptions& options) {
    subcommand->add_option("MODEL", options.model, "Read the model from this file")->required();
    add_json(subcommand, options.json);
    add_verbose(subcommand, options.verbose);
}

void run_info(const ModelOptions& options) {
    const Model model = Model::load(options.model);
    const Json info = model_info(model);
    const Json warnings = model_warnings(model);
    if (options.json) {
        Json document = info;
        document["warnings"] = warnings;
        return report(document, true);
    }
    warn_of(warnings);
    if (options.verbose) {
        Json everything = info_for_people(info);
        if (everything.contains("cross_validation")) everything["cross_validation"].erase("candidates");
        report(everything, false);
    }
    Output output;
    if (options.verbose) output.text("\n");
    Summary summary;
    summary.add_validation(info);
    summary.add_model(info);
    summary.add_training(info);
    summary.print(output);
    const Json validation = info.value("cross_validation", Json::object());
    if (validation.contains("candidates"))
        print_candidates(output, info, options.verbose ? Shown::all : Shown::few);
    const std::string name = quoted(options.model);
    propose(output,
            {"dk prototypes " + name + "   dk weights " + name + "   dk predict " + name + " NEW.csv"});
    output.commit();
}

constexpr size_t kMostKernels = 30;

// Finds the positions of the `limit` largest values, the largest first, and equal ones in their order.
std::vector<size_t> largest(const double* values, size_t count, size_t limit) {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] > values[b]; });
    order.resize(std::min(limit, count));
    return order;
}

void run_weights(const ModelOptions& options) {
    const Model model = Model::load(options.model);
    const int64_t kernels = model.kernel_count();
    const auto weights = model.kernel_weights();
    std::vector<size_t> shown = largest(weights.data(), weights.size(), weights.size());
    // People see the most important ones of a large bank.
    const bool shortens =
        options.limit == 0 && !options.json && !options.verbose && shown.size() > kMostKernels;
    const size_t limit = shortens ? kMostKernels : static_cast<size_t>(options.limit);
    if (limit > 0) {
        shown.resize(std::min(shown.size(), limit));
    } else {
        std::sort(shown.begin(), shown.end());
    }
    Json list = Json::array();
    for (const size_t k : shown) {
        std::string name = model.kernel_name(static_cast<int64_t>(k));
        if (!options.json && !options.verbose) name = with_short_numbers(name);
        list.push_back({{"index", k}, {"weight", weights[k]}, {"kernel", name}});
    }
    report({{"strategy", model_info(model).at("weights")}, {"count", kernels}, {"kernels", std::move(list)}},
           options.json);
    if (!shortens) return;
    Output output;
    output.text("  ... the largest of " + std::to_string(kernels) + ", which --verbose shows all\n");
    output.commit();
}

// Lists the decision functions with their shifts and offsets, for models whose prototypes come in pairs.
Json functions_of(const Model& model, const std::vector<std::string>& names) {
    Json functions = Json::array();
    const auto shifts = model.prototype_shifts();
    const auto offsets = model.prototype_offsets();
    for (size_t f = 0; f < names.size(); ++f) {
        functions.push_back({{"function", names[f]}, {"shift", shifts[f]}, {"offset", offsets[f]}});
    }
    return functions;
}

// Lists the training rows that make each prototype, those with the largest weights first.
void add_rows(Json& prototypes, const Model& model, size_t limit) {
    const auto rows = static_cast<size_t>(model.training_rows());
    const libdk::Matrix coefficients = model.prototype_coefficients();
    for (size_t p = 0; p < prototypes.size(); ++p) {
        const double* own = coefficients.row(static_cast<int64_t>(p)).data();
        Json& list = prototypes[p]["made_of"] = Json::array();
        for (const size_t row : largest(own, rows, limit)) {
            if (own[row] > 0) list.push_back({{"row", row}, {"coefficient", own[row]}});
        }
    }
}

void add_nearest(Json& prototypes, const Model& model) {
    const auto neighbours = static_cast<size_t>(model.prototype_neighbours());
    std::vector<int64_t> rows(prototypes.size() * neighbours);
    std::vector<double> distances(rows.size());
    model.prototype_nearest(rows, distances);
    for (size_t n = 0; n < rows.size(); ++n) {
        prototypes[n / neighbours]["nearest"].push_back({{"row", rows[n]}, {"distance", distances[n]}});
    }
}

// Lists the weights of the features, which exist when the kernel is linear.
void add_coordinates(Json& prototypes, const Model& model) {
    const auto features = static_cast<size_t>(model.feature_count());
    std::vector<double> values(prototypes.size() * features);
    try {
        model.prototype_coordinates(values);
    } catch (const LibraryError& error) {
        if (error.status() == libdk::Status::unsupported) return;
        throw;
    }
    const Json names = model_info(model).value("feature_names", Json::array());
    for (size_t i = 0; i < values.size(); ++i) {
        const size_t column = i % features;
        const Json name = names.empty() ? Json("f" + std::to_string(column + 1)) : names.at(column);
        prototypes[i / features]["coordinates"].push_back({{"feature", name}, {"value", values[i]}});
    }
}

void run_prototypes(const ModelOptions& options) {
    const Model model = Model::load(options.model);
    const ClassNames classes(model);
    const std::vector<std::string> functions = function_names(model, classes);
    const bool pairs = has_prototype_pairs(model);
    const auto sides = model.prototype_classes();
    Json prototypes = Json::array();
    for (size_t p = 0; p < sides.size(); ++p) {
        Json prototype = {{"prototype", p}};
        if (!classes.empty()) prototype["class"] = classes.at(sides[p]);
        if (pairs) prototype["function"] = functions[p / 2];
        if (pairs) prototype["side"] = p % 2 == 0 ? "p+" : "p-";
        prototypes.push_back(std::move(prototype));
    }
    add_rows(prototypes, model, options.limit > 0 ? static_cast<size_t>(options.limit) : SIZE_MAX);
    add_nearest(prototypes, model);
    if (!options.json && !options.verbose) return print_prototypes(model, prototypes);
    add_coordinates(prototypes, model);
    Json document = Json::object();
    if (pairs) document["functions"] = functions_of(model, functions);
    document["prototypes"] = std::move(prototypes);
    report(document, options.json);
}

}  // namespace

void add_info(CLI::App& app) {
    const auto options = std::make_shared<ModelOptions>();
    CLI::App* subcommand = app.add_subcommand("info", "Show what a model is and how its training went");
    add_options(subcommand, *options);
    subcommand->callback([options] { run_info(*options); });
}

void add_weights(CLI::App& app) {
    const auto options = std::make_shared<ModelOptions>();
    CLI::App* subcommand = app.add_subcommand("weights", "Show the weight of each kernel of a model's bank");
    add_options(subcommand, *options);
    subcommand
        ->add_option("--top", options->limit,
                     "Show only the N kernels with the largest weights, the largest first")
        ->type_name("N")
        ->check(CLI::Range(1, INT32_MAX));
    subcommand->callback([options] { run_weights(*options); });
}

void add_prototypes(CLI::App& app) {
    const auto options = std::make_shared<ModelOptions>();
    options->limit = 5;
    CLI::App* subcommand = app.add_subcommand(
        "prototypes", "Show a model's prototypes and the training rows (from 0) that make them");
    add_options(subcommand, *options);
    subcommand
        ->add_option("--rows", options->limit,
                     "Show this many rows for each prototype, or all that make it if 0")
        ->type_name("N")
        ->check(CLI::Range(0, INT32_MAX))
        ->capture_default_str();
    subcommand->callback([options] { run_prototypes(*options); });
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
// dk compress makes a model of few prototypes from any other model.
#include <algorithm>
#include <optional>

#include "commands.hpp"
#include "model_view.hpp"
#include "output/proposals.hpp"
#include "output/summary.hpp"
#include "parameters.hpp"
#include "predictions.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct CompressOptions {
    std::string model;
    std::string data;
    std::string output;
    std::vector<std::string> parameters;
    std::string data_options;
    std::string test;
    int64_t prototypes = 10;
    int threads = 0;
    bool json = false;
    bool verbose = false;
};

void run(const CompressOptions& options) {
    Control control(options.threads);
    Settings settings("super_sparse");
    settings.set("prototypes", std::to_string(options.prototypes));
    settings.set(options.parameters);
    require_writable(options.output);
    const Model model = Model::load(options.model);
    if (!options.test.empty()) require_readable(options.test);
    const double compressing = options.test.empty() ? 1 : 0.9;
    std::optional<WorkPart> part;
    part.emplace(control.progress(), 0, 0.05, "reading");
    const Data data = read_data_for(control, model, options.data, options.data_options);
    part.emplace(control.progress(), 0.05, compressing);
    const Model compressed =
        control.run([&](const libdk::Control& c) { return model.compress(data, settings.get(), c); });
    part.emplace(control.progress(), compressing, 1, "testing");
    save_model(compressed, options.output);
    const Json training = model_info(compressed).at("training");
    Json document{{"model", options.output}, {"compressed", training.at("compressed").at(0)}};
    if (!options.test.empty()) {
        const Data test = read_data_for(control, compressed, options.test, options.data_options);
        document["test"] = score(control, compressed, test, Scores::kAll);
    }
    if (options.json || options.verbose) return report(document, options.json);
    Output output;
    Summary summary;
    if (document.contains("test")) summary.add_scores(document.at("test"), options.test);
    for (const auto& one : document.at("compressed").items()) {
        if (!one.value().is_number() && !one.value().is_boolean()) continue;
        std::string name = one.key();
        std::replace(name.begin(), name.end(), '_', ' ');
        summary.add(
            name, one.value().is_number_float() ? rounded(one.value().get<double>(), 4) : one.value().dump());
    }
    summary.add("saved", options.output);
    summary.print(output);
    const std::string small = quoted(options.output);
    propose(output, {"dk predict " + small + " NEW.csv   dk prototypes " + small});
    output.commit();
}

}  // namespace

void add_compress(CLI::App& app) {
    const auto options = std::make_shared<CompressOptions>();
    CLI::App* subcommand =
        app.add_subcommand("compress", "Make a model of few prototypes that decides as a given model does");
    subcommand->add_option("MODEL", options->model, "Read the model from this file")->required();
    subcommand
        ->add_option("DATA", options->data,
                     "Let both models decide alike on these rows, such as the training data")
        ->required();
    add_output(subcommand, options->output, "Write the compressed model to this file")->required();
    subcommand->add_option("-n,--prototypes", options->prototypes, "Make this many prototypes")
        ->type_name("N")
        ->check(CLI::Range(1, INT32_MAX))
        ->capture_default_str();
    add_parameters(subcommand, options->parameters,
                   "Set a parameter such as lambda=1e-4, see 'dk describe super_sparse'");
    subcommand->add_option("-t,--test", options->test, "Test the compressed model on these labelled data")
        ->type_name("DATA");
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    add_verbose(subcommand, options->verbose);
    subcommand->footer("Example: dk compress sonar.dk sonar.csv -o small.dk --prototypes 12");
    subcommand->callback([options] { run(*options); });
}

}  // namespace command

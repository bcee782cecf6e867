// SPDX-License-Identifier: Apache-2.0
// dk import makes a model of another program's model file, and dk export writes a model for other programs.
#include "commands.hpp"
#include "model_view.hpp"
#include "output.hpp"

namespace command {
namespace {

struct ExchangeOptions {
    std::string input;
    std::string output;
    std::string format = "auto";
    int threads = 0;
    bool json = false;
};

void run_import(const ExchangeOptions& options) {
    Control control(options.threads);
    require_readable(options.input);
    require_writable(options.output);
    const Model model = control.run(
        [&](const libdk::Control& c) { return Model::import_from(options.input, options.format, c); });
    save_model(model, options.output);
    const Json info = model_info(model);
    report({{"model", options.output},
            {"imported", info.at("training").at("imported")},
            {"machine", info.at("machine")},
            {"kernel", info.at("kernel")},
            {"classes", info.at("classes")},
            {"features", info.at("features")},
            {"support_rows", info.at("support_rows")}},
           options.json);
}

// Says where the file predicts otherwise than the model, which elects by probabilities.
void warn_of_election(const Model& model, const std::string& format) {
    const Json parameters = model_info(model).value("parameters", Json::object());
    if (format == "libsvm" || parameters.value("elect", "") != "probability") return;
    std::fprintf(stderr,
                 "dk: the file predicts what decisions elect; this model, with elect=probability, may "
                 "predict another class of some rows\n");
}

void run_export(const ExchangeOptions& options) {
    const Model model = Model::load(options.input);
    require_writable(options.output);
    model.export_to(options.output, options.format);
    warn_of_election(model, options.format);
    report({{"file", options.output}, {"format", options.format}}, options.json);
}

}  // namespace

void add_import(CLI::App& app) {
    const auto options = std::make_shared<ExchangeOptions>();
    CLI::App* subcommand =
        app.add_subcommand("import", "Make a model of one of LIBSVM, liblinear or ThunderSVM");
    subcommand->add_option("FILE", options->input, "Read the other program's model from this file")
        ->required();
    add_output(subcommand, options->output, "Write the model to this file")->required();
    subcommand
        ->add_option(
            "-f,--format", options->format,
            "The file is of this program: auto, libsvm, liblinear or thundersvm; after it may follow "
            "features=N and data=dense or sparse")
        ->type_name("\"FORMAT [KEY=VALUE ...]\"")
        ->capture_default_str();
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    subcommand->footer("Example: dk import letter.model -o letter.dk");
    subcommand->callback([options] { run_import(*options); });
}

void add_export(CLI::App& app) {
    const auto options = std::make_shared<ExchangeOptions>();
    CLI::App* subcommand = app.add_subcommand("export", "Write a model for other programs");
    subcommand->add_option("MODEL", options->input, "Read the model from this file")->required();
    add_output(subcommand, options->output, "Write the other program's model to this file")->required();
    subcommand
        ->add_option("-f,--format", options->format,
                     "Write this format: libsvm (a model file of LIBSVM), onnx (a graph) or c (C99 without "
                     "allocation)")
        ->type_name("FORMAT")
        ->required();
    add_json(subcommand, options->json);
    subcommand->footer("Example: dk export small.dk -o small.c --format c");
    subcommand->callback([options] { run_export(*options); });
}

}  // namespace command

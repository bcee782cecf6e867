// SPDX-License-Identifier: Apache-2.0
// dk report writes a page that shows a model, or compares several.
#include "commands.hpp"
#include "model_view.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct ReportPageOptions {
    std::vector<std::string> inputs;
    std::string output;
    std::string training;
    std::string data_options;
    std::string image;
    std::string path;
    std::string title;
    bool manager = false;
    int64_t rows = 20;
    int threads = 0;
    bool compare = false;
    bool json = false;
};

// The text that dk_report takes.
std::string page_options(const ReportPageOptions& options) {
    std::string text = "rows=" + std::to_string(options.rows);
    if (options.manager) text += " for=manager";
    if (!options.image.empty()) text += " image=" + options.image;
    if (!options.path.empty()) text += " path=" + options.path;
    if (!options.title.empty()) text += " title=" + options.title;
    return text;
}

void run_report(const ReportPageOptions& options) {
    Control control(options.threads);
    require_writable(options.output);
    const std::string& data_path = options.inputs.back();
    std::vector<Model> models;
    for (size_t i = 0; i + 1 < options.inputs.size(); ++i) models.push_back(Model::load(options.inputs[i]));
    if (models.size() > 1 && !options.compare)
        throw std::runtime_error("several models are compared with --compare; the last file has the data");
    const Data data = read_data_for(control, models.front(), data_path, options.data_options);
    const bool same = options.training == data_path;
    if (models.size() > 1) {
        control.run([&](const libdk::Control& c) {
            libdk::compare_models(options.output, models, data, page_options(options), c);
            return 0;
        });
    } else if (!options.training.empty()) {
        const Data training =
            same ? data : read_data_for(control, models.front(), options.training, options.data_options);
        control.run([&](const libdk::Control& c) {
            models.front().report(options.output, data, training, page_options(options), c);
            return 0;
        });
    } else {
        control.run([&](const libdk::Control& c) {
            models.front().report(options.output, data, page_options(options), c);
            return 0;
        });
    }
    report({{"report", options.output}, {"models", models.size()}, {"rows", data.rows()}}, options.json);
}

}  // namespace

void add_report(CLI::App& app) {
    const auto options = std::make_shared<ReportPageOptions>();
    CLI::App* subcommand =
        app.add_subcommand("report", "Write a page that shows a model and its predictions, for any browser");
    subcommand
        ->add_option("MODEL... DATA", options->inputs,
                     "Read the model, or several with --compare, and the rows to show them on")
        ->required()
        ->expected(2, 101);
    add_output(subcommand, options->output, "Write the page to this file, such as report.html")->required();
    subcommand
        ->add_option("--training", options->training,
                     "Read the rows of which the model was trained, to show its prototypes; it may be DATA")
        ->type_name("DATA");
    subcommand->add_flag("--compare", options->compare, "Compare several models on the rows");
    subcommand->add_flag(
        "--manager", options->manager,
        "Write the page for who decides what to do with predictions: how good they are, what "
        "matters, what would turn them");
    subcommand->add_option("--image", options->image, "Show rows as pictures of this size")->type_name("WxH");
    subcommand->add_option("--rows", options->rows, "Show this many of the rows that are most wrong")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    subcommand
        ->add_option("--path", options->path,
                     "Train with each of these values of a parameter too, and show how the prototypes move")
        ->type_name("KEY=A:B:...");
    subcommand->add_option("--title", options->title, "Give the page this heading")->type_name("TEXT");
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    subcommand->footer(
        "Examples: dk report sonar.dk test.csv --training sonar.csv -o report.html\n"
        "          dk report sonar.dk test.csv --training sonar.csv --path C=0.1:1:10 -o report.html\n"
        "          dk report --compare svm.dk fisher.dk test.csv -o comparison.html");
    subcommand->callback([options] { run_report(*options); });
}

}  // namespace command

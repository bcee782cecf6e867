// SPDX-License-Identifier: Apache-2.0
// dk threshold, dk drift and dk update are for models in use: where two classes part, whether rows still come
// as the known ones did, and further rows to learn from.
#include "commands.hpp"
#include "model_view.hpp"
#include "output/proposals.hpp"
#include "output/summary.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct WatchOptions {
    std::string model;
    std::string data;
    std::string data_options;
    int threads = 0;
    bool json = false;
};

void add_watch_options(CLI::App* subcommand, WatchOptions& options, const std::string& rows) {
    subcommand->add_option("MODEL", options.model, "Read the model from this file")->required();
    subcommand->add_option("DATA", options.data, rows)->required();
    add_data_options(subcommand, options.data_options);
    add_threads(subcommand, options.threads);
    add_json(subcommand, options.json);
}

struct ThresholdOptions : WatchOptions {
    std::string output;
    double false_alarms = 0;
    double sure = 0.95;
    double miss_cost = 0;
};

void run_threshold(const ThresholdOptions& options) {
    Control control(options.threads);
    require_writable(options.output);
    const Model model = Model::load(options.model);
    const Data data = read_data_for(control, model, options.data, options.data_options);
    const std::string text = "false_alarms=" + Json(options.false_alarms).dump() +
                             " sure=" + Json(options.sure).dump() +
                             " miss_cost=" + Json(options.miss_cost).dump();
    const Model moved =
        control.run([&](const libdk::Control& c) { return model.move_threshold(data, text, c); });
    save_model(moved, options.output);
    const Json document{{"model", options.output}, {"threshold", model_info(moved).at("threshold")}};
    if (options.json) return report(document, true);
    Output output;
    Summary summary;
    summary.add_threshold(document.at("threshold"));
    summary.add("saved", options.output);
    summary.print(output);
    propose(output, {"dk predict " + quoted(options.output) + " NEW.csv"});
    output.commit();
}

struct DriftOptions : WatchOptions {
    std::string reference;
    int64_t seed = 1;
};

void run_drift(const DriftOptions& options) {
    Control control(options.threads);
    const Model model = Model::load(options.model);
    const Data data = read_data_for(control, model, options.data, options.data_options);
    const auto seed = static_cast<uint64_t>(options.seed);
    libdk::Drift found;
    if (options.reference.empty()) {
        found = control.run([&](const libdk::Control& c) { return model.drift(data, seed, c); });
    } else {
        const Data reference = read_data_for(control, model, options.reference, options.data_options);
        found = control.run([&](const libdk::Control& c) { return model.drift(data, reference, seed, c); });
    }
    report({{"distance", found.distance}, {"usual", found.usual}, {"p", found.p}}, options.json);
}

struct UpdateOptions : WatchOptions {
    std::string output;
    std::vector<int64_t> forget;
};

void run_update(const UpdateOptions& options) {
    if (options.data.empty() && options.forget.empty())
        throw std::runtime_error("there is nothing to update: give a file of further rows, or --forget");
    Control control(options.threads);
    require_writable(options.output);
    const Model model = Model::load(options.model);
    const auto update = [&] {
        if (options.data.empty())
            return control.run([&](const libdk::Control& c) { return model.forget(options.forget, c); });
        const Data data = read_data_for(control, model, options.data, options.data_options);
        return control.run([&](const libdk::Control& c) { return model.update(data, options.forget, c); });
    };
    const Model updated = update();
    save_model(updated, options.output);
    const Json told = model_info(updated).at("training").at("update");
    report({{"model", options.output},
            {"kept", told.at("kept")},
            {"further", told.at("further")},
            {"forgotten", told.at("forgotten")}},
           options.json);
}

}  // namespace

void add_update(CLI::App& app) {
    const auto options = std::make_shared<UpdateOptions>();
    CLI::App* subcommand =
        app.add_subcommand("update", "Let a model learn from further rows, and forget some that it has");
    subcommand->add_option("MODEL", options->model, "Read the model from this file")->required();
    subcommand->add_option("DATA", options->data, "Learn from these labelled rows too");
    subcommand
        ->add_option(
            "--forget", options->forget,
            "Forget the training rows of these numbers, counted from 0; rows that join later have the "
            "next numbers")
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber)
        ->type_name("ROW,...");
    add_output(subcommand, options->output, "Write the model to this file")->required();
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    subcommand->footer(
        "The model was trained with -p updatable=yes.\n"
        "Example: dk update old.dk new.csv --forget 3,17 -o new.dk");
    subcommand->callback([options] { run_update(*options); });
}

void add_threshold(CLI::App& app) {
    const auto options = std::make_shared<ThresholdOptions>();
    CLI::App* subcommand = app.add_subcommand(
        "threshold", "Move a model's threshold between two classes: bounded false alarms, cheap errors");
    add_watch_options(subcommand, *options, "Choose it on these labelled rows, which training has not seen");
    add_output(subcommand, options->output, "Write the model to this file")->required();
    subcommand
        ->add_option("--false-alarms", options->false_alarms,
                     "Take at most this share of new rows of the first class for the second, such as 0.05")
        ->type_name("SHARE");
    subcommand->add_option("--sure", options->sure, "Let the bound hold with this probability")
        ->type_name("SHARE")
        ->capture_default_str();
    subcommand
        ->add_option("--miss-cost", options->miss_cost,
                     "Make errors cheapest, where missing the second class costs this many false alarms")
        ->type_name("TIMES");
    subcommand->footer("Example: dk threshold sonar.dk new.csv --false-alarms 0.1 -o careful.dk");
    subcommand->callback([options] { run_threshold(*options); });
}

void add_drift(CLI::App& app) {
    const auto options = std::make_shared<DriftOptions>();
    CLI::App* subcommand =
        app.add_subcommand("drift", "Test whether rows come as those did of which a model was trained");
    add_watch_options(subcommand, *options, "Test these rows");
    subcommand
        ->add_option("--reference", options->reference,
                     "Compare with these rows, such as the training data; a few models keep all of these")
        ->type_name("DATA");
    subcommand->add_option("--seed", options->seed, "Draw rows and permutations with this seed")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    subcommand->footer("Example: dk drift sonar.dk new.csv --reference sonar.csv");
    subcommand->callback([options] { run_drift(*options); });
}

}  // namespace command

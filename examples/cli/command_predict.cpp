// SPDX-License-Identifier: Apache-2.0
// dk predict shows what a model says of data.
#include <optional>

#include "commands.hpp"
#include "model_view.hpp"
#include "output/terminal.hpp"
#include "predictions.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct PredictOptions {
    std::string model;
    std::string data;
    std::string output;
    std::string data_options;
    int threads = 0;
    bool probability = false;
    bool decision = false;
    bool contributions = false;
    bool features = false;
    bool reconstruct = false;
    bool novelty = false;
    bool deviation = false;
    double confidence = 0;
    bool json = false;
};

void add_options(CLI::App* subcommand, PredictOptions& options) {
    subcommand->add_option("MODEL", options.model, "Read the model from this file")->required();
    subcommand
        ->add_option("DATA", options.data,
                     "Read the data from this file, with the features that the model was trained on; - is "
                     "standard input")
        ->required();
    add_data_options(subcommand, options.data_options);
    add_threads(subcommand, options.threads);
    add_json(subcommand, options.json);
}

void add_predictions(Json& document, const Predictions& predictions, const ClassNames& classes) {
    if (!predictions.names.empty()) document["ids"] = predictions.names;
    Json& labels = document["predictions"] = Json::array();
    if (!predictions.sets.empty()) {
        labels = predictions.sets;
    } else {
        for (const double label : predictions.labels) labels.push_back(classes.of_prediction(label));
    }
    if (predictions.columns.empty()) return;
    document["columns"] = predictions.columns;
    Json& rows = document["values"] = Json::array();
    const auto columns = static_cast<std::ptrdiff_t>(predictions.columns.size());
    for (auto row = predictions.values.begin(); row != predictions.values.end(); row += columns) {
        rows.push_back(std::vector<double>(row, row + columns));
    }
}

// Computes the scores where the data have labels. Files of new rows often have labels without meaning, which
// must not stop a prediction.
Json score_if_labelled(Control& control, const Model& model, const Data& data,
                       const std::vector<double>& predicted) {
    if (model.task() == libdk::Task::clustering) return nullptr;  // whose numbers are no classes
    if (model.task() == libdk::Task::multilabel) {
        Json scores = score(control, model, data, Scores::kAccuracy);
        return scores.at("micro_f1").is_null() ? Json() : scores;
    }
    const bool classification = model.class_count() > 0;
    if (classification && labels_of(data).empty()) return nullptr;
    try {
        Json scores = score(control, model, data, Scores::kAccuracy, predicted);
        return !classification && scores.at("mae").is_null() ? Json() : scores;  // The rows have no targets.
    } catch (const LibraryError& error) {
        if (error.status() == libdk::Status::cancelled) throw;
        if (classification) std::fprintf(stderr, "dk: not scored: %s\n", printable(error.what()).c_str());
        return nullptr;
    }
}

void run_predict(const PredictOptions& options) {
    Control control(options.threads);
    const Model model = Model::load(options.model);
    require_writable(options.output);
    std::optional<WorkPart> part;
    part.emplace(control.progress(), 0, 0.2, "reading");
    const Data data = read_data_for(control, model, options.data, options.data_options);
    part.emplace(control.progress(), 0.2, 1);
    const ClassNames classes(model);
    const Columns columns = options.probability      ? Columns::probabilities
                            : options.decision       ? Columns::decisions
                            : options.contributions  ? Columns::contributions
                            : options.features       ? Columns::features
                            : options.reconstruct    ? Columns::reconstructions
                            : options.novelty        ? Columns::novelty
                            : options.deviation      ? Columns::deviation
                            : options.confidence > 0 ? Columns::sets
                                                     : Columns::none;
    const Predictions predictions = predict(control, columns, model, data, classes, options.confidence);
    const Json scores = score_if_labelled(control, model, data, predictions.labels);
    part.reset();  // The line of progress ends before predictions stand on the terminal.
    if (!options.output.empty() || !options.json) write_csv(options.output, predictions, classes);
    if (options.json) {
        Json document = {{"rows", predictions.labels.size()}};
        if (!options.output.empty()) document["output"] = options.output;
        if (options.output.empty()) add_predictions(document, predictions, classes);
        if (!scores.is_null()) document["scores"] = scores;
        report(document, true);
    } else if (!scores.is_null()) {
        const char* metric = !predictions.sets.empty() ? "micro_f1" : classes.empty() ? "mae" : "accuracy";
        std::fprintf(stderr, "%s %s on %zu labelled rows\n", metric,
                     rounded(scores.at(metric).get<double>()).c_str(), predictions.labels.size());
    }
}

}  // namespace

void add_predict(CLI::App& app) {
    const auto options = std::make_shared<PredictOptions>();
    CLI::App* subcommand = app.add_subcommand(
        "predict", "Predict the class or value of each row, as CSV with a line for each row");
    add_options(subcommand, *options);
    add_output(subcommand, options->output, "Write the predictions to this file instead of standard output");
    CLI::Option* probability =
        subcommand->add_flag("--probability", options->probability,
                             "Print the probability of each class too (train with -p probability=yes)");
    CLI::Option* decision =
        subcommand->add_flag("--decision", options->decision, "Print the decision values too")
            ->excludes(probability);
    CLI::Option* contributions =
        subcommand
            ->add_flag("--contributions", options->contributions,
                       "Print what each prototype contributes too, as dk explain shows it for one row")
            ->excludes(probability)
            ->excludes(decision);
    CLI::Option* features =
        subcommand
            ->add_flag("--features", options->features,
                       "Print what the model sees of the row too: codes of imkpl and iskpl, features of elm "
                       "and lowrank")
            ->excludes(probability)
            ->excludes(decision)
            ->excludes(contributions);
    CLI::Option* reconstruct =
        subcommand
            ->add_flag("--reconstruct", options->reconstruct,
                       "Print the row as the components of a kernel_pca model keep it too")
            ->excludes(probability)
            ->excludes(decision)
            ->excludes(contributions)
            ->excludes(features);
    CLI::Option* novelty =
        subcommand
            ->add_flag(
                "--novelty", options->novelty,
                "Print how far the row lies from the training rows too, and p, how likely one like them "
                "lies at least as far (train with -p novelty=yes)")
            ->excludes(probability)
            ->excludes(decision)
            ->excludes(contributions)
            ->excludes(features)
            ->excludes(reconstruct);
    CLI::Option* deviation =
        subcommand
            ->add_flag("--deviation", options->deviation,
                       "Print the posterior standard deviation of the value too, of a kernel_ridge model")
            ->excludes(probability)
            ->excludes(decision)
            ->excludes(contributions)
            ->excludes(features)
            ->excludes(reconstruct)
            ->excludes(novelty);
    subcommand
        ->add_option(
            "--confidence", options->confidence,
            "Print the answers too that hold the truth with this probability: for each class 1 where "
            "it is among them, or the ends of an interval (train with -p confidence=0.9)")
        ->check(CLI::Range(1e-6, 1 - 1e-6))
        ->excludes(probability)
        ->excludes(decision)
        ->excludes(contributions)
        ->excludes(features)
        ->excludes(reconstruct)
        ->excludes(novelty)
        ->excludes(deviation);
    subcommand->callback([options] { run_predict(*options); });
}

}  // namespace command

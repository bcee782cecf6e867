// SPDX-License-Identifier: Apache-2.0
// dk predict and dk explain show what a model says of data.
#include <algorithm>
#include <cmath>
#include <optional>

#include "commands.hpp"
#include "model_view.hpp"
#include "predictions.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct PredictOptions {
    std::string model;
    std::string data;
    std::string output;
    std::string data_options;
    int64_t row = 0;
    int threads = 0;
    bool probability = false;
    bool decision = false;
    bool contributions = false;
    bool features = false;
    bool reconstruct = false;
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
    Json& labels = document["predictions"] = Json::array();
    for (const double label : predictions.labels) labels.push_back(classes.of_prediction(label));
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
    const bool classification = model.class_count() > 0;
    if (classification && labels_of(data).empty()) return nullptr;
    try {
        Json scores = score(control, model, data, Scores::kAccuracy, predicted);
        return !classification && scores.at("mae").is_null() ? Json() : scores;  // The rows have no targets.
    } catch (const LibraryError& error) {
        if (error.status() == libdk::Status::cancelled) throw;
        if (classification) std::fprintf(stderr, "dk: not scored: %s\n", error.what());
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
    const Columns columns = options.probability     ? Columns::probabilities
                            : options.decision      ? Columns::decisions
                            : options.contributions ? Columns::contributions
                            : options.features      ? Columns::features
                            : options.reconstruct   ? Columns::reconstructions
                                                    : Columns::none;
    const Predictions predictions = predict(control, columns, model, data, classes);
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
        const char* metric = classes.empty() ? "mae" : "accuracy";
        std::fprintf(stderr, "%s %s on %zu labelled rows\n", metric,
                     rounded(scores.at(metric).get<double>()).c_str(), predictions.labels.size());
    }
}

std::vector<double> said_of(Control& control, const Model& model, const Data& row) {
    return control.run([&](const libdk::Control& c) { return model.explain(row, c); }).contributions.values;
}

std::vector<double> decisions_of(Control& control, const Model& model, const Data& row) {
    return control.run([&](const libdk::Control& c) { return model.decision(row, c); }).values;
}

// Lists the contributions of prototypes that belong to no function, the largest first.
Json contributions(Control& control, const Model& model, const Data& row, const ClassNames& classes) {
    const auto said = said_of(control, model, row);
    const auto sides = model.prototype_classes();
    std::vector<size_t> order;
    for (size_t p = 0; p < said.size(); ++p) {
        if (said[p] != 0) order.push_back(p);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return std::abs(said[a]) > std::abs(said[b]); });
    Json list = Json::array();
    for (const size_t p : order) {
        Json one = {{"prototype", p}};
        if (!classes.empty()) one["class"] = classes.at(sides[p]);
        one["contribution"] = said[p];
        list.push_back(std::move(one));
    }
    return list;
}

// Shows for each decision function what its prototypes p+ and p- contribute to the decision on the row, and
// that the contributions and the offset add up to it.
Json explain(Control& control, const Model& model, const Data& row, const ClassNames& classes) {
    const auto said = said_of(control, model, row);
    const auto decisions = decisions_of(control, model, row);
    const auto sides = model.prototype_classes();
    const auto offsets = model.prototype_offsets();
    Json list = Json::array();
    for (size_t f = 0; f < decisions.size(); ++f) {
        const double positive = said.at(2 * f);
        const double negative = said.at(2 * f + 1);
        const double sum = positive + negative + offsets[f];
        const double size = 1 + std::abs(positive) + std::abs(negative) + std::abs(offsets[f]);
        const bool equal = std::abs(sum - decisions[f]) <= 1e-9 * size;
        const std::string positive_class = classes.empty() ? "p+" : classes.at(sides.at(2 * f));
        const std::string negative_class = classes.empty() ? "p-" : classes.at(sides.at(2 * f + 1));
        Json terms = Json::array({{{"term", "p+"}, {"class", positive_class}, {"contribution", positive}},
                                  {{"term", "p-"}, {"class", negative_class}, {"contribution", negative}},
                                  {{"term", "offset"}, {"class", ""}, {"contribution", offsets[f]}}});
        list.push_back({{"function", positive_class + " vs " + negative_class},
                        {"decision", decisions[f]},
                        {"sum", sum},
                        {"sum_equals_decision", equal},
                        {"for", decisions[f] > 0 ? positive_class : negative_class},
                        {"contributions", std::move(terms)}});
    }
    return list;
}

void run_explain(const PredictOptions& options) {
    Control control(options.threads);
    const Model model = Model::load(options.model);
    const Data row =
        select_row(read_data_for(control, model, options.data, options.data_options), options.row);
    const ClassNames classes(model);
    const double label = control.run([&](const libdk::Control& c) { return model.predict(row, c); }).front();
    Json document = {{"row", options.row}, {"prediction", classes.of_prediction(label)}};
    if (has_prototype_pairs(model)) {
        document["functions"] = explain(control, model, row, classes);
    } else {
        document["prototypes"] = contributions(control, model, row, classes);
        document["offsets"] = model.prototype_offsets();
        document["decisions"] = decisions_of(control, model, row);
    }
    report(document, options.json);
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
    subcommand
        ->add_flag("--reconstruct", options->reconstruct,
                   "Print the row as the components of a kernel_pca model keep it too")
        ->excludes(probability)
        ->excludes(decision)
        ->excludes(contributions)
        ->excludes(features);
    subcommand->callback([options] { run_predict(*options); });
}

void add_explain(CLI::App& app) {
    const auto options = std::make_shared<PredictOptions>();
    CLI::App* subcommand =
        app.add_subcommand("explain", "Show what each prototype contributes to one prediction");
    add_options(subcommand, *options);
    subcommand->add_option("-r,--row", options->row, "Explain this row of DATA, counted from 0")
        ->type_name("I")
        ->required();
    subcommand->callback([options] { run_explain(*options); });
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
// dk explain tells why a row got its prediction.
#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "model_view.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct ExplainOptions {
    std::string model;
    std::string data;
    std::string training;
    std::string data_options;
    int64_t row = 0;
    int64_t top = 5;
    int threads = 0;
    bool json = false;
};

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f %%", share);
    return text;
}

std::string name_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : rounded(value.get<double>());
}

// Writes the first lines: the prediction, against what, and how sure the model is of it.
void add_prediction(const Json& explanation, Json& document) {
    document["prediction"] = name_of(explanation.at("prediction"));
    if (explanation.contains("instead_of")) document["instead_of"] = explanation.at("instead_of");
    document["answer"] = explanation.at("answer");
    for (const char* name : {"distance", "probability"}) {
        if (explanation.contains(name)) document[name] = explanation.at(name);
    }
}

// Lists the strongest of what pulls, and then everything else together, so that shares sum to 100 %.
Json pulls_for_people(const Json& group, const std::string& source, size_t most) {
    Json list = Json::array();
    double share = 0;
    double contribution = 0;
    size_t others = group.contains("others") ? group.at("others").at("count").get<size_t>() : 0;
    if (others > 0) {
        share = group.at("others").at("share");
        contribution = group.at("others").at("contribution");
    }
    for (const Json& pull : group.at("pulls")) {
        if (list.size() < most) {
            Json one = {{source, pull.at(source)}};
            for (const char* name : {"class", "target", "text"}) {
                if (pull.contains(name)) one[name] = pull.at(name);
            }
            one["contribution"] = pull.at("contribution");
            one["share"] = percent(pull.at("share"));
            list.push_back(std::move(one));
        } else {
            ++others;
            share += pull.at("share").get<double>();
            contribution += pull.at("contribution").get<double>();
        }
    }
    if (others > 0)
        list.push_back({{source, std::to_string(others) + " others"},
                        {"contribution", contribution},
                        {"share", percent(share)}});
    const Json& offset = group.at("offset");
    list.push_back({{source, "offset"},
                    {"contribution", offset.at("contribution")},
                    {"share", percent(offset.at("share").get<double>())}});
    return list;
}

void add_counterfactual(const Json& explanation, size_t most, Json& document) {
    if (!explanation.contains("counterfactual")) return;
    const Json& found = explanation.at("counterfactual");
    Json list = Json::array();
    for (const Json& change : found.at("changes")) {
        if (list.size() == most) break;
        list.push_back(
            {{"feature", change.at("feature")}, {"from", change.at("from")}, {"to", change.at("to")}});
    }
    const size_t left = found.at("changes").size() - list.size();
    if (left > 0) list.push_back({{"feature", "and " + std::to_string(left) + " more"}});
    document["it_would_be_" + name_of(found.at("prediction")) + "_with"] = std::move(list);
}

void add_influences(const Json& explanation, size_t most, Json& document) {
    if (!explanation.contains("influences")) return;
    Json list = Json::array();
    for (const Json& one : explanation.at("influences").at("rows")) {
        if (list.size() < most) list.push_back(one);
    }
    document["the_answer_is_larger_than_without_training_row"] = std::move(list);
}

Json for_people(const Json& explanation, size_t most) {
    Json document = {{"row", explanation.at("row")}};
    add_prediction(explanation, document);
    document["prototypes_that_pull"] = pulls_for_people(explanation.at("prototypes"), "prototype", most);
    if (explanation.contains("training_rows"))
        document["training_rows_that_pull"] = pulls_for_people(explanation.at("training_rows"), "row", most);
    if (explanation.contains("kernels"))
        document["kernels_that_pull"] = pulls_for_people(explanation.at("kernels"), "kernel", most);
    if (explanation.contains("nearest_other"))
        document["nearest_training_row_of_another_class"] = explanation.at("nearest_other");
    add_counterfactual(explanation, most, document);
    add_influences(explanation, most, document);
    return document;
}

void run_explain(const ExplainOptions& options) {
    Control control(options.threads);
    const Model model = Model::load(options.model);
    const Data data = read_data_for(control, model, options.data, options.data_options);
    const std::string text = control.run([&](const libdk::Control& c) {
        if (options.training.empty()) return model.explain_row(data, options.row, c);
        return model.explain_row(data, options.row,
                                 read_data_for(control, model, options.training, options.data_options), c);
    });
    const Json explanation = Json::parse(text);
    report(options.json ? explanation : for_people(explanation, static_cast<size_t>(options.top)),
           options.json);
}

}  // namespace

void add_explain(CLI::App& app) {
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* subcommand = app.add_subcommand(
        "explain", "Tell why a row got its prediction, which rows pull it, and what would turn it");
    subcommand->add_option("MODEL", options->model, "Read the model from this file")->required();
    subcommand
        ->add_option("DATA", options->data,
                     "Read the data from this file, with the features that the model was trained on")
        ->required();
    subcommand->add_option("-r,--row", options->row, "Explain this row of DATA, counted from 0")
        ->type_name("I")
        ->required();
    subcommand
        ->add_option(
            "--training", options->training,
            "Read the rows of which the model was trained, to tell their classes and the nearest one")
        ->type_name("DATA");
    subcommand->add_option("--top", options->top, "List this many of each kind, and the others together")
        ->type_name("N")
        ->check(CLI::Range(1, INT32_MAX))
        ->capture_default_str();
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    subcommand->footer("Example: dk explain sonar.dk new.csv --row 3 --training sonar.csv");
    subcommand->callback([options] { run_explain(*options); });
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
// dk train, dk cv, dk tune and dk mkl-compare make and compare models from data.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "commands.hpp"
#include "learning.hpp"
#include "model_view.hpp"
#include "output/candidates.hpp"
#include "output/proposals.hpp"
#include "output/summary.hpp"
#include "parameters.hpp"
#include "predictions.hpp"
#include "rank_groups.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct TrainOptions {
    std::string data;
    std::vector<std::string> further_data;
    std::string output;
    std::string machine = "auto";
    std::vector<std::string> parameters;
    std::string kernel;
    std::string weights;
    std::string scale;
    std::string grid;
    std::string tune;
    std::string data_options;
    std::string test;
    std::string predictions;
    int threads = 0;
    bool json = false;
    bool verbose = false;
};

CLI::Option* add_options(CLI::App* subcommand, TrainOptions& options) {
    subcommand
        ->add_option("DATA", options.data,
                     "Train on the data in this file, in CSV or LIBSVM format, gzip compressed or not; - is "
                     "standard input")
        ->required();
    CLI::Option* output = add_output(subcommand, options.output, "Write the model to this file");
    subcommand
        ->add_option("-m,--machine", options.machine,
                     "Train this machine, see 'dk describe machines'; auto chooses it, the kernel, the "
                     "scale and C")
        ->type_name("NAME")
        ->capture_default_str();
    add_parameters(subcommand, options.parameters, "Set a parameter such as C=10, see 'dk describe svm'");
    subcommand
        ->add_option("-k,--kernel", options.kernel,
                     "Use this kernel or bank of kernels, see 'dk describe kernels'")
        ->type_name("SPEC");
    subcommand
        ->add_option("-w,--weights", options.weights,
                     "Weigh the bank by this strategy, see 'dk describe weights'")
        ->type_name("SPEC");
    subcommand
        ->add_option("-s,--scale", options.scale, "Scale the features in this way, see 'dk describe scale'")
        ->type_name("NAME");
    subcommand->add_option("-t,--test", options.test, "Test the model on these labelled data")
        ->type_name("DATA");
    subcommand
        ->add_option("--predictions", options.predictions,
                     "Write the predictions and decision values of the test data to this file, as CSV")
        ->type_name("FILE")
        ->needs("--test");
    add_data_options(subcommand, options.data_options);
    add_threads(subcommand, options.threads);
    add_json(subcommand, options.json);
    add_verbose(subcommand, options.verbose);
    return output;
}

Settings settings_of(const TrainOptions& options) {
    Settings settings(options.machine);
    settings.set(options.parameters);
    if (!options.kernel.empty()) settings.set("kernel", options.kernel);
    if (!options.weights.empty()) settings.set("weights", options.weights);
    if (!options.scale.empty()) settings.set("scale", options.scale);
    if (!options.grid.empty()) settings.set("grid", options.grid);
    if (!options.tune.empty()) settings.set("tune", options.tune);
    return settings;
}

// Gives the options with which the training file is read: one that lacks values is no mistake where the model
// fills them.
std::string reading_options(const TrainOptions& options, const Settings& settings) {
    const bool says = options.data_options.find("missing=") != std::string::npos;
    if (says || settings.value("impute") == "none") return options.data_options;
    return "missing=keep " + options.data_options;
}

// How far a candidate is behind the best one, which is not told of the best itself. One that no fold measured
// is behind all others; ranks are of finite numbers.
double behind_best(const Json& candidate) {
    if (!candidate.contains("behind_best")) return 0;
    const Json difference = candidate.at("behind_best").value("difference", Json());
    return difference.is_number() ? difference.get<double>() : std::numeric_limits<double>::max();
}

// Compares the candidates over all data sets by the ranks of their means. The same settings make the same
// candidates for each set, but a kernel of a bank may have another width.
Json ranks_over_sets(const std::vector<Json>& validations) {
    const std::string metric = validations.front().at("select");
    const size_t learners = validations.front().at("candidates").size();
    std::vector<double> scores;  // sets x learners
    for (const Json& validation : validations) {
        if (validation.at("candidates").size() != learners)
            throw std::runtime_error("the data sets have different numbers of candidates");
        for (const Json& candidate : validation.at("candidates")) scores.push_back(-behind_best(candidate));
    }
    const auto sets = static_cast<int64_t>(validations.size());
    const std::vector<double> ranks = libdk::mean_ranks(scores, static_cast<int64_t>(learners));
    const double difference = libdk::critical_difference(static_cast<int64_t>(learners), sets);
    const double best = *std::min_element(ranks.begin(), ranks.end());
    Json table = Json::array();
    for (size_t c = 0; c < ranks.size(); ++c) {
        Json row = validations.front().at("candidates").at(c).at("parameters");
        row["mean_rank"] = ranks[c];
        row["told_from_best"] = ranks[c] - best >= difference;
        table.push_back(std::move(row));
    }
    return {{"sets", sets},
            {"metric", metric},
            {"critical_difference", difference},
            {"candidates", std::move(table)},
            {"not_told_apart", groups_not_told_apart(ranks, difference)}};
}

// What each data set has of the work: reading it is a small part, and so is testing.
constexpr double kRead = 0.05;
double trained(const TrainOptions& options) {
    return options.test.empty() ? 1 : 0.9;
}

// Learns from one of the data sets, which all have the same part of the work.
Model learned_from(Control& control, const TrainOptions& options, const Settings& settings, size_t set,
                   Learn learn) {
    const bool first = set == 0;
    const std::string& path = first ? options.data : options.further_data.at(set - 1);
    const size_t sets = 1 + options.further_data.size();
    const double share = trained(options) / static_cast<double>(sets);
    const double begin = share * static_cast<double>(set);
    const std::string name =
        sets == 1 ? "" : "set " + std::to_string(set + 1) + " of " + std::to_string(sets) + " (" + path + ")";
    const auto read = [&] {
        const WorkPart part(control.progress(), begin, begin + kRead * share, name);
        return read_data(control, path, reading_options(options, settings));
    };
    const Data data = read();
    if (first && !options.test.empty()) require_readable(options.test);
    for (const std::string& further : options.further_data) require_readable(further);
    const WorkPart part(control.progress(), begin + kRead * share, begin + share, name);
    return learned(control, data, settings, learn);
}

// Learns from the further data sets too, and ranks the candidates over all.
Json ranked(Control& control, const TrainOptions& options, const Settings& settings, const Json& first,
            Learn learn) {
    std::vector<Json> validations{first.at("cross_validation")};
    for (size_t set = 1; set <= options.further_data.size(); ++set) {
        const Model model = learned_from(control, options, settings, set, learn);
        validations.push_back(model_info(model).at("cross_validation"));
    }
    return ranks_over_sets(validations);
}

// Tests the model, and gives the scores or nothing.
Json tested(Control& control, const TrainOptions& options, const Model& model) {
    if (options.test.empty()) return nullptr;
    const WorkPart part(control.progress(), trained(options), 1, "testing");
    const Data test = read_data_for(control, model, options.test, options.data_options);
    if (!options.predictions.empty()) {
        const ClassNames classes(model);
        write_csv(options.predictions, predict(control, Columns::decisions, model, test, classes), classes);
    }
    if (model.task() == libdk::Task::clustering) return nullptr;  // whose numbers are no classes
    return score(control, model, test, Scores::kAll);
}

// Prints the scores first, then what the model is, what it was compared with, and what to do next.
void print_for_people(const TrainOptions& options, const Json& document) {
    const Json& info = document.at("info");
    Output output;
    Summary summary;
    if (document.contains("test")) summary.add_scores(document.at("test"), options.test);
    summary.add_validation(info);
    summary.add_model(info);
    summary.add_training(info);
    summary.add("saved", options.output);
    summary.print(output);
    const Shown shown = options.verbose ? Shown::all : Shown::few;
    const Json validation = info.value("cross_validation", Json::object());
    if (validation.contains("candidates")) print_candidates(output, info, shown);
    if (document.contains("ranks")) print_ranks(output, document.at("ranks"), shown);
    propose_after_training(output, info, {options.data, options.output, options.test});
    output.commit();
}

// Prints the document as --verbose shows it, whose candidates stand in the table behind it.
void print_everything(Json document) {
    document["info"] = info_for_people(document.at("info"));
    if (document["info"].contains("cross_validation"))
        document["info"]["cross_validation"].erase("candidates");
    document.erase("ranks");
    document.erase("warnings");
    report(document, false);
    Output output;
    output.text("\n");
    output.commit();
}

// Saves the model before it tests it, so that a fault in the test data does not cost the training.
void run(const TrainOptions& options, Learn learn) {
    Control control(options.threads);
    const Settings settings = settings_of(options);
    require_writable(options.output);
    const Model model = learned_from(control, options, settings, 0, learn);
    const Json info = model_info(model);
    if (!options.output.empty()) save_model(model, options.output);
    Json document;
    if (!options.output.empty()) document["model"] = options.output;
    document["info"] = info;
    document["warnings"] = model_warnings(model);
    if (!options.further_data.empty()) document["ranks"] = ranked(control, options, settings, info, learn);
    Json scores = tested(control, options, model);
    if (!scores.is_null()) document["test"] = std::move(scores);
    if (options.json) return report(document, true);
    warn_of(document["warnings"]);
    if (options.verbose) print_everything(document);
    print_for_people(options, document);
}

}  // namespace

void add_train(CLI::App& app) {
    const auto options = std::make_shared<TrainOptions>();
    CLI::App* subcommand = app.add_subcommand("train", "Train a model and save it");
    add_options(subcommand, *options)->required();
    subcommand->footer(
        "Example: dk train sonar.csv -o sonar.dk\n"
        "         dk train sonar.csv -o sonar.dk -p C=10 --scale standard \\\n"
        "           --kernel \"[rbf(gamma=auto), arccos(1,0)]\" --weights dimkl1");
    subcommand->callback([options] { run(*options, Model::train); });
}

void add_grid(CLI::App* subcommand, std::string& grid) {
    subcommand
        ->add_option("-g,--grid", grid,
                     "Compare these values, such as C=0.1:1:10;kernel=[rbf(gamma=auto), arccos_lists(2)]; "
                     "the model is "
                     "trained with the best")
        ->type_name("KEY=A:B;...");
}

void add_cross_validate(CLI::App& app) {
    const auto options = std::make_shared<TrainOptions>();
    options->machine = "svm";
    CLI::App* subcommand =
        app.add_subcommand("cv", "Cross-validate a machine (-p folds=5, -p repeats=1, -p seed=0)");
    add_options(subcommand, *options);
    add_grid(subcommand, options->grid);
    subcommand->footer(
        "Example: dk cv sonar.csv -m fisher -p folds=10 --kernel \"poly(degree=2)\"\n"
        "Where several rows are of one patient or speaker, no fold divides them:\n"
        "         dk cv voices.csv --data-options groups=speaker");
    subcommand->callback([options] { run(*options, Model::cross_validate); });
}

void add_tune(CLI::App& app) {
    const auto options = std::make_shared<TrainOptions>();
    options->machine = "svm";
    options->tune = "auto";
    CLI::App* subcommand = app.add_subcommand(
        "tune", "Search the best C, kernel width and other numbers of a machine by cross-validation");
    add_options(subcommand, *options);
    subcommand
        ->add_option("-T,--tune", options->tune,
                     "Search the values of these, between limits that are given or suit them: C; "
                     "gamma=0.01..10; auto stands for C and the kernel's width")
        ->type_name("KEY;KEY=A..B;...")
        ->capture_default_str();
    subcommand->footer(
        "-p trials=40 says how many combinations are tried, -p search=random that they are spread evenly.\n"
        "Example: dk tune sonar.csv -s standard -o sonar.dk\n"
        "         dk tune sonar.csv -m svm -k poly -T \"C; degree=1..5; gamma=0.001..1\" -p trials=80 -o "
        "sonar.dk\n"
        "'dk report' then draws what was tried, and whether more rows would help.");
    subcommand->callback([options] {
        if (options->machine == "auto")
            throw std::runtime_error(
                "auto chooses the kernel, its width and C itself; name a machine, such as svm");
        if (options->tune.empty())
            throw std::runtime_error("--tune names nothing; auto stands for C and the width");
        const auto says_curve = [](const std::string& one) { return one.starts_with("learning_curve="); };
        if (std::ranges::none_of(options->parameters, says_curve))
            options->parameters.emplace_back("learning_curve=yes");
        run(*options, Model::cross_validate);
    });
}

void add_mkl_compare(CLI::App& app) {
    const auto options = std::make_shared<TrainOptions>();
    options->machine = "svm";
    CLI::App* subcommand = app.add_subcommand(
        "mkl-compare", "Cross-validate every way to weigh a bank of kernels, and every kernel alone");
    add_options(subcommand, *options);
    add_grid(subcommand, options->grid);
    subcommand
        ->add_option(
            "--and", options->further_data,
            "Compare on these data sets too, and print the mean ranks over all of them with the critical "
            "difference of Nemenyi's test")
        ->type_name("DATA ...");
    subcommand->footer(
        "Example: dk mkl-compare sonar.csv --kernel \"grid(rbf, gamma=0.01:0.1:1)\" -p C=10 -p repeats=10 "
        "\\\n"
        "           --grid \"weights=[all, mklgl(p=1), each]\"\n"
        "         dk mkl-compare sonar.csv --and ionosphere.csv vehicle.csv -k \"[rbf, linear]\" -g "
        "weights=all");
    subcommand->callback([options] { run(*options, Model::compare_weights); });
}

}  // namespace command

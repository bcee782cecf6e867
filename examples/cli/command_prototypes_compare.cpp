// SPDX-License-Identifier: Apache-2.0
// dk prototypes-compare compares the machines that learn prototypes: with as many prototypes each, on the
// same bank of kernels and the same folds.
#include <algorithm>
#include <set>

#include "commands.hpp"
#include "prototype_comparison.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct ComparisonOptions {
    std::string data;
    std::string data_options;
    std::vector<std::string> machines;
    LearningOptions learning;
    int64_t folds = 5;
    int64_t halves = 50;
    int threads = 0;
    bool json = false;
};

// How the accuracy of a learner is sorted; one that failed comes last.
double sorted_accuracy(const Json& learner) {
    const Json mean = learner.value("accuracy", Json::object()).value("mean", Json());
    return mean.is_number() ? mean.get<double>() : -1;
}

// Makes a flat table of what is compared, the most accurate first, where "-" stands for a measure that does
// not exist.
Json table_for_people(const Json& learners) {
    std::vector<Json> order(learners.begin(), learners.end());
    std::ranges::stable_sort(order, std::greater(), sorted_accuracy);
    Json table = Json::array();
    for (const Json& learner : order) {
        Json row = learner;
        row.erase("limited_by");
        if (row.contains("accuracy")) {
            row["deviation"] = row["accuracy"]["deviation"];
            row["accuracy"] = Json(row["accuracy"]["mean"]);
        }
        Json ordered = {{"learner", row["learner"]}};
        for (const char* key : {"accuracy", "deviation", "prototypes", "kernels", "evaluations", "purity",
                                "compactness", "product", "row_stability", "kernel_stability", "error"}) {
            if (row.contains(key)) ordered[key] = row[key].is_null() ? Json("-") : row[key];
        }
        table.push_back(std::move(ordered));
    }
    return table;
}

std::vector<PrototypeLearner> chosen_learners(const std::vector<std::string>& machines) {
    const std::vector<PrototypeLearner>& all = prototype_learners();
    if (machines.empty()) return all;
    std::vector<PrototypeLearner> chosen;
    for (const PrototypeLearner& learner : all) {
        if (std::find(machines.begin(), machines.end(), learner.machine) != machines.end())
            chosen.push_back(learner);
    }
    return chosen;
}

// Refuses what is wrong for every learner, and a parameter that none has, before hours of training.
void require_settings(const std::vector<PrototypeLearner>& learners, const LearningOptions& options,
                      size_t classes) {
    for (const std::string& pair : options.parameters) {
        const std::string key = pair.substr(0, pair.find('='));
        const bool known = std::any_of(
            learners.begin(), learners.end(),
            [&](const PrototypeLearner& learner) { return has_parameter(Settings(learner.machine), key); });
        if (!known) Settings(learners[0].machine).set({pair});
    }
    for (const PrototypeLearner& learner : learners) learner_settings(learner, options, classes);
}

void run(const ComparisonOptions& options) {
    Control control(options.threads);
    const std::vector<PrototypeLearner> learners = chosen_learners(options.machines);
    Data data = read_data(control, options.data, options.data_options);
    std::vector<int64_t> labels = data.labels();
    const size_t classes = std::set<int64_t>(labels.begin(), labels.end()).size();
    require_settings(learners, options.learning, classes);
    folds_of(data, options.folds, options.learning.seed);
    const PrototypeExperiment experiment{control,         options.learning,  options.folds, options.halves,
                                         std::move(data), std::move(labels), classes};
    Json rows = Json::array();
    const WorkPart all(control.progress(), 0, 1);
    for (const PrototypeLearner& learner : learners) {
        const auto at = static_cast<double>(&learner - learners.data());
        const auto count = static_cast<double>(learners.size());
        const WorkPart part(control.progress(), at / count, (at + 1) / count, learner.name());
        rows.push_back(compare_learner(experiment, learner));
    }
    report({{"rows", experiment.labels.size()},
            {"classes", classes},
            {"prototypes_of_class", options.learning.prototypes},
            {"folds", options.folds},
            {"halves", options.halves},
            {"seed", options.learning.seed},
            {"learners", options.json ? rows : table_for_people(rows)}},
           options.json);
    const auto failed = [](const Json& row) { return row.contains("error"); };
    if (std::all_of(rows.begin(), rows.end(), failed)) throw std::runtime_error("every learner failed");
}

std::string check_machine(const std::string& name) {
    std::string known;
    for (const PrototypeLearner& learner : prototype_learners()) {
        if (learner.machine == name) return "";
        if (!known.ends_with(learner.machine)) known += (known.empty() ? "" : ", ") + learner.machine;
    }
    return "'" + name + "' is not one of " + known;
}

std::string check_halves(const std::string& text) {
    return text == "1" ? "one half has nothing to be compared with; give 0, or 2 and more" : "";
}

void add_learning_options(CLI::App* subcommand, LearningOptions& options) {
    subcommand
        ->add_option("-k,--kernel", options.kernel,
                     "Use this kernel or bank of kernels, see 'dk describe kernels'")
        ->type_name("SPEC");
    subcommand
        ->add_option("-s,--scale", options.scale, "Scale the features in this way, see 'dk describe scale'")
        ->type_name("NAME");
    subcommand
        ->add_option("-n,--prototypes", options.prototypes, "Give every class at most so many prototypes")
        ->type_name("N")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    subcommand->add_option("--seed", options.seed, "Draw folds, halves and what learners draw from this seed")
        ->type_name("N")
        ->check(CLI::Range(int64_t{0}, int64_t{9000000000000000 - 1000}))
        ->capture_default_str();
    add_parameters(subcommand, options.parameters,
                   "Set a parameter of all machines that have it, such as C=10");
}

}  // namespace

void add_prototypes_compare(CLI::App& app) {
    const auto options = std::make_shared<ComparisonOptions>();
    CLI::App* subcommand = app.add_subcommand(
        "prototypes-compare", "Compare the machines that learn prototypes, with as many prototypes each");
    subcommand->add_option("DATA", options->data, "Learn from the labelled data in this file")->required();
    subcommand->add_option("-m,--machines", options->machines, "Compare only these machines")
        ->type_name("NAME[,NAME]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(check_machine, "");
    add_learning_options(subcommand, options->learning);
    subcommand->add_option("--folds", options->folds, "Cross-validate in so many parts")
        ->type_name("N")
        ->check(CLI::Range(2, 1000000))
        ->capture_default_str();
    subcommand
        ->add_option("--halves", options->halves,
                     "Learn from so many random halves of the rows, to see how much prototypes and kernels "
                     "change; 0 leaves that out")
        ->type_name("N")
        ->check(CLI::Range(0, 1000))
        ->check(check_halves, "")
        ->capture_default_str();
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    subcommand->footer(
        "Example: dk prototypes-compare sonar.csv -s standard -k \"grid(rbf, gamma=0.001:0.01:0.1)\" -n 5\n"
        "Columns: kernels with a weight; kernel values that a prediction needs (evaluations); purity and\n"
        "compactness of prototypes, and the mean of their product; stability over the halves of the rows\n"
        "nearest to prototypes (Jaccard index among rows that two halves share) and of the kernels with a\n"
        "weight (Nogueira's index). '-' stands for a measure that does not exist.");
    subcommand->callback([options] { run(*options); });
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
// dk data shows what a file of data is before a model is trained on it.
#include "commands.hpp"
#include "output/summary.hpp"
#include "output/table.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct DataOptions {
    std::string data;
    std::string data_options;
    int threads = 0;
    bool json = false;
};

std::string cell_of(const Json& fact) {
    if (fact.is_null()) return "";
    if (fact.is_string()) return fact.get<std::string>();
    return fact.is_number_integer() ? std::to_string(fact.get<int64_t>()) : rounded(fact.get<double>());
}

// Gives names with their rows: "setosa (50), versicolor (50) and 3 more".
std::string with_rows(const Json& list) {
    constexpr size_t most = 6;
    std::string text;
    for (size_t i = 0; i < std::min(list.size(), most); ++i) {
        const Json& one = list.at(i);
        text +=
            (i > 0 ? ", " : "") + one.at("name").get<std::string>() + " (" + cell_of(one.at("rows")) + ")";
    }
    if (list.size() > most) text += " and " + std::to_string(list.size() - most) + " more";
    return text;
}

std::string range_of(const Json& target) {
    return cell_of(target.at("least")) + " to " + cell_of(target.at("largest")) + ", mean " +
           cell_of(target.at("mean"));
}

// Says what the labels or targets are. Labels that are numbers of many values are rather targets.
void add_answers(Summary& summary, const Json& answers) {
    constexpr size_t many = 20;
    const bool classes = answers.contains("classes");
    if (classes && (answers.at("classes").size() <= many || !answers.contains("targets"))) {
        const Json& list = answers.at("classes");
        summary.add("classes", std::to_string(list.size()) + ": " + with_rows(list));
    } else if (answers.contains("labels")) {
        const Json& list = answers.at("labels");
        summary.add("labels", "several a row, of " + std::to_string(list.size()) + ": " + with_rows(list));
    } else if (answers.contains("targets")) {
        const Json& targets = answers.at("targets");
        if (!targets.is_array()) return summary.add("targets", range_of(targets));
        for (size_t t = 0; t < targets.size(); ++t)
            summary.add("target " + std::to_string(t), range_of(targets[t]));
    } else {
        summary.add("labels", "none; --label names their column");
    }
}

void print_columns(Output& output, const Json& columns) {
    const std::vector<const char*> facts{"kind", "missing", "distinct", "least", "mean", "largest"};
    std::vector<std::string> names{"column"};
    names.insert(names.end(), facts.begin(), facts.end());
    names.emplace_back("levels");
    Table table(names);
    for (size_t c = 2; c + 1 < names.size(); ++c) table.align_right(c);
    for (const Json& column : columns) {
        std::vector<std::string> cells{column.at("name").get<std::string>()};
        for (const char* fact : facts) cells.push_back(cell_of(column.value(fact, Json())));
        cells.push_back(column.contains("levels") ? with_rows(column.at("levels")) : "");
        table.add(cells);
    }
    output.text("\n");
    table.print(output);
}

void run(const DataOptions& options) {
    Control control(options.threads);
    // Values that are missing are looked at like others, unless the user says what becomes of them.
    const bool says = options.data_options.find("missing=") != std::string::npos;
    const Data data = read_data(control, options.data, (says ? "" : "missing=keep ") + options.data_options);
    const Json description =
        Json::parse(control.run([&](const libdk::Control& c) { return data.describe(c); }));
    if (options.json) return report(description, true);
    Output output;
    Summary summary;
    summary.add("data", counted(description.at("rows").get<int64_t>(), "row", "rows") + " of " +
                            counted(description.at("cols").get<int64_t>(), "column", "columns") + ", " +
                            description.at("kind").get<std::string>());
    add_answers(summary, description.at("answers"));
    for (const Json& sentence : description.at("understood"))
        summary.add("understood", sentence.get<std::string>());
    for (const Json& sentence : description.at("warnings"))
        summary.add("look at", sentence.get<std::string>());
    summary.print(output);
    if (!description.at("columns").empty()) print_columns(output, description.at("columns"));
    output.commit();
}

}  // namespace

void add_data(CLI::App& app) {
    const auto options = std::make_shared<DataOptions>();
    CLI::App* subcommand = app.add_subcommand(
        "data", "Show what a file holds: its columns, labels, what was understood and what looks wrong");
    subcommand
        ->add_option("DATA", options->data,
                     "Look at the data in this file, in CSV or LIBSVM format, gzip compressed or not; - is "
                     "standard input")
        ->required();
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    subcommand->footer("Example: dk data patients.csv --label outcome --id patient");
    subcommand->callback([options] { run(*options); });
}

}  // namespace command

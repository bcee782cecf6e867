// SPDX-License-Identifier: Apache-2.0
// dk describe prints the library's own description of all machines, kernels, weights, layers, parameters and
// metrics.
#include "commands.hpp"
#include "handles.hpp"
#include "output.hpp"

namespace command {
namespace {

struct DescribeOptions {
    std::string name;
    bool json = false;
    bool markdown = false;
};

// Keeps what has the name: a whole section, or the items of this name in every section.
Json filtered(const Json& description, const std::string& name) {
    Json result = Json::object();
    for (const auto& section : description.items()) {
        if (!section.value().is_array()) continue;
        for (const Json& item : section.value()) {
            if (section.key() == name || item.at("name") == name) result[section.key()].push_back(item);
        }
    }
    if (result.empty()) {
        throw std::runtime_error("nothing is called '" + name + "'; 'dk describe' lists all names");
    }
    return result;
}

// Makes a table of parameters with the columns that people read, the documentation last.
Json parameters_for_people(const Json& parameters) {
    Json table = Json::array();
    for (const Json& parameter : parameters) {
        table.push_back({{"name", parameter.at("name")},
                         {"default", parameter.value("default", Json())},
                         {"allowed", parameter.value("allowed", Json())},
                         {"meaning", parameter.value("doc", Json())}});
    }
    return table;
}

// Keeps only names and documentation where all is shown, and everything about what the user named.
Json for_people(Json description, bool all) {
    for (auto& section : description.items()) {
        if (section.key() == "common") section.value() = parameters_for_people(section.value());
        if (section.key() == "common" || !section.value().is_array()) continue;
        for (Json& item : section.value()) {
            if (all) item = {{"name", item.at("name")}, {"meaning", item.value("doc", "")}};
            if (item.contains("parameters")) item["parameters"] = parameters_for_people(item["parameters"]);
        }
    }
    if (all) description["more"] = "dk describe NAME, such as svm, rbf, kernels, common";
    return description;
}

// Writes parameters with their defaults: "gamma=auto, nu=1.5".
std::string defaults(const Json& item) {
    std::string text = item.contains("arguments") ? item.at("arguments").get<std::string>() : "";
    for (const Json& parameter : item.value("parameters", Json::array())) {
        if (!text.empty()) text += ", ";
        text += parameter.at("name").get<std::string>() + "=" + parameter.at("default").get<std::string>();
    }
    return text;
}

std::string joined(const Json& list) {
    std::string text;
    for (const Json& one : list) text += (text.empty() ? "" : ", ") + one.get<std::string>();
    return text;
}

// Writes a cell of a Markdown table, in which a bar has to be escaped.
std::string cell(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

// Writes one row of a Markdown table.
std::string row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& one : cells) line += " " + cell(one) + " |";
    return line + "\n";
}

std::string dashes(std::size_t columns) {
    std::string line = "|";
    for (std::size_t column = 0; column < columns; ++column) line += "---|";
    return line + "\n";
}

// Says what a kernel is, or what an operator makes of the kernel k that it is given.
std::vector<std::string> facts(const Json& item) {
    return {item.at("positive_semidefinite"), item.at("constant_diagonal"), item.at("differentiable"),
            defaults(item)};
}

// Writes the kernels and the operators on kernels as Markdown tables, which docs/KERNELS.md contains.
void print_markdown(const Json& description) {
    Output out;
    out.text(row({"kernel", "meaning", "data", "positive semidefinite", "constant k(x, x)", "differentiable",
                  "parameters"}));
    out.text(dashes(7));
    for (const Json& kernel : description.at("kernels")) {
        std::vector<std::string> cells{"`" + kernel.at("name").get<std::string>() + "`", kernel.at("doc"),
                                       joined(kernel.at("data"))};
        for (std::string& fact : facts(kernel)) cells.push_back(std::move(fact));
        out.text(row(cells));
    }
    out.text("\n" + row({"operator", "meaning", "positive semidefinite", "constant k(x, x)", "differentiable",
                         "parameters"}));
    out.text(dashes(6));
    for (const Json& one : description.at("kernel_operators")) {
        std::vector<std::string> cells{"`" + one.at("name").get<std::string>() + "`", one.at("doc")};
        for (std::string& fact : facts(one)) cells.push_back(std::move(fact));
        out.text(row(cells));
    }
    out.commit();
}

void run(const DescribeOptions& options) {
    const bool all = options.name.empty();
    Json description = Json::parse(libdk::describe());
    if (options.markdown) return print_markdown(description);
    if (!all) description = filtered(description, options.name);
    // What the user names he wants to read in full.
    report(options.json ? description : for_people(std::move(description), all), options.json,
           all ? LongCells::cut : LongCells::last_wrapped);
}

}  // namespace

void add_describe(CLI::App& app) {
    const auto options = std::make_shared<DescribeOptions>();
    CLI::App* subcommand =
        app.add_subcommand("describe", "List the machines, kernels, weights, layers, parameters and metrics");
    subcommand->add_option("NAME", options->name, "Describe only this, such as svm, rbf, kernels, common");
    add_json(subcommand, options->json);
    subcommand->add_flag("--markdown", options->markdown,
                         "Print the tables of kernels and operators as Markdown");
    subcommand->callback([options] { run(*options); });
}

}  // namespace command

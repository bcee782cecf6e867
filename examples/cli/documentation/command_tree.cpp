// SPDX-License-Identifier: Apache-2.0
#include "documentation/command_tree.hpp"

#include <algorithm>
#include <set>

#include "handles.hpp"
#include "output.hpp"

namespace command {
namespace {

const std::map<std::string, Value>& values_of_names() {
    static const std::map<std::string, Value> values{
        {"--machine", Value::machine},    {"--machines", Value::machine}, {"--kernel", Value::kernel},
        {"--weights", Value::weights},    {"--scale", Value::scale},      {"--parameter", Value::parameter},
        {"--folder", Value::file},        {"NAME", Value::described},     {"SHELL", Value::shell},
        {"SUBCOMMAND", Value::subcommand}};
    return values;
}

Value value_of(const CLI::Option& option, const std::vector<std::string>& names) {
    if (option.get_items_expected_max() == 0) return Value::none;
    for (const std::string& name : names) {
        const auto found = values_of_names().find(name);
        if (found != values_of_names().end()) return found->second;
    }
    const std::string type = option.get_type_name();
    const bool file = type.find("FILE") != std::string::npos || type.find("DATA") != std::string::npos ||
                      type.find("MODEL") != std::string::npos;
    return file || option.get_positional() ? Value::file : Value::text;
}

OptionText text_of_option(const CLI::Option& option) {
    OptionText text;
    if (option.get_positional()) {
        text.names.push_back(option.get_name(true));
    } else {
        for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    }
    text.description = option.get_description();
    text.value = value_of(option, text.names);
    if (text.value != Value::none) text.value_name = option.get_type_name();
    text.default_value = option.get_default_str();
    text.required = option.get_required();
    text.repeats = option.get_items_expected_max() > 1;
    return text;
}

std::vector<OptionText> texts_of(const CLI::App& app, bool positional) {
    std::vector<OptionText> texts;
    for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
        if (option->get_positional() == positional && !option->get_group().empty())
            texts.push_back(text_of_option(*option));
    }
    return texts;
}

std::vector<std::string> names_in(const Json& list) {
    std::vector<std::string> names;
    for (const Json& item : list) names.push_back(item.at("name"));
    return names;
}

std::vector<Vocabulary::Parameter> parameters_in(const Json& list) {
    std::vector<Vocabulary::Parameter> parameters;
    for (const Json& item : list)
        parameters.push_back({item.at("name"), item.value("choices", std::vector<std::string>())});
    return parameters;
}

}  // namespace

CommandTree tree_of(const CLI::App& app) {
    CommandTree tree{app.get_description(), texts_of(app, false), {}};
    for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
        tree.subcommands.push_back({subcommand->get_name(), subcommand->get_description(),
                                    subcommand->get_footer(), texts_of(*subcommand, false),
                                    texts_of(*subcommand, true)});
    }
    return tree;
}

Vocabulary vocabulary() {
    const Json description = Json::parse(libdk::describe());
    Vocabulary names;
    names.machines = names_in(description.at("machines"));
    names.kernels = names_in(description.at("kernels"));
    for (const std::string& name : names_in(description.at("kernel_operators")))
        names.kernels.push_back(name);
    names.weights = names_in(description.at("weights"));
    names.common = parameters_in(description.at("common"));
    for (const Vocabulary::Parameter& one : names.common) {
        if (one.name == "scale") names.scales = one.choices;
    }
    for (const Json& machine : description.at("machines"))
        names.machine_parameters[machine.at("name")] = parameters_in(machine.at("parameters"));
    std::set<std::string> described;
    for (const auto& section : description.items()) {
        if (!section.value().is_array()) continue;
        described.insert(section.key());
        for (const std::string& name : names_in(section.value())) described.insert(name);
    }
    names.described.assign(described.begin(), described.end());
    return names;
}

std::map<std::string, std::vector<std::string>> Vocabulary::choices() const {
    std::map<std::string, std::vector<std::string>> choices;
    const auto add = [&](const std::vector<Parameter>& parameters) {
        for (const Parameter& one : parameters) {
            for (const std::string& choice : one.choices) {
                std::vector<std::string>& known = choices[one.name];
                if (std::ranges::find(known, choice) == known.end()) known.push_back(choice);
            }
        }
    };
    add(common);
    for (const auto& [machine, parameters] : machine_parameters) add(parameters);
    choices["kernel"] = kernels;
    choices["weights"] = weights;
    return choices;
}

std::vector<std::string> words_of(Value value, const Vocabulary& names, const CommandTree& tree) {
    switch (value) {
        case Value::machine:
            return names.machines;
        case Value::kernel:
            return names.kernels;
        case Value::weights:
            return names.weights;
        case Value::scale:
            return names.scales;
        case Value::described:
            return names.described;
        case Value::shell:
            return {"bash", "zsh", "fish"};
        case Value::subcommand: {
            std::vector<std::string> words;
            for (const SubcommandText& subcommand : tree.subcommands) words.push_back(subcommand.name);
            return words;
        }
        default:
            return {};
    }
}

}  // namespace command

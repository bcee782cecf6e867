// SPDX-License-Identifier: Apache-2.0
#include "documentation/completion.hpp"

namespace command {
namespace {

// Writes a text between single quotes for fish, which has escapes in them.
std::string in_fish_quotes(const std::string& text) {
    std::string quoted_text = "'";
    for (const char byte : text) {
        if (byte == '\'' || byte == '\\') quoted_text += '\\';
        quoted_text += byte;
    }
    return quoted_text + "'";
}

// Writes the names of an option as 'complete' takes them: "-s o -l output".
std::string names_for_fish(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    return text;
}

std::string value_for_fish(Value value, const Vocabulary& names, const CommandTree& tree) {
    if (value == Value::none) return "";
    if (value == Value::file) return " -r -F";
    if (value == Value::parameter) return " -x -a '(__dk_parameters)'";
    const std::string words = with_spaces(words_of(value, names, tree));
    return words.empty() ? " -x" : " -x -a " + in_fish_quotes(words);
}

std::string function_for_fish(const Vocabulary& names) {
    std::string text =
        "function __dk_parameters\n"
        "    set -l machine svm\n"
        "    set -l words (commandline -opc)\n"
        "    for i in (seq (count $words))\n"
        "        contains -- $words[$i] -m --machine; and set machine $words[(math $i + 1)]\n"
        "    end\n"
        "    switch $machine\n";
    for (const auto& [machine, parameters] : names.machine_parameters) {
        if (!parameters.empty())
            text += "        case " + machine + "\n            printf '%s\\n' " + keys_of(parameters) + "\n";
    }
    text += "    end\n    printf '%s\\n' " + keys_of(names.common) + "\n";
    for (const auto& [key, choices] : names.choices()) {
        std::string values;
        for (const std::string& choice : choices) values += " " + key + "=" + choice;
        text += "    printf '%s\\n'" + values + "\n";
    }
    return text + "end\n\n";
}

}  // namespace

std::string fish_completion(const CommandTree& tree, const Vocabulary& names) {
    std::string text = "# Completes dk in fish; made by 'dk completion fish'.\n\n" +
                       function_for_fish(names) + "complete -c dk -f\n";
    for (const OptionText& option : tree.options)
        text += "complete -c dk -n __fish_use_subcommand" + names_for_fish(option.names) + " -d " +
                in_fish_quotes(option.description) + "\n";
    for (const SubcommandText& one : tree.subcommands) {
        text += "complete -c dk -n __fish_use_subcommand -a " + one.name + " -d " +
                in_fish_quotes(one.description) + "\n";
        const std::string begin = "complete -c dk -n '__fish_seen_subcommand_from " + one.name + "'";
        for (const OptionText& option : one.options)
            text += begin + names_for_fish(option.names) + value_for_fish(option.value, names, tree) +
                    " -d " + in_fish_quotes(option.description) + "\n";
        for (const OptionText& argument : one.arguments) {
            const std::string words = with_spaces(words_of(argument.value, names, tree));
            text += begin + (words.empty() ? " -F" : " -a " + in_fish_quotes(words)) + "\n";
        }
    }
    return text;
}

}  // namespace command

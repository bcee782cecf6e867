// SPDX-License-Identifier: Apache-2.0
#include "documentation/completion.hpp"

namespace command {
namespace {

// Escapes what _arguments takes for its own.
std::string escaped(const std::string& text, const std::string& special) {
    std::string result;
    for (const char byte : text) {
        if (special.find(byte) != std::string::npos) result += '\\';
        result += byte;
    }
    return result;
}

// Writes the action that completes a value.
std::string action_of(Value value, const Vocabulary& names, const CommandTree& tree) {
    if (value == Value::file) return "_files";
    if (value == Value::parameter) return "_dk_parameters";
    const std::string words = with_spaces(words_of(value, names, tree));
    return words.empty() ? " " : "(" + words + ")";
}

// Writes an option as _arguments has it, one specification for each of its names.
std::string specification(const OptionText& option, const Vocabulary& names, const CommandTree& tree) {
    std::string value;
    if (option.value != Value::none)
        value = ":" + escaped(option.value_name, ":") + ":" + action_of(option.value, names, tree);
    const std::string others =
        option.repeats || option.value == Value::parameter ? "*" : "(" + with_spaces(option.names) + ")";
    std::string text;
    for (const std::string& name : option.names) {
        text += " \\\n                " +
                in_single_quotes(others + name + "[" + escaped(option.description, "[]:\\") + "]" + value);
    }
    return text;
}

std::string argument_specification(const OptionText& argument, size_t number, const Vocabulary& names,
                                   const CommandTree& tree) {
    const std::string optional = argument.required ? ":" : "::";
    return " \\\n                " +
           in_single_quotes(std::to_string(number) + optional + argument.names.front() + ":" +
                            action_of(argument.value, names, tree));
}

std::string parameters_function(const Vocabulary& names) {
    std::string text =
        "_dk_parameters() {\n"
        "    local -a keys\n"
        "    local machine=${opt_args[-m]:-${opt_args[--machine]:-svm}}\n"
        "    if [[ $PREFIX == *=* ]]; then\n"
        "        local key=${PREFIX%%=*}\n"
        "        compset -P '*='\n"
        "        case $key in\n";
    for (const auto& [key, choices] : names.choices())
        text += "            " + key + ") compadd -- " + with_spaces(choices) + " ;;\n";
    text += "        esac\n        return\n    fi\n    case $machine in\n";
    for (const auto& [machine, parameters] : names.machine_parameters) {
        if (!parameters.empty()) text += "        " + machine + ") keys=(" + keys_of(parameters) + ") ;;\n";
    }
    return text + "    esac\n    compadd -S '' -- $keys " + keys_of(names.common) + "\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CommandTree& tree, const Vocabulary& names) {
    std::string text = "#compdef dk\n# Completes dk in zsh; made by 'dk completion zsh'.\n\n" +
                       parameters_function(names) +
                       "_dk() {\n"
                       "    local context state state_descr line\n"
                       "    typeset -A opt_args\n"
                       "    _arguments -C";
    for (const OptionText& option : tree.options) text += specification(option, names, tree);
    text +=
        " \\\n                '1:command:->command' '*::argument:->argument'\n"
        "    case $state in\n"
        "    command)\n"
        "        local -a commands\n"
        "        commands=(\n";
    for (const SubcommandText& one : tree.subcommands)
        text += "            " + in_single_quotes(one.name + ":" + escaped(one.description, ":")) + "\n";
    text +=
        "        )\n        _describe command commands\n        ;;\n    argument)\n        case $words[1] "
        "in\n";
    for (const SubcommandText& one : tree.subcommands) {
        text += "        " + one.name + ")\n            _arguments";
        for (const OptionText& option : one.options) text += specification(option, names, tree);
        for (size_t a = 0; a < one.arguments.size(); ++a)
            text += argument_specification(one.arguments[a], a + 1, names, tree);
        text += "\n            ;;\n";
    }
    // The file is either sourced or found in $fpath, where its first call has to complete too.
    return text +
           "        esac\n        ;;\n    esac\n}\n\nif [[ $funcstack[1] == _dk ]]; then _dk \"$@\"; else "
           "compdef _dk dk; fi\n";
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
#include "documentation/completion.hpp"

namespace command {
namespace {

// Writes the patterns of a case: "-m | --machine".
std::string case_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " | ") + name;
    return text;
}

// Says what completes the value of an option. Nothing means the names of files, to which bash falls back.
std::string completes(Value value, const Vocabulary& names, const CommandTree& tree) {
    if (value == Value::parameter) return "_dk_keys \"$machine\"";
    const std::string words = with_spaces(words_of(value, names, tree));
    return words.empty() ? ":" : "_dk_words '" + words + "'";
}

std::string of_subcommand(const SubcommandText& subcommand, const Vocabulary& names,
                          const CommandTree& tree) {
    std::string text = "        " + subcommand.name + ")\n            case $previous in\n";
    std::vector<std::string> options;
    for (const OptionText& option : subcommand.options) {
        options.insert(options.end(), option.names.begin(), option.names.end());
        if (option.value == Value::none) continue;
        text += "                " + case_of(option.names) + ") " + completes(option.value, names, tree) +
                "; return ;;\n";
    }
    text += "            esac\n            if [[ $current == -* ]]; then _dk_words '" + with_spaces(options) +
            "'; return; fi\n";
    if (!subcommand.arguments.empty()) {
        const Value value = subcommand.arguments.front().value;
        if (value != Value::file && value != Value::text)
            text += "            " + completes(value, names, tree) + "\n";
    }
    return text + "            ;;\n";
}

// Writes the function that knows the keys of each machine's parameters.
std::string keys_function(const Vocabulary& names) {
    std::string text = "_dk_keys() {\n    local keys='" + keys_of(names.common) + "'\n    case $1 in\n";
    for (const auto& [machine, parameters] : names.machine_parameters) {
        if (!parameters.empty()) text += "        " + machine + ") keys+=' " + keys_of(parameters) + "' ;;\n";
    }
    return text + "    esac\n    compopt -o nospace 2>/dev/null\n    _dk_words \"$keys\"\n}\n\n";
}

std::string choices_function(const Vocabulary& names) {
    std::string text = "_dk_choices() {\n    case $1 in\n";
    for (const auto& [key, choices] : names.choices())
        text += "        " + key + ") _dk_words '" + with_spaces(choices) + "' ;;\n";
    return text + "    esac\n}\n\n";
}

}  // namespace

std::string keys_of(const std::vector<Vocabulary::Parameter>& parameters) {
    std::vector<std::string> keys;
    for (const Vocabulary::Parameter& one : parameters) keys.push_back(one.name + "=");
    return with_spaces(keys);
}

std::string in_single_quotes(const std::string& text) {
    std::string quoted_text = "'";
    for (const char byte : text) quoted_text += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
    return quoted_text + "'";
}

std::string bash_completion(const CommandTree& tree, const Vocabulary& names) {
    std::vector<std::string> first = words_of(Value::subcommand, names, tree);
    for (const OptionText& option : tree.options)
        first.insert(first.end(), option.names.begin(), option.names.end());
    std::string text =
        "# Completes dk in bash; made by 'dk completion bash'.\n\n"
        "_dk_words() {\n"
        "    local IFS=$' \\n'\n"
        "    COMPREPLY=($(compgen -W \"$1\" -- \"$current\"))\n"
        "}\n\n" +
        keys_function(names) + choices_function(names) +
        "_dk() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} machine=svm key= "
        "i\n"
        "    COMPREPLY=()\n"
        "    if ((COMP_CWORD == 1)); then _dk_words '" +
        with_spaces(first) +
        "'; return; fi\n"
        "    # An equals sign is a word of its own.\n"
        "    if [[ $current == = ]]; then key=$previous current=\n"
        "    elif [[ $previous == = ]]; then key=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
        "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "        case ${COMP_WORDS[i]} in -m | --machine) machine=${COMP_WORDS[i + 1]} ;; esac\n"
        "    done\n"
        "    if [[ $key == -* ]]; then previous=$key\n"
        "    elif [[ -n $key ]]; then _dk_choices \"$key\"; return; fi\n"
        "    case ${COMP_WORDS[1]} in\n";
    for (const SubcommandText& subcommand : tree.subcommands) text += of_subcommand(subcommand, names, tree);
    return text + "    esac\n}\n\ncomplete -o bashdefault -o default -F _dk dk\n";
}

}  // namespace command

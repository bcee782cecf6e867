// SPDX-License-Identifier: Apache-2.0
// This file reads from the parser what its subcommands and options are, so that completion and manual pages
// are of the same source as the command itself.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace command {

// What the value of an option or an argument is, as far as a shell can complete it.
enum class Value {
    none,
    text,
    file,
    machine,
    kernel,
    weights,
    scale,
    parameter,
    described,
    shell,
    subcommand
};

struct OptionText {
    std::vector<std::string> names;  // "-o", "--output"; of an argument "DATA".
    std::string description, value_name, default_value;
    Value value = Value::none;
    bool required = false, repeats = false;
};

struct SubcommandText {
    std::string name, description, footer;
    std::vector<OptionText> options, arguments;
};

struct CommandTree {
    std::string description;
    std::vector<OptionText> options;
    std::vector<SubcommandText> subcommands;
};

CommandTree tree_of(const CLI::App& app);

// The names that the library describes.
struct Vocabulary {
    struct Parameter {
        std::string name;
        std::vector<std::string> choices;
    };
    std::vector<std::string> machines, kernels, weights, scales;
    std::vector<std::string> described;  // All that 'dk describe' takes.
    std::vector<Parameter> common;       // Parameters of every machine.
    std::map<std::string, std::vector<Parameter>> machine_parameters;
    // The choices of each parameter that has some, of whichever machine.
    std::map<std::string, std::vector<std::string>> choices() const;
};

Vocabulary vocabulary();

// Gives the words that a value is one of; empty where it is a file, a text or a parameter.
std::vector<std::string> words_of(Value value, const Vocabulary& names, const CommandTree& tree);

inline std::string with_spaces(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

}  // namespace command

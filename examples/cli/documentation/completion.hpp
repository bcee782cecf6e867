// SPDX-License-Identifier: Apache-2.0
// This file writes what shells complete the command by.
#pragma once

#include <string>

#include "documentation/command_tree.hpp"

namespace command {

std::string bash_completion(const CommandTree& tree, const Vocabulary& names);
std::string zsh_completion(const CommandTree& tree, const Vocabulary& names);
std::string fish_completion(const CommandTree& tree, const Vocabulary& names);

// Gives the names of parameters of a machine, with an equals sign behind each: "C= loss= ...".
std::string keys_of(const std::vector<Vocabulary::Parameter>& parameters);

// Writes a text between single quotes for bash and zsh.
std::string in_single_quotes(const std::string& text);

}  // namespace command

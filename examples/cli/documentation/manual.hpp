// SPDX-License-Identifier: Apache-2.0
// This file writes the manual pages of the command and of its subcommands.
#pragma once

#include <string>

#include "documentation/command_tree.hpp"

namespace command {

// Writes dk.1, which tells what there is.
std::string manual_of_command(const CommandTree& tree);

// Writes the page of a subcommand, such as dk-train.1.
std::string manual_of_subcommand(const SubcommandText& subcommand, const CommandTree& tree);

// Gives paragraphs that a manual page of a subcommand has beside what its options say; "" for none.
std::string manual_text(const std::string& subcommand);

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
// This file tells people what to do next: after a result, and after a mistake.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "output.hpp"

namespace command {

// The files of a training, as the user named them. Those that were not given are empty.
struct TrainingFiles {
    std::string data, model, test;
};

void propose_after_training(Output& output, const Json& info, const TrainingFiles& files);

// Writes "Next: ..." with one command a line.
void propose(Output& output, const std::vector<std::string>& commands);

// Writes a name as a shell takes it.
std::string quoted(const std::string& name);

// Says what to try after the library or the command refused something; "" where nothing is known to help.
std::string remedy_for(const CLI::App& app, const std::string& message);

// Gives the name of the subcommand that is closest to what was typed, or "" if none is close.
std::string closest_subcommand(const CLI::App& app, const std::string& typed);

}  // namespace command

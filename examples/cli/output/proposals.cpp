// SPDX-License-Identifier: Apache-2.0
#include "output/proposals.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>

#include "output/terminal.hpp"
#include "system.hpp"

namespace command {
namespace {

// What helps after a message of the library, of which a part tells what is wrong.
struct Remedy {
    std::string_view message, help;
};
constexpr const char* kColumnsOfTraining =
    "The rows need the columns that the model was trained on; 'dk info' of the model tells how many.";
constexpr std::array<Remedy, 6> kRemedies{{
    {"there is no machine '", "'dk describe machines' lists all."},
    {"there is no kernel '", "'dk describe kernels' lists all."},
    {"there is no weight strategy '", "'dk describe weights' lists all."},
    {"there is no layer '", "'dk describe layers' lists all."},
    {"has no column for the feature", kColumnsOfTraining},
    {"has no columns for the features", kColumnsOfTraining},
}};

bool begins_as_model(const std::string& path) {
    std::array<char, 7> first{};
    std::ifstream file(path_of(path), std::ios::binary);
    return !path.empty() && path != "-" && file.read(first.data(), first.size()) &&
           std::string_view(first.data(), first.size()) == "DKMODEL";
}

// Gives what the user wrote for an argument such as MODEL of the chosen subcommand.
std::string argument(const CLI::App& subcommand, const std::string& name) {
    const CLI::Option* option = subcommand.get_option_no_throw(name);
    return option == nullptr || option->empty() ? "" : option->results().front();
}

// A model where data belong and the other way round.
std::string remedy_for_files(const CLI::App& subcommand, const std::string& message) {
    const std::string model = argument(subcommand, "MODEL");
    const std::string data = argument(subcommand, "DATA");
    const std::string name = "dk " + subcommand.get_name();
    if (message.find("this is no libdk model") != std::string::npos) {
        if (begins_as_model(data))
            return "The model comes first: " + name + " " + quoted(data) + " " + quoted(model);
        return "'" + model + "' may be data; 'dk train " + quoted(model) +
               " -o model.dk' makes a model of it.";
    }
    if (begins_as_model(data) && model.empty())
        return "'" + data + "' is a model; 'dk info " + quoted(data) + "' shows it.";
    return "";
}

// Counts the letters to add, drop or change that make one word of another.
size_t edits(const std::string& from, const std::string& to) {
    std::vector<size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= from.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= to.size(); ++j) {
            const size_t changed = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
        }
    }
    return row.back();
}

}  // namespace

std::string quoted(const std::string& name) {
    const auto plain = [](char byte) {
        return (byte & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
               std::string_view("/._-+,:@%\\=~").find(byte) != std::string_view::npos;
    };
    if (!name.empty() && std::ranges::all_of(name, plain)) return name;
    std::string text = "'";
    for (const char byte : name) text += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
    return text + "'";
}

void propose(Output& output, const std::vector<std::string>& commands) {
    std::string before = toned(Tone::heading, "Next:") + " ";
    output.text("\n");
    for (const std::string& one : commands) {
        output.text(before + one + "\n");
        before = std::string(6, ' ');
    }
}

void propose_after_training(Output& output, const Json& info, const TrainingFiles& files) {
    std::vector<std::string> commands;
    const bool validated = info.contains("cross_validation");
    const std::string data = files.data == "-" ? "DATA" : quoted(files.data);
    if (files.model.empty()) {
        commands.push_back(
            validated ? "the same with '-o model.dk' keeps the model that was trained on all rows" : "");
    } else {
        const std::string model = quoted(files.model);
        const std::string rows = files.test.empty() || files.test == "-" ? data : quoted(files.test);
        const std::string task = info.value("task", "");
        // Rows are explained, and pages made, for one number.
        const bool of_one = info.value("targets", 1) == 1 && task != "multilabel";
        commands.push_back("dk predict " + model + " NEW.csv" +
                           (of_one ? "   dk explain " + model + " " + rows + " --row 0" : ""));
        if (of_one) commands.push_back("dk report " + model + " " + rows + " -o report.html");
        if (files.test.empty() && !validated && task != "novelty" && task != "clustering")
            commands.push_back("'dk cv " + data + "' with these options tells how good it is on new rows");
    }
    propose(output, commands);
}

std::string closest_subcommand(const CLI::App& app, const std::string& typed) {
    std::string closest;
    size_t least = 3;  // More letters make another word.
    for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
        const size_t distance = edits(typed, subcommand->get_name());
        if (distance < least) {
            least = distance;
            closest = subcommand->get_name();
        }
    }
    return closest;
}

std::string remedy_for(const CLI::App& app, const std::string& message) {
    const auto chosen = app.get_subcommands();
    if (chosen.empty()) return "";
    const std::string of_files = remedy_for_files(*chosen.front(), message);
    if (!of_files.empty()) return of_files;
    for (const Remedy& remedy : kRemedies) {
        if (message.find(remedy.message) != std::string::npos) return std::string(remedy.help);
    }
    const size_t machine = message.find("machine ");
    if (machine != std::string::npos && message.find(" has no parameter '") != std::string::npos) {
        const size_t begin = machine + std::string_view("machine ").size();
        const std::string name = message.substr(begin, message.find(' ', begin) - begin);
        return "'dk describe " + name + "' lists its parameters, 'dk describe common' those of all machines.";
    }
    return "";
}

}  // namespace command

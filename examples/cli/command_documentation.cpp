// SPDX-License-Identifier: Apache-2.0
// dk completion and dk man print what shells and man read, made from the parser's own options.
#include <filesystem>

#include "commands.hpp"
#include "documentation/completion.hpp"
#include "documentation/manual.hpp"
#include "output.hpp"
#include "system.hpp"

namespace command {
namespace {

struct DocumentationOptions {
    std::string name, output, folder;
};

void write_text(const std::string& path, const std::string& text) {
    Output output(path);
    output.text(text);
    output.commit();
}

std::string script_for(const std::string& shell, const CLI::App& app) {
    const CommandTree tree = tree_of(app);
    const Vocabulary names = vocabulary();
    if (shell == "bash") return bash_completion(tree, names);
    return shell == "zsh" ? zsh_completion(tree, names) : fish_completion(tree, names);
}

void write_pages(const CommandTree& tree, const std::string& folder) {
    std::filesystem::create_directories(path_of(folder));
    write_text(folder + "/dk.1", manual_of_command(tree));
    for (const SubcommandText& one : tree.subcommands)
        write_text(folder + "/dk-" + one.name + ".1", manual_of_subcommand(one, tree));
}

void run_man(const DocumentationOptions& options, const CLI::App& app) {
    const CommandTree tree = tree_of(app);
    if (!options.folder.empty()) return write_pages(tree, options.folder);
    if (options.name.empty()) return write_text("", manual_of_command(tree));
    for (const SubcommandText& one : tree.subcommands) {
        if (one.name == options.name) return write_text("", manual_of_subcommand(one, tree));
    }
    throw std::runtime_error("there is no subcommand '" + options.name + "'");
}

}  // namespace

void add_completion(CLI::App& app) {
    const auto options = std::make_shared<DocumentationOptions>();
    CLI::App* subcommand = app.add_subcommand("completion", "Print a script that lets a shell complete dk");
    subcommand->add_option("SHELL", options->name, "Print the script of this shell: bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    add_output(subcommand, options->output, "Write the script to this file instead of standard output");
    subcommand->footer("Example: source <(dk completion bash)");
    subcommand->callback([options, &app] { write_text(options->output, script_for(options->name, app)); });
}

void add_man(CLI::App& app) {
    const auto options = std::make_shared<DocumentationOptions>();
    CLI::App* subcommand = app.add_subcommand("man", "Print a manual page");
    CLI::Option* name = subcommand->add_option("SUBCOMMAND", options->name,
                                               "Print the page of this subcommand, or of dk if it is absent");
    subcommand->add_option("--folder", options->folder, "Write all pages to this folder")
        ->type_name("FOLDER")
        ->excludes(name);
    subcommand->footer("Example: dk man train | man -l -");
    subcommand->callback([options, &app] { run_man(*options, app); });
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
#include "documentation/manual.hpp"

#include <dk/dk.hpp>
#include <sstream>

namespace command {
namespace {

// Writes a text as roff takes it: a hyphen is one that can be copied, and no line begins a request.
std::string roff(const std::string& text) {
    std::string result;
    bool line_begins = true;
    for (const char byte : text) {
        if (line_begins && (byte == '.' || byte == '\'')) result += "\\&";
        if (byte == '\\') {
            result += "\\e";
        } else if (byte == '-') {
            result += "\\-";
        } else {
            result += byte;
        }
        line_begins = byte == '\n';
    }
    return result;
}

std::string section(const std::string& name) {
    return ".SH " + name + "\n";
}

std::string page_head(const std::string& page, const std::string& description) {
    std::string upper;
    for (const char byte : page)
        upper += static_cast<char>(byte >= 'a' && byte <= 'z' ? byte - 'a' + 'A' : byte);
    std::string summary = description;
    if (!summary.empty() && summary[0] >= 'A' && summary[0] <= 'Z' && !summary.starts_with("DK"))
        summary[0] = static_cast<char>(summary[0] - 'A' + 'a');
    return ".TH " + roff(upper) + " 1 \"\" \"libdk " + libdk::version() + "\" \"User Commands\"\n" +
           section("NAME") + roff(page) + " \\- " + roff(summary) + "\n";
}

std::string bold(const std::string& text) {
    return "\\fB" + roff(text) + "\\fR";
}
std::string italic(const std::string& text) {
    return "\\fI" + roff(text) + "\\fR";
}

std::string options_section(const std::vector<OptionText>& options) {
    if (options.empty()) return "";
    std::string text = section("OPTIONS");
    for (const OptionText& option : options) {
        std::string names;
        for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
        if (!option.value_name.empty()) names += " " + italic(option.value_name);
        text += ".TP\n" + names + "\n" + roff(option.description);
        if (!option.default_value.empty()) text += roff(" (" + option.default_value + " unless given)");
        text += ".\n";
    }
    return text;
}

std::string synopsis(const SubcommandText& subcommand) {
    std::string text = section("SYNOPSIS") + bold("dk " + subcommand.name);
    for (const OptionText& argument : subcommand.arguments) {
        const std::string name = italic(argument.names.front());
        text += argument.required ? " " + name : " [" + name + "]";
    }
    for (const OptionText& option : subcommand.options) {
        if (!option.required) continue;
        text += " " + bold(option.names.front());
        if (!option.value_name.empty()) text += " " + italic(option.value_name);
    }
    return text + " [" + italic("options") + "]\n";
}

std::string arguments_text(const SubcommandText& subcommand) {
    std::string text;
    for (const OptionText& argument : subcommand.arguments)
        text += ".TP\n" + italic(argument.names.front()) + "\n" + roff(argument.description) + ".\n";
    return text.empty() ? "" : section("ARGUMENTS") + text;
}

// Writes what the help of a subcommand ends with: commands that can be copied.
std::string examples(const std::string& footer) {
    if (footer.empty()) return "";
    return section("EXAMPLES") + ".nf\n" + roff(footer) + "\n.fi\n";
}

constexpr char kStatus[] =
    "0 if all is done, 1 if something was refused or failed, 2 for wrong usage, and 130 after Ctrl\\-C.\n";
constexpr char kEnvironment[] =
    ".TP\n.B NO_COLOR\nNothing is coloured if it is set and not empty. Nothing is either where the output is "
    "no terminal.\n"
    ".TP\n.B COLUMNS\nTables on a terminal are so many columns wide, rather than as wide as the terminal.\n"
    ".TP\n.B DK_INSTRUCTIONS\nPrograms the processor with no more than these vector instructions, such as "
    "avx2.\n";

}  // namespace

std::string manual_of_command(const CommandTree& tree) {
    std::string text =
        page_head("dk",
                  "train and apply kernel machines with deep kernels, multiple kernels and prototypes") +
        section("SYNOPSIS") + bold("dk") + " " + italic("subcommand") + " [" + italic("options") + "]\n" +
        section("DESCRIPTION") + roff(manual_text("")) + section("SUBCOMMANDS");
    for (const SubcommandText& one : tree.subcommands)
        text += ".TP\n" + bold(one.name) + "\n" + roff(one.description) + "; see " + bold("dk-" + one.name) +
                "(1).\n";
    text += options_section(tree.options) + section("EXIT STATUS") + kStatus + section("ENVIRONMENT") +
            kEnvironment + section("EXAMPLES") + ".nf\n" +
            roff(
                "dk train sonar.csv -o sonar.dk -k 'rbf(gamma=auto)' -s standard\n"
                "dk predict sonar.dk new.csv\n"
                "dk prototypes sonar.dk\n"
                "zcat new.csv.gz | dk predict sonar.dk -\n") +
            ".fi\n" + section("SEE ALSO");
    std::string pages;
    for (const SubcommandText& one : tree.subcommands)
        pages += (pages.empty() ? "" : ",\n") + bold("dk-" + one.name) + "(1)";
    return text + pages + "\n.PP\ndk/dk.h has the same functions for programs.\n";
}

std::string manual_of_subcommand(const SubcommandText& subcommand, const CommandTree&) {
    const std::string more = manual_text(subcommand.name);
    return page_head("dk-" + subcommand.name, subcommand.description) + synopsis(subcommand) +
           section("DESCRIPTION") + roff(subcommand.description) + ".\n" +
           (more.empty() ? "" : ".PP\n" + roff(more)) + arguments_text(subcommand) +
           options_section(subcommand.options) + examples(subcommand.footer) + section("EXIT STATUS") +
           kStatus + section("SEE ALSO") + bold("dk") + "(1)\n";
}

}  // namespace command

// SPDX-License-Identifier: Apache-2.0
//
// Writes what dk_describe tells as a reference page in the documentation format of a language:
//   dk_reference java|csharp|r|go FILE
// so that every language lists the same machines, kernels, weights and parameters, those of the library it
// comes with.
#include <dk/dk.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;

Json description() {
    std::int64_t size = 0;
    if (dk_describe(nullptr, 0, &size) != DK_OK) throw std::runtime_error(dk_last_error());
    std::string text(static_cast<std::size_t>(size), '\0');
    if (dk_describe(text.data(), size, &size) != DK_OK) throw std::runtime_error(dk_last_error());
    return Json::parse(text.c_str());
}

std::string text_of(const Json& item, const char* key) {
    return item.value(key, std::string());
}

// The documentation of an entry without the period of its last sentence, because formats continue it.
std::string documentation(const Json& item) {
    std::string text = text_of(item, "doc");
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// "default 1; a number, greater than 0".
std::string constraint(const Json& parameter) {
    return "default " + text_of(parameter, "default") + "; " + text_of(parameter, "allowed");
}

// Text with each of the characters replaced.
std::string escaped(const std::string& text, const std::vector<std::pair<char, std::string>>& replacements) {
    std::string result;
    for (const char c : text) {
        const auto found = std::ranges::find(replacements, c, &std::pair<char, std::string>::first);
        result += found == replacements.end() ? std::string(1, c) : found->second;
    }
    return result;
}

/// How a language writes documentation: a page of sections, each a list of entries, each with its parameters.
class Format {
  public:
    Format() = default;
    virtual ~Format() = default;
    Format(const Format&) = delete;
    Format& operator=(const Format&) = delete;
    virtual std::string begin() const = 0;
    virtual std::string end() const = 0;
    virtual std::string section_begin(const std::string& title) const = 0;
    virtual std::string section_end() const = 0;
    virtual std::string entry_begin(const std::string& name, const std::string& meaning) const = 0;
    virtual std::string entry_end() const = 0;
    virtual std::string parameters_begin() const { return {}; }
    virtual std::string parameters_end() const { return {}; }
    virtual std::string parameter(const std::string& name, const std::string& allowed,
                                  const std::string& meaning) const = 0;
};

constexpr const char* introduction =
    "The machines, kernels, weight strategies, parameters and metrics of libdk, as its description lists "
    "them.";

class JavaFormat : public Format {
  public:
    std::string begin() const override {
        return "// SPDX-License-Identifier: Apache-2.0\n// Generated from the library's description.\n/**\n"
               " * Kernel machines that explain themselves: deep kernels, multiple kernels and prototypes. "
               "Begin with\n"
               " * {@link org.libdk.Dataset}, {@link org.libdk.Params} and {@link org.libdk.Model}.\n *\n * "
               "<p>" +
               std::string(introduction) + "\n";
    }
    std::string end() const override { return " */\npackage org.libdk;\n"; }
    std::string section_begin(const std::string& title) const override {
        return " *\n * <h2>" + title + "</h2>\n * <dl>\n";
    }
    std::string section_end() const override { return " * </dl>\n"; }
    std::string entry_begin(const std::string& name, const std::string& meaning) const override {
        return " * <dt><code>" + name + "</code></dt>\n * <dd>" + html(meaning) + "\n";
    }
    std::string entry_end() const override { return " * </dd>\n"; }
    std::string parameters_begin() const override { return " * <ul>\n"; }
    std::string parameters_end() const override { return " * </ul>\n"; }
    std::string parameter(const std::string& name, const std::string& allowed,
                          const std::string& meaning) const override {
        return " * <li><code>" + name + "</code> (" + html(allowed) + "): " + html(meaning) + "</li>\n";
    }

  private:
    static std::string html(const std::string& text) {
        return escaped(text, {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'@', "&#64;"}});
    }
};

class CSharpFormat : public Format {
  public:
    std::string begin() const override {
        return "// SPDX-License-Identifier: Apache-2.0\n// Generated from the library's "
               "description.\nnamespace LibDk\n"
               "{\n    /// <remarks>\n    /// <para>" +
               std::string(introduction) + "</para>\n";
    }
    std::string end() const override {
        return "    /// </remarks>\n    public sealed partial class Parameters\n    {\n    }\n}\n";
    }
    std::string section_begin(const std::string& title) const override {
        return "    /// <para>" + title + "</para>\n    /// <list type=\"bullet\">\n";
    }
    std::string section_end() const override { return "    /// </list>\n"; }
    std::string entry_begin(const std::string& name, const std::string& meaning) const override {
        return "    /// <item><term>" + name + "</term><description>" + xml(meaning) + "\n";
    }
    std::string entry_end() const override { return "    /// </description></item>\n"; }
    std::string parameters_begin() const override { return "    /// <list type=\"bullet\">\n"; }
    std::string parameters_end() const override { return "    /// </list>\n"; }
    std::string parameter(const std::string& name, const std::string& allowed,
                          const std::string& meaning) const override {
        return "    /// <item><term>" + name + "</term><description>(" + xml(allowed) + ") " + xml(meaning) +
               "</description></item>\n";
    }

  private:
    static std::string xml(const std::string& text) {
        return escaped(text, {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}});
    }
};

class RFormat : public Format {
  public:
    std::string begin() const override {
        return "% SPDX-License-Identifier: Apache-2.0\n% Generated from the library's description.\n"
               "\\name{libdk-reference}\n\\alias{libdk-reference}\n"
               "\\title{Machines, Kernels, Weights and Parameters}\n\\description{" +
               std::string(introduction) +
               "\nMachines, kernels and weights are named as text in \\code{\\link{dk}}; parameters are its "
               "named "
               "arguments.}\n";
    }
    std::string end() const override {
        return "\\seealso{\\code{\\link{dk}}, \\code{\\link{dk_describe}}}\n";
    }
    std::string section_begin(const std::string& title) const override {
        return "\\section{" + title + "}{\n\\describe{\n";
    }
    std::string section_end() const override { return "}}\n"; }
    std::string entry_begin(const std::string& name, const std::string& meaning) const override {
        return "\\item{\\code{" + rd(name) + "}}{" + rd(meaning) + "\n";
    }
    std::string entry_end() const override { return "}\n"; }
    std::string parameters_begin() const override { return "\\itemize{\n"; }
    std::string parameters_end() const override { return "}\n"; }
    std::string parameter(const std::string& name, const std::string& allowed,
                          const std::string& meaning) const override {
        return "\\item \\code{" + rd(name) + "} (" + rd(allowed) + "): " + rd(meaning) + "\n";
    }

  private:
    static std::string rd(const std::string& text) {
        return escaped(text, {{'%', "\\%"}, {'\\', "\\\\"}, {'{', "\\{"}, {'}', "\\}"}});
    }
};

class GoFormat : public Format {
  public:
    std::string begin() const override {
        return "// SPDX-License-Identifier: Apache-2.0\n// Code generated from the library's description. DO "
               "NOT EDIT.\n\n"
               "// Package reference is documentation alone, for those who write programs with package "
               "libdk.\n//\n"
               "// " +
               std::string(introduction) + "\n";
    }
    std::string end() const override { return "package reference\n"; }
    std::string section_begin(const std::string& title) const override {
        return "//\n// # " + title + "\n//\n";
    }
    std::string section_end() const override { return {}; }
    std::string entry_begin(const std::string& name, const std::string& meaning) const override {
        return "//   - " + name + ": " + meaning + "\n";
    }
    std::string entry_end() const override { return {}; }
    // lists of Go's comments have one level
    std::string parameter(const std::string& name, const std::string& allowed,
                          const std::string& meaning) const override {
        return "//     " + name + " (" + allowed + "): " + meaning + ".\n";
    }
};

// A text as a sentence, which ends with one full stop.
std::string sentence(std::string text) {
    if (!text.ends_with('.')) text += '.';
    return text;
}

std::string meaning_of(const Json& item) {
    std::string meaning = sentence(text_of(item, "doc"));
    if (item.contains("prototypes")) meaning += " " + sentence(text_of(item, "prototypes"));
    if (item.contains("arguments")) meaning += " Arguments: " + sentence(text_of(item, "arguments"));
    if (const auto reference = text_of(item, "reference"); !reference.empty())
        meaning += " (" + reference + ")";
    return meaning;
}

std::string page(const Format& format) {
    static const std::pair<const char*, const char*> sections[] = {
        {"machines", "Machines"},
        {"kernels", "Kernels"},
        {"kernel_operators", "Operators on kernels"},
        {"weights", "Weights of banks"},
        {"common", "Parameters of every machine"},
        {"metrics", "Metrics"}};
    const Json all = description();
    std::string text = format.begin();
    for (const auto& [key, title] : sections) {
        text += format.section_begin(title);
        for (const Json& item : all.at(key)) {
            const bool is_parameter = item.contains("allowed");
            text +=
                format.entry_begin(text_of(item, "name"),
                                   (is_parameter ? "(" + constraint(item) + ") " : "") + meaning_of(item));
            const Json parameters = item.value("parameters", Json::array());
            if (!parameters.empty()) text += format.parameters_begin();
            for (const Json& one : parameters)
                text += format.parameter(text_of(one, "name"), constraint(one), documentation(one));
            if (!parameters.empty()) text += format.parameters_end();
            text += format.entry_end();
        }
        text += format.section_end();
    }
    return text + format.end();
}

std::unique_ptr<Format> format_of(const std::string& language) {
    if (language == "java") return std::make_unique<JavaFormat>();
    if (language == "csharp") return std::make_unique<CSharpFormat>();
    if (language == "r") return std::make_unique<RFormat>();
    if (language == "go") return std::make_unique<GoFormat>();
    throw std::runtime_error("there is no language '" + language + "'; allowed are java, csharp, r, go");
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 3) throw std::runtime_error("usage: dk_reference java|csharp|r|go FILE");
    const std::string text = page(*format_of(arguments[1]));
    std::ofstream file(arguments[2], std::ios::binary);
    if (!(file << text << std::flush)) throw std::runtime_error("cannot write " + std::string(arguments[2]));
    return 0;
} catch (const std::exception& error) {
    std::cerr << "dk_reference: " << error.what() << "\n";
    return 1;
}

// SPDX-License-Identifier: Apache-2.0
#include "data/reading/reading_sentences.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/text.hpp"

namespace dk {

namespace {

std::string name_of_mark(const std::string& mark) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> names{{{",", "a comma"},
                                                                                  {".", "a point"},
                                                                                  {";", "a semicolon"},
                                                                                  {"|", "a bar"},
                                                                                  {"'", "an apostrophe"},
                                                                                  {"tab", "a tab"},
                                                                                  {"space", "a space"}}};
    const auto found = std::ranges::find(names, std::string_view(mark),
                                         &std::pair<std::string_view, std::string_view>::first);
    return std::string(found == names.end() ? mark : found->second);
}

std::string sentence_of_dates(const std::string& use) {
    if (use == "days") return "Dates became the days since 1970.";
    if (use == "yearday") return "Dates became the day of the year.";
    if (use == "weekday") return "Dates became the weekday, from 1 for Monday.";
    if (use == "text") return "Dates were read as texts.";
    return {};
}

/// Names the columns that are left out. The word none says that no others are.
std::string sentence_of_ignored(const std::string& list) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string name = list.substr(begin, end - begin);
        if (name != "none" && !name.empty()) names.push_back(parse_integer(name) ? "column " + name : name);
        begin = end + 1;
    }
    if (names.empty()) return {};
    return text("Left out: ", dk::join(names, ", "),
                "; ignore=none keeps columns that only say which row this is.");
}

std::string sentence_of(const std::string& key, const std::string& value) {
    if (value == "auto") return {};
    if (key == "label" && value == "none") return "No column is the label.";
    if (key == "label" && value.find(',') != std::string::npos)
        return text("The targets are in the columns ", dk::join(split(value, ','), ", "), ".");
    if (key == "label") return text("The label is in column ", value, ".");
    if (key == "text") return text("The texts are in column ", value, ".");
    if (key == "id" && value != "none") return text("The names of the rows are in column ", value, ".");
    if (key == "groups" && value != "none") return text("The groups are in column ", value, ".");
    if (key == "ignore") return sentence_of_ignored(value);
    if (key == "decimal" && value != ".")
        return text("Numbers have ", name_of_mark(value), " before the decimals.");
    if (key == "thousands" && value != "none")
        return text("Numbers have ", name_of_mark(value), " between groups of three digits.");
    if (key == "dates") return sentence_of_dates(value);
    if (key == "delimiter" && value != ",") return text("Fields are separated by ", name_of_mark(value), ".");
    if (key == "header" && value == "no") return "The first line is a row, and columns have no names.";
    if (key == "encoding" && value == "latin1") return "The file is in Latin-1.";
    if (key == "unlabelled" && value == "skip") return "Rows without a label were left out.";
    if (key == "missing" && value != "refuse" && value != "keep")
        return text("Missing values were read as missing=", value, " says.");
    return {};
}

}  // namespace

std::vector<std::string> reading_sentences(const Assignments& reading) {
    std::vector<std::string> sentences;
    for (const auto& [key, value] : reading) {
        std::string sentence = sentence_of(key, value);
        if (!sentence.empty()) sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace dk

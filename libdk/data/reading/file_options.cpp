// SPDX-License-Identifier: Apache-2.0
#include "data/reading/file_options.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parameters.hpp"
#include "data/reading/readers.hpp"

namespace dk {

// These are the options with which dk_data_from_file() reads a file.
namespace parameter {
constexpr ChoiceKey<> header{
    "header", {"auto", "yes", "no"}, "This says whether the first line has the names of the columns."};
constexpr TextKey delimiter{"delimiter", "auto",
                            "This separates the fields of a line: a comma, a semicolon, tab or space."};
constexpr TextKey decimal{
    "decimal", "auto",
    "This mark stands before the decimals: a point, a comma, or auto, which finds it where "
    "whole columns agree."};
constexpr TextKey thousands{
    "thousands", "auto",
    "This mark stands between groups of three digits: a comma, a point, an apostrophe, "
    "none, or auto, which finds it where whole columns agree."};
constexpr ChoiceKey<> dates{
    "dates",
    {"refuse", "days", "yearday", "weekday", "text"},
    "Columns of dates are refused, or become the days since 1970, the day of the year, "
    "the weekday from 1 for Monday, or texts like others."};
constexpr ChoiceKey<> encoding{"encoding", {"utf8", "latin1"}, "The file is written in this encoding."};
constexpr ChoiceKey<> unlabelled{
    "unlabelled", {"refuse", "skip"}, "Rows whose label is missing are refused or left out."};
constexpr TextKey label{
    "label", "auto",
    "This column has the labels; it is given by its name or its index, or none; guess takes "
    "the last column where no name tells. Several with commas between them are several targets of each row; "
    "those of 0 and 1, or "
    "true and false, say which labels a row has, too."};
constexpr ChoiceKey<> label_delimiter{
    "label_delimiter",
    {"none", ";", "|", ",", "space"},
    "Rows may have several labels, or none, and this stands between them in the column of labels; with none "
    "each row has one."};
constexpr TextKey text{"text", "auto", "This column has the strings; it is given by its name or its index."};
constexpr TextKey ignore{
    "ignore", "auto",
    "These columns are left out; they are given by names or indices with commas between them. Beside them "
    "columns that only say which row this is are left out, unless none is in the list."};
constexpr TextKey id{
    "id", "none",
    "This column has the names of the rows, by which predictions and explanations call them; "
    "it is no feature, and is given by its name or its index."};
constexpr TextKey groups{
    "groups", "auto",
    "Rows with the same text in this column are of one group, which no fold divides; the "
    "column is given by its name or its index. LIBSVM's queries (qid) are groups unless this is none."};
constexpr ChoiceKey<> index_base{
    "index_base",
    {"auto", "0", "1"},
    "LIBSVM's indices count from this number; auto takes 0 where an index 0 stands in the file."};
constexpr TextKey missing{
    "missing", "refuse",
    "This says whether missing values are refused or kept for the machine to fill, and with commas between "
    "them which other words say that a value is missing; only says that no others do."};
constexpr IntegerKey cols{"cols", 0, {0, 2147483647}, "The data have at least this many columns."};
}  // namespace parameter

namespace {

constexpr std::string_view format_option = "format";

/// Describes the option that names a reader, with what each of them reads.
ParameterSpec format_parameter() {
    std::vector<std::string> names{"auto"};
    std::string doc = "This is the format of the file; auto finds it from the file's name and content";
    for (const Reader& reader : readers()) {
        names.push_back(reader.name);
        doc += text("; ", reader.name, ": ", reader.documentation);
    }
    return choice_parameter(format_option, std::move(names), doc + ".");
}

Parameters described_options() {
    return {"file options",
            {format_parameter(), parameter::header, parameter::delimiter, parameter::label,
             parameter::label_delimiter, parameter::text, parameter::ignore, parameter::id, parameter::groups,
             parameter::missing, parameter::decimal, parameter::thousands, parameter::dates,
             parameter::encoding, parameter::unlabelled, parameter::index_base, parameter::cols}};
}

std::string delimiter_of(const std::string& option) {
    if (option == "auto" || option == "," || option == ";" || option == "|") return option;
    if (option == "tab") return "\t";
    if (option == "space") return " ";
    fail(Status::invalid_parameter, "delimiter cannot be ", in_quotes(option),
         ": allowed is auto, a comma, a semicolon, a bar, tab or space (default auto)");
}

/// Checks a mark of numbers, which is auto, one of the marks or a word.
std::string mark_of(const char* key, const std::string& option, std::string_view allowed) {
    const bool is_mark = option.size() == 1 && allowed.find(option) != std::string_view::npos;
    if (option == "auto" || option == "none" || is_mark) return option;
    fail(Status::invalid_parameter, key, " cannot be ", in_quotes(option), ": allowed is auto or one of ",
         allowed, " (default auto)");
}

char mark_between_labels(const std::string& option) {
    return option == "none" ? '\0' : option == "space" ? ' ' : option.front();
}

bool has_option(const Assignments& given, std::string_view name) {
    return std::ranges::find(given, name, &Assignments::value_type::first) != given.end();
}

ReadingOptions reading_options(const Parameters& parameters, const Assignments& given,
                               const EarlierFile& earlier) {
    return {.header = parameters[parameter::header],
            .delimiter = delimiter_of(parameters[parameter::delimiter]),
            .decimal = mark_of("decimal", parameters[parameter::decimal], ".,"),
            .thousands = mark_of("thousands", parameters[parameter::thousands], ",.'"),
            .dates = parameters[parameter::dates],
            .label = parameters[parameter::label],
            .label_delimiter = mark_between_labels(parameters[parameter::label_delimiter]),
            .skip_unlabelled = parameters[parameter::unlabelled] == "skip",
            .text = parameters[parameter::text],
            .missing = MissingMarkers(parameters[parameter::missing]),
            .ignore = parameters[parameter::ignore],
            .groups = parameters[parameter::groups],
            .id = parameters[parameter::id],
            .index_base = parameters[parameter::index_base],
            .least_columns = parameters[parameter::cols],
            .earlier_features = earlier.features,
            .earlier_columns = earlier.columns,
            .may_lack = earlier.columns > 0 && !has_option(given, parameter::label.name),
            .groups_may_lack = earlier.columns > 0 && !has_option(given, parameter::groups.name),
            .id_may_lack = earlier.columns > 0 && !has_option(given, parameter::id.name)};
}

}  // namespace

FileOptions file_options(std::string_view options, const EarlierFile& earlier) {
    Parameters parameters = described_options();
    FileOptions read;
    read.given = split_assignments(options);
    for (const auto& [key, value] : earlier.options) {
        if (key == format_option) {
            read.earlier_format = value;
        } else {
            parameters.set(key, value);
        }
    }
    for (const auto& [key, value] : read.given) parameters.set(key, value);
    read.reading = reading_options(parameters, read.given, earlier);
    read.format = parameters.text(format_option);
    read.is_latin1 = parameters[parameter::encoding] == "latin1";
    return read;
}

Assignments options_to_keep(const FileOptions& options, const std::string& reader,
                            const Assignments& understood) {
    Assignments kept;
    if (!find_reader(reader)->looks_like.empty()) kept.emplace_back(format_option, reader);
    std::ranges::copy_if(options.given, std::back_inserter(kept), [](const auto& option) {
        return option.first != format_option && option.first != parameter::cols.name;
    });
    for (const auto& [key, value] : understood) {
        const auto same = std::ranges::find(kept, key, &Assignments::value_type::first);
        if (same == kept.end()) {
            kept.emplace_back(key, value);
        } else {
            same->second = value;
        }
    }
    return kept;
}

}  // namespace dk

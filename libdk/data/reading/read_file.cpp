// SPDX-License-Identifier: Apache-2.0
#include "data/reading/read_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/parameters.hpp"
#include "data/reading/file_bytes.hpp"

namespace dk {

// These are the options with which dk_data_from_file() reads a file.
namespace parameter {
constexpr ChoiceKey<> format{
    "format",
    {"auto", "csv", "libsvm", "series", "strings"},
    "This is the format of the file; auto finds it from the file's name and content."};
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
    "the last column where no name tells."};
constexpr TextKey text{"text", "auto", "This column has the strings; it is given by its name or its index."};
constexpr TextKey ignore{
    "ignore", "auto",
    "These columns are left out; they are given by names or indices with commas between them. Beside them "
    "columns that only say which row this is are left out, unless none is in the list."};
constexpr TextKey groups{
    "groups", "none",
    "Rows with the same text in this column are of one group, which no fold divides; the "
    "column is given by its name or its index."};
constexpr TextKey missing{
    "missing", "refuse",
    "This says whether missing values are refused or kept for the machine to fill, and with commas between "
    "them which other words say that a value is missing; only says that no others do."};
constexpr IntegerKey cols{"cols", 0, {0, 2147483647}, "The data have at least this many columns."};
}  // namespace parameter

void FileContent::grow(std::size_t capacity, const MemoryBudget& budget) {
    budget.require(1.0 * capacity + bytes_.size(), text("a file of more than ", size_, " bytes"));
    LargeArray<char> larger(capacity);
    std::copy_n(bytes_.data(), size_, larger.data());
    bytes_ = std::move(larger);
}

FileContent read_content(const std::string& path, Control& control) {
    FileBytes file(path);
    FileContent content;
    content.grow(file.size_on_disk() + 1, control.memory());
    while (true) {
        control.check();
        if (content.room().empty()) content.grow(2 * content.size(), control.memory());
        constexpr std::size_t most_at_once = std::size_t{1} << 22U;
        const auto piece = content.room().first(std::min(content.room().size(), most_at_once));
        const std::size_t count = file.read(piece);
        content.take(count);
        if (count < piece.size()) return content;
    }
}

std::string_view without_byte_order_mark(std::string_view content) {
    if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
    return content;
}

namespace {

/// Refuses a file that is not text, which most often shows by a zero byte.
void require_text(std::string_view content) {
    const auto zero = content.find('\0');
    if (zero == std::string_view::npos) return;
    const auto line = 1 + std::ranges::count(content.substr(0, zero), '\n');
    fail(Status::invalid_data, "line ", line, " has a zero byte; this is no text file");
}

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [&](auto ending) { return name.ends_with(ending); });
}

std::string format_of(std::string_view path, std::string_view content) {
    std::string_view first_field = content.substr(0, content.find_first_of(",; \t\r\n"));
    if (first_field.size() > 2 && first_field.starts_with('"') && first_field.ends_with('"'))
        first_field = first_field.substr(1, first_field.size() - 2);
    if (lower_case(first_field) == "series") return "series";
    if (path.ends_with(".gz")) path.remove_suffix(3);
    if (ends_with_any(path, {".csv", ".tsv"})) return "csv";
    if (ends_with_any(path, {".svm", ".libsvm"})) return "libsvm";
    const auto first_line = content.substr(0, content.find('\n'));
    return first_line.find(':') != std::string_view::npos && first_line.find(',') == std::string_view::npos
               ? "libsvm"
               : "csv";
}

Parameters file_options() {
    return {
        "file options",
        {parameter::format, parameter::header, parameter::delimiter, parameter::label, parameter::text,
         parameter::ignore, parameter::groups, parameter::missing, parameter::decimal, parameter::thousands,
         parameter::dates, parameter::encoding, parameter::unlabelled, parameter::cols}};
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

bool is_integer(std::string_view field) {
    if (parse_integer(field)) return true;
    const auto number = parse_number(field);  // This finds "1.0" and "1e3".
    return number && *number == std::trunc(*number) && std::abs(*number) < 9e15;
}

std::int64_t integer_of(std::string_view field) {
    const auto integer = parse_integer(field);
    return integer ? *integer : static_cast<std::int64_t>(*parse_number(field));
}

/// Says whether a field has digits alone of which an integer would lose some: zeros before others, as
/// numbers of houses and codes have, or more digits than there is room for.
bool has_digits_to_lose(std::string_view field) {
    const std::string_view digits = field.substr(field.starts_with('-') || field.starts_with('+') ? 1 : 0);
    const bool only_digits = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (!only_digits || digits.size() < 2) return false;
    return digits.front() == '0' || !parse_integer(field);
}

}  // namespace

void attach_label_column(Dataset& data, std::span<const std::string_view> fields, Control& control) {
    Polls polls(control);
    std::vector<double> numbers;
    numbers.reserve(fields.size());
    for (const std::string_view field : fields) {
        polls.step();
        const auto number = parse_number(field);
        if (!number) break;
        numbers.push_back(*number);
    }
    const bool numeric = numbers.size() == fields.size();
    if (numeric) data.targets = std::move(numbers);
    const bool are_codes = std::ranges::any_of(fields, has_digits_to_lose);
    if (numeric && !are_codes && std::ranges::all_of(fields, is_integer)) {
        std::vector<std::int64_t> integers;
        std::ranges::transform(fields, std::back_inserter(integers), integer_of);
        data.labels = labels_from_integers(integers);
    } else if (!numeric || are_codes) {
        data.labels = labels_from_names(fields);
    }
}

void attach_group_column(Dataset& data, std::span<const std::string_view> fields, Control& control) {
    control.check();
    if (std::ranges::all_of(fields, is_integer)) {
        std::ranges::transform(fields, std::back_inserter(data.groups), integer_of);
        return;
    }
    const Labels numbered = labels_from_names(fields);
    data.groups.assign(numbered.of_rows.begin(), numbered.of_rows.end());
}

namespace {

/// Keeps what another file of such data needs too. Its format and size are its own.
Assignments options_to_keep(const Assignments& given) {
    Assignments kept;
    std::ranges::copy_if(given, std::back_inserter(kept), [](const auto& option) {
        return option.first != parameter::format.name && option.first != parameter::cols.name;
    });
    return kept;
}

bool has_option(const Assignments& given, std::string_view name) {
    return std::ranges::find(given, name, &Assignments::value_type::first) != given.end();
}

CsvOptions csv_options(const Parameters& parameters, const Assignments& given, const EarlierFile& earlier) {
    return {.header = parameters[parameter::header],
            .delimiter = delimiter_of(parameters[parameter::delimiter]),
            .decimal = mark_of("decimal", parameters[parameter::decimal], ".,"),
            .thousands = mark_of("thousands", parameters[parameter::thousands], ",.'"),
            .dates = parameters[parameter::dates],
            .label = parameters[parameter::label],
            .skip_unlabelled = parameters[parameter::unlabelled] == "skip",
            .text = parameters[parameter::text],
            .missing = MissingMarkers(parameters[parameter::missing]),
            .ignore = parameters[parameter::ignore],
            .groups = parameters[parameter::groups],
            .earlier_features = earlier.features,
            .earlier_columns = earlier.columns,
            .may_lack = earlier.columns > 0 && !has_option(given, parameter::label.name),
            .groups_may_lack = earlier.columns > 0 && !has_option(given, parameter::groups.name)};
}

}  // namespace

namespace {

/// Writes a text of Latin-1 as UTF-8.
FileContent utf8_of_latin1(std::string_view content, Control& control) {
    const auto wide = std::ranges::count_if(content, [](char c) { return static_cast<signed char>(c) < 0; });
    FileContent utf8;
    utf8.grow(content.size() + wide + 1, control.memory());
    char* out = utf8.room().data();
    for (const char c : content) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            *out++ = c;
        } else {
            *out++ = static_cast<char>(0xC0U | (byte >> 6U));
            *out++ = static_cast<char>(0x80U | (byte & 0x3FU));
        }
    }
    utf8.take(content.size() + wide);
    return utf8;
}

}  // namespace

Dataset read_file(const std::string& path, std::string_view options, const EarlierFile& earlier,
                  Control& control) {
    Parameters parameters = file_options();
    const Assignments given = split_assignments(options);
    for (const auto& [key, value] : earlier.options) parameters.set(key, value);
    for (const auto& [key, value] : given) parameters.set(key, value);
    const CsvOptions csv = csv_options(parameters, given, earlier);
    FileContent file = read_content(path, control);
    if (parameters[parameter::encoding] == "latin1") file = utf8_of_latin1(file.view(), control);
    const std::string_view content = without_byte_order_mark(file.view());
    std::string format = parameters[parameter::format];
    if (format == "auto") format = format_of(path, content);
    const auto parsed = [&] {
        require_text(content);
        if (format == "libsvm" && csv.groups != "none" && !csv.groups_may_lack)
            fail(Status::invalid_parameter, "groups=", csv.groups,
                 " cannot be found: files in LIBSVM's format have no columns of groups");
        if (format == "libsvm") return parse_libsvm(content, parameters[parameter::cols], control);
        if (format == "series") return parse_series(content, csv, control);
        if (format == "strings") return parse_strings(content, csv, control);
        return parse_csv(content, csv, control);
    };
    try {
        Dataset data = parsed();
        const Assignments understood = std::exchange(data.reading, options_to_keep(given));
        for (const auto& [key, value] : understood) {
            const auto same = std::ranges::find(data.reading, key, &Assignments::value_type::first);
            if (same == data.reading.end()) {
                data.reading.emplace_back(key, value);
            } else {
                same->second = value;
            }
        }
        return data;
    } catch (const Error& error) {
        fail(error.status(), in_quotes(path), ": ", error.what());
    }
}

}  // namespace dk

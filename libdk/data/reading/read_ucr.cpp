// SPDX-License-Identifier: Apache-2.0
// Files of the UCR archive of time series have a line for each series, its label and then its values. Series
// that are shorter than others end with NaN.
#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/reading/readers.hpp"
#include "data/reading/series_lines.hpp"

namespace dk {

namespace {

char mark_between_values(std::string_view line) {
    for (const char mark : {'\t', ',', ';'}) {
        if (line.find(mark) != std::string_view::npos) return mark;
    }
    return ' ';
}

/// Takes the label from the fields of a line, the first one unless the option says otherwise.
std::string_view take_label(std::vector<std::string_view>& fields, const ReadingOptions& options) {
    const bool is_last = options.label == "-1";
    const std::string_view label = is_last ? fields.back() : fields.front();
    fields.erase(is_last ? fields.end() - 1 : fields.begin());
    return label;
}

void append_series(SeriesSet& set, std::vector<std::string_view> fields, Index line) {
    const std::size_t last_empty = fields.size();
    while (!fields.empty() && (is_missing_step(fields.back()) || fields.back().empty())) fields.pop_back();
    if (fields.empty())
        fail(Status::invalid_data, "line ", line, ": the series has ", last_empty,
             " values and none of them is there");
    for (std::size_t k = 0; k < fields.size(); ++k) {
        if (const auto number = parse_number(fields[k])) {
            set.values.push_back(*number);
        } else {
            set.values.push_back(step_value(fields[k], text("line ", line, ", value ", k + 1)));
        }
    }
    set.step_offsets.push_back(std::ssize(set.values));
}

Dataset parse_ucr(std::string_view content, const ReadingOptions& options, Control& control) {
    constexpr std::array<std::string_view, 5> known{"auto", "guess", "none", "0", "-1"};
    if (std::ranges::find(known, options.label) == known.end() && !options.may_lack) {
        fail(Status::invalid_parameter, "label cannot be ", in_quotes(options.label),
             " in a file of format=ucr: allowed is 0, the first value of a line, -1, the last, or none");
    }
    control.memory().require(16.0 * static_cast<double>(content.size()),
                             text("series in ", content.size(), " bytes"));
    SeriesSet set{1, {0}};
    std::vector<std::string_view> labels;
    std::vector<Index> lines;
    Polls polls(control);
    Index number = 0;
    for (std::string_view rest = content; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        polls.step(static_cast<Index>(end) + 1);
        if (line.empty()) continue;
        const char mark = options.delimiter == "auto" ? mark_between_values(line) : options.delimiter.front();
        auto fields = split_line(line, mark);
        if (options.label != "none") labels.push_back(take_label(fields, options));
        if (fields.empty()) fail(Status::invalid_data, "line ", number, " has a label and no values");
        append_series(set, std::move(fields), number);
        lines.push_back(number);
    }
    return series_with_labels(std::move(set), labels, lines, options, control);
}

/// Says whether a file is named as those of the archive and its first line is a class and values.
Likeness likeness_of_ucr(const FileLook& file) {
    constexpr std::array<std::string_view, 6> endings{"_train.tsv", "_test.tsv", "_train.txt",
                                                      "_test.txt",  "_train",    "_test"};
    if (std::ranges::none_of(endings, [&](auto ending) { return file.is_named(ending); }))
        return Likeness::none;
    const std::string_view line = trimmed(file.content.substr(0, file.content.find('\n')));
    const auto fields = split_line(line, mark_between_values(line));
    const auto is_value = [](std::string_view field) {
        return is_missing_step(field) || parse_number(field);
    };
    const auto label = parse_number(fields.front());
    const bool is_class =
        label && *label == static_cast<double>(static_cast<int>(std::clamp(*label, -1e9, 1e9)));
    constexpr std::size_t fewest = 3;
    return is_class && fields.size() >= fewest && std::ranges::all_of(fields, is_value) ? Likeness::certain
                                                                                        : Likeness::none;
}

}  // namespace

Reader ucr_reader() {
    return {.name = "ucr",
            .documentation = "series of the UCR archive, a line for each: its label, then its values",
            .likeness = likeness_of_ucr,
            .parse = parse_ucr,
            .looks_like = "csv"};
}

}  // namespace dk

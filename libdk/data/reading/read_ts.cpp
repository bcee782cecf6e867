// SPDX-License-Identifier: Apache-2.0
// Files of the UEA archive of time series, as sktime and aeon read them: declarations that begin with @, and
// behind @data a line for each series. Colons stand between its dimensions, commas between the values of
// each, and the label is last.
#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/reading/readers.hpp"
#include "data/reading/series_lines.hpp"
#include "data/reading/table/csv_table.hpp"

namespace dk {

namespace {

/// What the declarations of a .ts file say.
struct TsHeader {
    bool has_label = false;
    std::vector<std::string_view> classes = {};  // They ascend; there are none where the label is a target.
    std::optional<Index> dimensions = {};
    std::string_view data = {};
    Index lines = 0;  // of the file before the data
};

std::string_view next_line(std::string_view& rest) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}

bool is_comment(std::string_view line) {
    return line.empty() || line.front() == '#' || line.front() == '%';
}

/// Gives the word with which a declaration begins in lower case. Lines of other formats may be long.
std::string key_of(std::string_view line) {
    constexpr std::size_t longest = 64;
    return lower_case(line.substr(0, std::min(line.find_first_of(" \t"), longest)));
}

bool says_yes(const std::vector<std::string_view>& words, Index line) {
    const std::string answer = words.size() > 1 ? lower_case(words[1]) : "";
    if (answer == "true" || answer == "false") return answer == "true";
    fail(Status::invalid_data, "line ", line, ": ", words.front(), " is ", in_quotes(answer),
         ", expected true or false");
}

/// Reads a declaration. What the data show by themselves, as equal lengths, is not looked at.
void read_declaration(const std::vector<std::string_view>& words, const std::string& key, TsHeader& header) {
    if (key == "@timestamps" && says_yes(words, header.lines)) {
        fail(Status::invalid_data, "line ", header.lines,
             ": the values have time stamps, which are not read; values at equal steps are, with @timeStamps "
             "false");
    }
    if (key == "@univariate" && says_yes(words, header.lines)) header.dimensions = 1;
    if (key == "@dimensions" || key == "@dimension") {
        header.dimensions = words.size() > 1 ? parse_integer(words[1]) : std::nullopt;
        if (!header.dimensions || *header.dimensions < 1)
            fail(Status::invalid_data, "line ", header.lines, ": ", words.front(), " needs a number from 1");
    }
    if (key != "@classlabel" && key != "@targetlabel") return;
    header.has_label = header.has_label || says_yes(words, header.lines);
    if (key == "@classlabel" && words.size() > 2) header.classes.assign(words.begin() + 2, words.end());
    std::ranges::sort(header.classes);
}

TsHeader read_ts_header(std::string_view content) {
    TsHeader header;
    while (!content.empty()) {
        const std::string_view line = next_line(content);
        ++header.lines;
        if (is_comment(line)) continue;
        const std::string key = key_of(line);
        if (key == "@data") {
            header.data = content;
            return header;
        }
        if (!key.starts_with('@')) {
            fail(Status::invalid_data, "line ", header.lines, ": expected a declaration or @data, found ",
                 in_quotes(line));
        }
        read_declaration(split_line(line, ' '), key, header);
    }
    fail(Status::invalid_data, "the file has no line @data, behind which the series stand");
}

/// Reads the values of each dimension of a series, which become the channels of its steps.
void append_dimensions(SeriesSet& set, std::span<const std::string_view> dimensions, Index line) {
    const auto begin = std::ssize(set.values);
    Index length = 0;
    for (Index d = 0; d < set.channels; ++d) {
        const auto values = split_line(dimensions[d], ',');
        if (d == 0) {
            length = std::ssize(values);
            set.values.resize(begin + length * set.channels);
        }
        if (std::ssize(values) != length) {
            fail(Status::invalid_data, "line ", line, ": dimension ", d + 1, " has ", values.size(),
                 " values, dimension 1 has ", length, "; every step needs a value in each dimension");
        }
        for (Index t = 0; t < length; ++t) {
            const auto number = parse_number(values[t]);
            set.values[begin + t * set.channels + d] =
                number ? *number
                       : step_value(values[t], text("line ", line, ", dimension ", d + 1, ", value ", t + 1));
        }
    }
    set.step_offsets.push_back(set.step_offsets.back() + length);
}

std::string_view declared_label(std::string_view label, const TsHeader& header, Index line,
                                const MissingMarkers& missing) {
    const bool is_known = header.classes.empty() || std::ranges::binary_search(header.classes, label);
    if (is_known || missing.marks(label)) return label;
    fail(Status::invalid_data, "line ", line, ": the class ", in_quotes(label),
         " is none that @classLabel lists");
}

/// Checks that a series has as many dimensions as the file says, or as the first one.
void require_dimensions(SeriesSet& set, const TsHeader& header, Index found, Index line) {
    if (set.channels == 0) set.channels = header.dimensions.value_or(found);
    if (found == set.channels && found > 0) return;
    fail(Status::invalid_data, "line ", line, " has ", found, " dimensions",
         header.has_label ? " and a label" : "", ", expected ", set.channels,
         "; colons stand between them, and before the label where there is one");
}

Dataset parse_ts(std::string_view content, const ReadingOptions& options, Control& control) {
    const TsHeader header = read_ts_header(content);
    control.memory().require(16.0 * static_cast<double>(content.size()),
                             text("series in ", content.size(), " bytes"));
    SeriesSet set{0, {0}};
    std::vector<std::string_view> labels;
    std::vector<Index> lines;
    Polls polls(control);
    Index number = header.lines;
    for (std::string_view rest = header.data; !rest.empty();) {
        const std::string_view line = next_line(rest);
        ++number;
        polls.step(std::ssize(line) + 1);
        if (is_comment(line)) continue;
        auto parts = split_line(line, ':');
        if (header.has_label) {
            labels.push_back(declared_label(parts.back(), header, number, options.missing));
            parts.pop_back();
        }
        require_dimensions(set, header, std::ssize(parts), number);
        append_dimensions(set, parts, number);
        lines.push_back(number);
    }
    return series_with_labels(std::move(set), labels, lines, options, control);
}

Likeness likeness_of_ts(const FileLook& file) {
    for (std::string_view rest = file.content; !rest.empty();) {
        const std::string_view line = next_line(rest);
        if (is_comment(line)) continue;
        const std::string key = key_of(line);
        for (const std::string_view first : {"@problemname", "@timestamps", "@univariate", "@classlabel"}) {
            if (key == first) return Likeness::certain;
        }
        break;
    }
    return file.is_named(".ts") ? Likeness::by_name : Likeness::none;
}

}  // namespace

Reader ts_reader() {
    return {.name = "ts",
            .documentation = "series of the UEA archive, which declare their dimensions and classes",
            .likeness = likeness_of_ts,
            .parse = parse_ts};
}

}  // namespace dk

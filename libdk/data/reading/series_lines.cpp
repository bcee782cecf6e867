// SPDX-License-Identifier: Apache-2.0
#include "data/reading/series_lines.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/unicode.hpp"
#include "base/usable_name.hpp"
#include "data/reading/table/csv_table.hpp"
#include "data/reading/table/label_columns.hpp"

namespace dk {

std::vector<std::string_view> split_line(std::string_view line, char mark) {
    std::vector<std::string_view> parts;
    for (bool more = true; more;) {
        if (mark == ' ') line = trimmed(line);
        const auto end = mark == ' ' ? line.find_first_of(" \t") : line.find(mark);
        more = end != std::string_view::npos;
        parts.push_back(trimmed(line.substr(0, end)));
        if (more) line.remove_prefix(end + 1);
    }
    return parts;
}

bool is_missing_step(std::string_view value) {
    return value == "?" || lower_case(value) == "nan";
}

double step_value(std::string_view value, std::string_view place) {
    if (const auto number = parse_number(value)) return *number;
    if (is_missing_step(value) || value.empty()) {
        fail(Status::invalid_data, place, " is missing (", in_quotes(value),
             "); every step of a series needs a value, so fill gaps before, as by the mean of their "
             "neighbours");
    }
    fail(Status::invalid_data, place, " is ", in_quotes(value), ", expected a finite number");
}

namespace {

/// Throws where a label is missing or no UTF-8.
void require_series_label(std::string_view label, Index line, const MissingMarkers& missing) {
    if (missing.marks(label) || says_infinite(label))
        fail(Status::invalid_data, "line ", line, ": the label is missing or not finite (", in_quotes(label),
             ")");
    if (const std::string why = why_no_name(label); !why.empty())
        fail(Status::invalid_data, "line ", line, ": the label ", in_quotes(label), " ", why);
}

}  // namespace

Dataset series_with_labels(SeriesSet set, const std::vector<std::string_view>& labels,
                           const std::vector<Index>& lines, const ReadingOptions& options, Control& control) {
    if (set.rows() == 0) fail(Status::invalid_data, "the file has no series");
    Dataset data(std::move(set));
    const auto is_missing = [&](std::string_view label) { return options.missing.marks(label); };
    const bool lacks = options.may_lack && std::ranges::all_of(labels, is_missing);
    if (labels.empty() || lacks || options.label == "none") return data;
    std::vector<Index> labelled;
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (options.skip_unlabelled && is_missing(labels[i])) continue;
        require_series_label(labels[i], lines[i], options.missing);
        labelled.push_back(static_cast<Index>(i));
        known.push_back(labels[i]);
    }
    if (known.empty()) fail(Status::invalid_data, "the label is missing in every row");
    if (known.size() < labels.size()) data = data.select(labelled);
    attach_label_column(data, known, control);
    return data;
}

}  // namespace dk

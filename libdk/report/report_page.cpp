// SPDX-License-Identifier: Apache-2.0
#include "report/report_page.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "base/scanning/assignments.hpp"
#include "base/scanning/scanner.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "pipeline/machine_specification.hpp"
#include "pipeline/score.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

Index positive_integer(std::string_view key, std::string_view value, Index most) {
    const auto number = parse_integer(value);
    if (number && *number >= 1 && *number <= most) return *number;
    fail(Status::invalid_parameter, key, " of a report is ", in_quotes(value), "; allowed is 1 to ", most);
}

void read_image(std::string_view value, ReportOptions& options) {
    const auto sizes = split(value, 'x');
    if (sizes.size() != 2)
        fail(Status::invalid_parameter, "image of a report is ", in_quotes(value),
             "; it is width x height, such as 32x32");
    options.picture_width = positive_integer("width of image", sizes[0], 4096);
    options.picture_height = positive_integer("height of image", sizes[1], 4096);
}

void read_path(std::string_view value, PathOption& path) {
    const std::size_t equals = value.find('=');
    path.key = value.substr(0, equals);
    if (equals != std::string_view::npos) {
        for (const std::string_view one : split(value.substr(equals + 1), ':')) {
            const auto number = parse_number(one);
            if (!number || !std::isfinite(*number))
                fail(Status::invalid_parameter, "path of a report has the value ", in_quotes(one),
                     "; allowed are numbers");
            path.values.push_back(*number);
        }
    }
    std::ranges::sort(path.values);
    if (path.values.size() < 2 || path.values.size() > 100)
        fail(Status::invalid_parameter, "path of a report is ", in_quotes(value),
             "; it is a parameter with 2 to 100 values, such as C=0.1:1:10");
}

/// Throws unless the model's machine has the parameter of the path, and the training rows are there.
void require_path(const ReportedModel& reported) {
    const PathOption& path = reported.options.path;
    if (path.values.empty()) return;
    if (reported.training == nullptr)
        fail(Status::invalid_argument, "path=", path.key, " trains anew; it needs the training rows");
    const Model& model = reported.model;
    const auto& labels = reported.training->labels;
    const bool labelled =
        labels && labels->values == model.classes.values && labels->names == model.classes.names;
    if (model.task == "classification" && !labelled)
        fail(Status::invalid_data, "path=", path.key,
             " trains anew; the training rows need the model's classes");
    if (model.task == "regression" && reported.training->targets.empty())
        fail(Status::invalid_data, "path=", path.key, " trains anew; the training rows need targets");
    MachineSpecification specification = specification_as_trained(model);
    for (const double value : path.values) set_parameter(specification, path.key, format_value(value));
}

PageReader page_reader(std::string_view value) {
    if (value == "analyst") return PageReader::analyst;
    if (value == "manager") return PageReader::manager;
    fail(Status::invalid_parameter, "a report cannot be for ", in_quotes(value),
         "; allowed is analyst, who reads of kernels and prototypes, or manager, who does not");
}

constexpr std::string_view heading_word = "title=";

/// Finds where the word title= begins, and the end of the text where it does not stand there.
std::size_t place_of_heading(std::string_view text) {
    for (auto at = text.find(heading_word); at != std::string_view::npos;
         at = text.find(heading_word, at + 1)) {
        if (at == 0 || std::ranges::find(blanks, text[at - 1]) != blanks.end()) return at;
    }
    return text.size();
}

}  // namespace

ReportOptions report_options(std::string_view text) {
    ReportOptions options;
    const std::vector<std::string> known{"for", "image", "path", "rows", "title"};
    // A heading has blanks, so that it is the rest of the text.
    const std::size_t heading = place_of_heading(text);
    if (heading < text.size()) options.title = trimmed(text.substr(heading + heading_word.size()));
    for (const auto& [key, value] : split_assignments(text.substr(0, heading))) {
        if (key == "image") {
            read_image(value, options);
        } else if (key == "path") {
            read_path(value, options.path);
        } else if (key == "for") {
            options.reader = page_reader(value);
        } else if (key == "rows") {
            options.worst_rows = positive_integer(key, value, 1000);
        } else {
            fail(Status::invalid_parameter, "a report has no option ", in_quotes(key), "; did you mean ",
                 nearest_name(key, known), "? There are ", join(known, ", "));
        }
    }
    return options;
}

std::string class_text(const Model& model, Index position) {
    return position < 0 ? "the others" : model.classes.class_name(position);
}

std::vector<Index> spread_rows(Index rows, Index most) {
    std::vector<Index> chosen;
    const Index count = std::min(rows, most);
    chosen.reserve(count);
    for (Index i = 0; i < count; ++i) chosen.push_back(i * rows / count);
    return chosen;
}

bool shows_pictures(const ReportedModel& reported, const Dataset& rows) {
    const Index pixels = reported.options.picture_width * reported.options.picture_height;
    return pixels > 0 && rows.kind() == DataKind::dense && rows.cols() == pixels;
}

std::string shown_row(const ReportedModel& reported, const Dataset& rows, Index row) {
    const std::string caption = text("row ", row);
    switch (rows.kind()) {
        case DataKind::dense: {
            const auto values = rows.dense().row(row);
            if (shows_pictures(reported, rows))
                return picture(values, reported.options.picture_width, reported.options.picture_height,
                               caption);
            std::string out;
            for (std::size_t j = 0; j < std::min<std::size_t>(values.size(), 4); ++j)
                out +=
                    text(j > 0 ? ", " : "", rows.feature_name(static_cast<Index>(j)), " ", shown(values[j]));
            return escaped(out) + (values.size() > 4 ? ", \u2026" : "");
        }
        case DataKind::series:
            return small_lines(rows.series().series(row), rows.series().channels, caption);
        case DataKind::strings:
            return text("<code>", escaped(shortened(rows.strings().texts[row], 120)), "</code>");
        case DataKind::graphs:
            return text(rows.graphs().nodes(row), " nodes");
        default:
            return "";
    }
}

ScoredRows scored_rows(const Model& model, const Dataset& data, Control& control) {
    ScoredRows scored;
    scored.decisions = decisions(model, data, control);
    if (model.rule != DecisionRule::regression)
        scored.elected = elected_classes(model, scored.decisions, control);
    if (!model.calibration.empty()) scored.probabilities = probabilities(model, scored.decisions, control);
    try {
        if (model.task == "regression") {
            scored.values = predicted_values(model, data, scored.decisions);
        } else if (data.labels && model.task != "clustering") {
            scored.classes = predicted_classes(model, data, scored.decisions, control);
        } else if (model.task == "classification") {
            scored.not_scored = "The rows have no labels.";
        }
    } catch (const Error& error) {
        if (error.status() != Status::invalid_data) throw;
        scored.not_scored =
            text("The predictions could not be compared with what the rows are: ", error.what(), ".");
    }
    if (scored.values) scored.metrics = metrics_of(*scored.values);
    if (scored.classes) scored.metrics = metrics_of(*scored.classes);
    return scored;
}

std::string report_page(const ReportedModel& reported, Control& control) {
    const Model& model = reported.model;
    if (model.predicts_several())
        fail(Status::unsupported, "a page reports on one number, and the model predicts ", model.targets,
             "; scores, prototypes and contributions of several are known (dk_score_report, dk_explain)");
    if (reported.options.reader == PageReader::manager) return manager_page(reported, control);
    const auto part = [&](double begin, double end, auto make) {
        const ProgressScope scope(control, begin, end, "report");
        return make();
    };
    control.check(0, "report");
    require_path(reported);
    const auto scored = part(0, 0.2, [&] { return scored_rows(model, reported.data, control); });
    std::string body = summary_section(reported, scored);
    body += performance_section(reported, scored);
    body += part(0.2, 0.25, [&] { return importance_section(reported, scored, control); });
    body += part(0.25, 0.35, [&] { return kernels_section(reported, scored, control); });
    body += part(0.35, 0.5, [&] { return prototypes_section(reported, control); });
    body += part(0.5, 0.7, [&] { return map_section(reported, scored, control); });
    body += part(0.7, 0.8, [&] { return path_section(reported, control); });
    body += part(0.8, 0.82, [&] { return data_section(reported, control); });
    body += choice_section(reported);
    body += training_section(reported);
    body += part(0.82, 1, [&] { return wrong_rows_section(reported, scored, control); });
    body += text("<p class=\"quiet\">Written by libdk ", version_string,
                 ". Rows are counted from 0. Rest the pointer on a mark to see its values.</p>\n");
    return html_page(reported.options.title.empty()
                         ? text(model.machine, " with ", shortened(model.kernel, 60))
                         : reported.options.title,
                     body);
}

}  // namespace dk

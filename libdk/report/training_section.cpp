// SPDX-License-Identifier: Apache-2.0
// The training report of a machine is whatever the machine tells. Lists of numbers are what a training went
// through, step by step, and are drawn; the functions of a machine are a table; single values are a list.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "model/archive/model_json.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

using ReportJson = nlohmann::ordered_json;

constexpr std::size_t most_path_points = 400;
constexpr std::size_t most_table_rows = 30;

std::string words(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::string cell(const ReportJson& value) {
    if (value.is_string()) return escaped(shortened(value.get<std::string>(), 80));
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_integer()) return text(value.get<std::int64_t>());
    if (value.is_number()) return shown(value.get<double>());
    return "";
}

bool is_path(const ReportJson& value) {
    return value.is_array() && value.size() >= 3 &&
           std::ranges::all_of(value, [](const ReportJson& one) { return one.is_number(); });
}

/// Lists that grow with the rows or columns are no path of a training.
bool is_of_steps(const std::string& name) {
    static constexpr std::array names{"objectives", "gaps",        "costs",          "errors",
                                      "losses",     "rises",       "evidences",      "fitness",
                                      "best",       "eigenvalues", "variance_shares"};
    return std::ranges::find(names, name) != std::end(names);
}

std::string path_chart(const std::string& name, const ReportJson& values) {
    Line line{words(name), {}, {}, 0};
    const std::size_t count = std::min(values.size(), most_path_points);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = count < 2 ? 0 : i * (values.size() - 1) / (count - 1);
        line.x.push_back(double(from + 1));
        line.y.push_back(values[from].get<double>());
    }
    return line_chart({&line, 1}, axis_over(name.ends_with("s") ? "step" : "position", line.x),
                      axis_over(words(name), line.y), false, text("The path of ", words(name)));
}

std::string functions_table(const ReportJson& functions) {
    HtmlTable table;
    for (const auto& [name, value] : functions.front().items()) {
        if (value.is_structured()) continue;
        table.head.push_back(escaped(words(name)));
        table.numbers.push_back(value.is_number());
    }
    for (const ReportJson& function : functions) {
        if (table.rows.size() == most_table_rows) break;
        auto& row = table.rows.emplace_back();
        for (const auto& [name, value] : functions.front().items()) {
            if (!value.is_structured()) row.push_back(cell(function.value(name, ReportJson())));
        }
    }
    std::string out = text("<div class=\"card\"><h3>Decision functions</h3>", html_of(table));
    if (functions.size() > most_table_rows)
        out += text("<p class=\"quiet\">", most_table_rows, " of ", functions.size(), " functions.</p>");
    return out + "</div>\n";
}

/// The gap of each function beside the others.
void add_gaps(const ReportJson& functions, std::vector<std::string>& figures) {
    ValueGroup gaps{"gap", {}, 0};
    for (const ReportJson& function : functions) {
        if (function.contains("gap") && function.at("gap").is_number())
            gaps.values.push_back(function.at("gap").get<double>());
    }
    if (gaps.values.size() > 5)
        figures.push_back(
            histogram_chart({&gaps, 1}, "gap", "The gap at which each function's training ended"));
}

void add_report(const ReportJson& report, std::string& list, std::vector<std::string>& figures,
                std::string& tables) {
    for (const auto& [name, value] : report.items()) {
        if (is_path(value)) {
            if (is_of_steps(name)) figures.push_back(path_chart(name, value));
        } else if (value.is_array() && !value.empty() && value.front().is_object()) {
            add_gaps(value, figures);
            tables += functions_table(value);
        } else if (!value.is_structured() && !value.is_null()) {
            list += text("<tr><td>", escaped(words(name)), "</td><td>", cell(value), "</td></tr>\n");
        }
    }
}

}  // namespace

std::string training_section(const ReportedModel& reported) {
    const Model& model = reported.model;
    std::string list;
    std::string tables;
    std::vector<std::string> figures;
    for (const std::string* const told : {&model.training_report, &model.weight_report}) {
        Dismantled<ReportJson> report;
        read_model_json(*told, report);
        add_report(*report, list, figures, tables);
    }
    std::string parameters;
    for (const auto& [name, value] : model.parameters)
        parameters += text("<tr><td>", escaped(name), "</td><td><code>", escaped(shortened(value, 200)),
                           "</code></td></tr>\n");
    std::string content = figures.empty() ? "" : side_by_side(figures);
    if (!list.empty())
        content += text("<div class=\"card\"><h3>Report</h3><div class=\"wide\"><table><tbody>", list,
                        "</tbody></table></div></div>\n");
    content += tables + text("<details><summary>All parameters</summary><div class=\"wide\"><table><tbody>",
                             parameters, "</tbody></table></div></details>\n");
    return section("How it was trained", "What the training told of itself.", content);
}

}  // namespace dk

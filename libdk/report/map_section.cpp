// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/kernel_map.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

constexpr Index most_mapped_rows = 400;

std::string row_tip(const ReportedModel& reported, const ScoredRows& scored, Index row) {
    std::string tip = text("row ", row);
    if (scored.classes)
        tip += text(": ", reported.model.classes.class_name(scored.classes->truth[row]), ", predicted ",
                    reported.model.classes.class_name(scored.classes->elected[row]));
    if (scored.values)
        tip += text(": ", shown(scored.values->truth[row]), ", predicted ",
                    shown(scored.values->predicted[row]));
    return tip;
}

Index row_colour(const ScoredRows& scored, Index row) {
    if (scored.classes) return scored.classes->truth[row];
    return scored.elected.empty() ? 0 : scored.elected[row];
}

}  // namespace

std::string map_section(const ReportedModel& reported, const ScoredRows& scored, Control& control) {
    const Model& model = reported.model;
    const std::vector<Index> rows = spread_rows(reported.data.rows(), most_mapped_rows);
    const auto map = KernelMap::of(model, reported.data, rows, control);
    if (!map) return "";
    std::vector<Mark> marks;
    for (Index i = 0; i < std::ssize(rows); ++i)
        marks.push_back({map->place_of_row(0, i), map->place_of_row(1, i), row_colour(scored, rows[i]), false,
                         row_tip(reported, scored, rows[i])});
    const Matrix places = map->places_of_prototypes(model, control);
    const PrototypeSet& set = model.predictor->prototypes();
    for (Index p = 0; p < places.cols(); ++p) {
        marks.push_back(
            {places(0, p), places(1, p), std::max<Index>(set.classes[p], 0), true,
             text("prototype ", p,
                  model.classes.classes() > 0 ? " of " + class_text(model, set.classes[p]) : std::string())});
    }
    std::vector<double> x;
    std::vector<double> y;
    for (const Mark& mark : marks) {
        x.push_back(mark.x);
        y.push_back(mark.y);
    }
    const auto title = [&](Index c) {
        return text("component ", c + 1, " (", shown_percent(100 * map->share(c)), ")");
    };
    const std::string caption =
        text(rows.size(), " rows", places.cols() > 0 ? " and the prototypes (diamonds)" : "",
             " by two kernel principal components");
    std::vector<std::string> names;
    for (Index c = 0; model.task != "regression" && c < model.classes.classes(); ++c)
        names.push_back(model.classes.class_name(c));
    return section(
        "Map", "Rows that the model finds alike are near each other, as far as two directions can show it.",
        side_by_side(std::vector<std::string>{
            scatter_chart(marks, axis_over(title(0), x), axis_over(title(1), y), names, false, caption)}));
}

}  // namespace dk

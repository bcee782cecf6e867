// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/explanation/importance.hpp"
#include "report/sections.hpp"

namespace dk {

std::string importance_section(const ReportedModel& reported, const ScoredRows& scored, Control& control) {
    if (!scored.classes && !scored.values) return "";
    constexpr std::size_t most_importance_bars = 15;
    constexpr std::uint64_t seed = 1;
    const Importances found = permutation_importances(reported.model, reported.data, seed, control);
    if (found.columns.empty()) return "";
    std::vector<Bar> bars;
    for (const ColumnImportance& column : found.columns) {
        if (bars.size() == most_importance_bars || column.loss <= 0) break;
        bars.push_back(
            {column.name, column.loss, 2, column.loss - column.deviation, column.loss + column.deviation});
    }
    if (bars.empty()) return "";
    const std::string measure = found.measure == "r2" ? "R\u00b2" : found.measure;
    std::string content =
        bar_chart(bars, text("Fall of the ", measure, " when a column is shuffled, one deviation around"));
    if (found.columns.size() > bars.size())
        content += text("<p class=\"quiet\">", found.columns.size() - bars.size(),
                        " further columns matter less.</p>\n");
    return section("What matters",
                   text("How much worse the predictions of ", found.rows, " of these rows get (", measure,
                        " ", shown(found.score),
                        " as they are) when the values of one column change places among the rows. Columns "
                        "that tell the same share what they tell."),
                   content);
}

}  // namespace dk

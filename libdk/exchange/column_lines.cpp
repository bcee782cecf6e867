// SPDX-License-Identifier: Apache-2.0
#include "exchange/column_lines.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/unicode.hpp"

namespace dk {

bool ColumnLines::read(ModelText& text, std::string_view key) {
    if (key == "column_names") {
        names = text.names();
    } else if (key == "column_fill") {
        fill = text.numbers(key);
    } else if (key == "column_shift") {
        shift = text.numbers(key);
    } else if (key == "column_scale") {
        scale = text.numbers(key);
    } else {
        return false;
    }
    return true;
}

namespace {

void check_names(const std::vector<std::string>& names, const ModelText& text) {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) text.refuse("column_names has ", in_quotes(*twice), " twice");
    for (const std::string_view name : sorted) {
        if (name.empty() || !is_plain(name))
            text.refuse("column_names has ", in_quotes(name), ", which is no plain text");
    }
}

}  // namespace

void ColumnLines::add_to(AdoptedModel& adopted, const ModelText& text) const {
    const Index columns = adopted.rows.cols();
    const auto require_count = [&](const char* line, std::size_t count) {
        if (static_cast<Index>(count) != columns)
            text.refuse(line, " has ", count, " elements for ", columns, " columns");
    };
    if (!names.empty()) {
        require_count("column_names", names.size());
        check_names(names, text);
        adopted.feature_names = names;
    }
    if (fill.empty() && shift.empty() && scale.empty()) return;
    if (adopted.rows.kind() != DataKind::dense)
        text.refuse("column_shift and column_fill need dense rows, such as data=dense gives");
    if (!fill.empty()) require_count("column_fill", fill.size());
    adopted.scaler.fill = fill;
    if (shift.empty() && scale.empty()) return;
    require_count("column_shift", shift.size());
    require_count("column_scale", scale.size());
    if (std::ranges::count(scale, 0.0) > 0) text.refuse("column_scale has a 0");
    adopted.scaler.shift = shift;
    adopted.scaler.scale = scale;
}

}  // namespace dk

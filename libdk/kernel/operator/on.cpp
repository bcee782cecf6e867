// SPDX-License-Identifier: Apache-2.0
// on(0:9, 12, k) lets the kernel k see some of the columns alone: the columns 0 to 9 and 12 in this example.
#include <algorithm>
#include <cmath>

#include "kernel/language/construction.hpp"

namespace dk {

namespace {

/// The number of a column from its text; `last` is the number of the last column that there can be.
Index column_of(const WrittenValue& value, Index last, Index position) {
    const double number = value.number;
    const bool allowed = value.kind == WrittenValue::Kind::number && number >= 0 && number <= last &&
                         number == std::floor(number);
    if (!allowed)
        fail_at(position,
                text("column ", value.kind == WrittenValue::Kind::word ? value.word : format_number(number),
                     " is not allowed; columns are integers from 0 to ", last, ", or ranges first:last"));
    return static_cast<Index>(number);
}

struct Range {
    Index first;
    Index last;
};

/// Reads the column or the range of columns that an argument names.
Range range_of(const Argument& argument, const Dataset* data) {
    constexpr Index last_anywhere = 2147483647;
    if (!argument.key.empty() || argument.values.empty() || argument.values.size() > 2)
        fail_at(argument.position, "expected a column or a range first:last");
    const Index last = data ? data->cols() - 1 : last_anywhere;
    const Range range{column_of(argument.values.front(), last, argument.position),
                      column_of(argument.values.back(), last, argument.position)};
    if (range.last < range.first)
        fail_at(argument.position, text("the range ", range.first, ":", range.last, " is empty"));
    return range;
}

/// Lists the columns of all ranges, in ascending order.
Columns columns_of(std::vector<Range> ranges, const Expression& call, Construction& construction) {
    std::ranges::sort(ranges, {}, &Range::first);
    const auto overlap = [](const Range& a, const Range& b) { return b.first <= a.last; };
    if (std::ranges::adjacent_find(ranges, overlap) != ranges.end())
        fail_at(call.position, "a column is named twice");
    Index count = 0;
    for (const Range& range : ranges) count += range.last - range.first + 1;
    construction.require_columns(count);
    Columns columns;
    columns.reserve(count);
    for (const Range& range : ranges) {
        for (Index j = range.first; j <= range.last; ++j) columns.push_back(j);
    }
    return columns;
}

Bank make_on(const Expression& call, const Columns& columns, Construction& construction) {
    require_all_columns(call, columns);
    if (call.arguments.size() < 2 || !call.arguments.back().expression)
        fail_at(call.position, "on takes columns and a kernel: on(0:9, kernel)");
    const Dataset* data = construction.facts().data();
    std::vector<Range> ranges;
    for (const Argument& argument : std::span(call.arguments).first(call.arguments.size() - 1)) {
        ranges.push_back(range_of(argument, data));
        // Without data the specification is only checked, and a range without end must not fill the memory.
        if (!data) ranges.back().last = ranges.back().first;
    }
    const Columns chosen = columns_of(std::move(ranges), call, construction);
    return construction.expand(*call.arguments.back().expression, chosen);
}

}  // namespace

KernelEntry on_operator() {
    return {.name = "on",
            .doc = "on(0:9, 12, k) lets k see these columns alone, which are counted from 0.",
            .facts = {.data = {DataKind::dense, DataKind::sparse, DataKind::series},
                      .positive_semidefinite = "when k is",
                      .constant_diagonal = "when k has one",
                      .differentiable = "when k is"},
            .make = make_on,
            .keeps_fixed_values = true};
}

}  // namespace dk

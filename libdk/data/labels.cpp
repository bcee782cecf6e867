// SPDX-License-Identifier: Apache-2.0
#include "data/labels.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/usable_name.hpp"

namespace dk {

std::string Labels::class_name(Index position) const {
    return names.empty() ? std::to_string(values[position]) : names[position];
}

namespace {

/// Says whether a double, as which predictions are given, is this integer and no other.
bool fits_double(std::int64_t label) {
    constexpr std::int64_t largest = std::int64_t{1} << 53U;
    return label >= -largest && label <= largest;
}

/// Names classes of integers by their digits. They stay in the order of the integers.
void name_by_digits(Labels& labels) {
    for (std::int64_t& value : labels.values) {
        labels.names.push_back(text(value));
        value = std::ssize(labels.names) - 1;
    }
}

}  // namespace

Labels labels_from_integers(std::span<const std::int64_t> labels) {
    Labels out;
    out.values.assign(labels.begin(), labels.end());
    std::ranges::sort(out.values);
    out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
    out.of_rows.reserve(labels.size());
    for (const auto label : labels) {
        out.of_rows.push_back(std::ranges::lower_bound(out.values, label) - out.values.begin());
    }
    if (!std::ranges::all_of(out.values, fits_double)) name_by_digits(out);
    return out;
}

Labels labels_from_names(std::span<const std::string_view> labels, const MemoryBudget& memory) {
    std::vector<std::string_view> different(labels.begin(), labels.end());
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    const double bytes_of_rows = 40.0 * static_cast<double>(labels.size());
    memory.require(bytes_of_rows + memory_of_texts(different), text(different.size(), " different names"));
    for (const std::string_view name : different) {
        if (name.size() > longest_name)
            fail(Status::invalid_data, "the name ", in_quotes(name), " ", why_no_name(name));
    }
    Labels out;
    out.names.assign(different.begin(), different.end());
    out.of_rows.reserve(labels.size());
    for (const auto& label : labels) {
        out.of_rows.push_back(std::ranges::lower_bound(out.names, label) - out.names.begin());
    }
    for (Index c = 0; c < std::ssize(out.names); ++c) out.values.push_back(c);
    return out;
}

LabelSets sets_of_one(const Labels& labels) {
    LabelSets sets;
    for (Index c = 0; c < labels.classes(); ++c) sets.names.push_back(labels.class_name(c));
    for (const Index c : labels.of_rows) sets.add_row({&c, 1});
    return sets;
}

Labels table_of(const LabelSets& sets) {
    Labels table{.names = sets.names};
    for (Index label = 0; label < sets.labels(); ++label) table.values.push_back(label);
    return table;
}

std::vector<std::int64_t> integers_of(const Labels& labels) {
    std::vector<std::int64_t> integers;
    for (const std::string& name : labels.names) {
        const auto integer = parse_integer(name);
        if (!integer || text(*integer) != name) return labels.values;
        integers.push_back(*integer);
    }
    return std::ranges::all_of(integers, fits_double) ? labels.values : integers;
}

}  // namespace dk

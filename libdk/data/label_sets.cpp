// SPDX-License-Identifier: Apache-2.0
#include "data/label_sets.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/usable_name.hpp"

namespace dk {

bool LabelSets::has(Index row, Index label) const {
    return std::ranges::binary_search(of_row(row), label);
}

void LabelSets::add_row(std::span<const Index> labels) {
    const auto begin = std::ssize(of_rows);
    of_rows.insert(of_rows.end(), labels.begin(), labels.end());
    std::sort(of_rows.begin() + begin, of_rows.end());
    of_rows.erase(std::unique(of_rows.begin() + begin, of_rows.end()), of_rows.end());
    starts.push_back(std::ssize(of_rows));
}

LabelSets LabelSets::select(std::span<const Index> rows) const {
    LabelSets selected{.names = names};
    for (const Index row : rows) selected.add_row(of_row(row));
    return selected;
}

std::vector<Index> LabelSets::counts() const {
    std::vector<Index> rows_of_label(labels());
    for (const Index label : of_rows) ++rows_of_label[label];
    return rows_of_label;
}

std::vector<double> LabelSets::indicators(double absent, double present) const {
    std::vector<double> values(rows() * labels(), absent);
    for (Index i = 0; i < rows(); ++i) {
        for (const Index label : of_row(i)) values[i * labels() + label] = present;
    }
    return values;
}

namespace {

/// Calls body(label) for each label of a text.
template <typename Body>
void for_labels(std::string_view text, char mark, Body body) {
    while (!text.empty()) {
        const auto end = std::min(text.find(mark), text.size());
        if (const auto label = trimmed(text.substr(0, end)); !label.empty()) body(label);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Tells whether a text is an integer as it is always written, so that no two texts are the same number.
bool is_plain_integer(std::string_view label) {
    const auto integer = parse_integer(label);
    return integer && text(*integer) == label;
}

/// Orders integers by their numbers, and other texts by their bytes.
struct Ascending {
    bool numbers;

    bool operator()(std::string_view a, std::string_view b) const {
        return numbers ? *parse_integer(a) < *parse_integer(b) : a < b;
    }
};

}  // namespace

LabelSets label_sets_from_texts(std::span<const std::string_view> texts, char mark,
                                const MemoryBudget& memory) {
    double labels = 0;
    bool numbers = true;
    for (const auto text : texts) {
        for_labels(text, mark, [&](std::string_view label) {
            numbers = numbers && is_plain_integer(label);
            labels += 1;
        });
    }
    constexpr double bytes_a_label = 128;  // as an entry, and in the table, of which each may be another
    memory.require(bytes_a_label * labels + 8.0 * static_cast<double>(texts.size()),
                   text(labels, " labels of ", texts.size(), " rows"));
    std::map<std::string_view, Index, Ascending> positions(Ascending{numbers});
    for (const auto text : texts)
        for_labels(text, mark, [&](std::string_view label) { positions.emplace(label, 0); });
    LabelSets sets;
    for (auto& [name, position] : positions) {
        if (const std::string why = why_no_name(name); !why.empty())
            fail(Status::invalid_data, "the label ", in_quotes(name), " ", why);
        position = sets.labels();
        sets.names.emplace_back(name);
    }
    std::vector<Index> own;
    for (const auto text : texts) {
        own.clear();
        for_labels(text, mark, [&](std::string_view label) { own.push_back(positions.at(label)); });
        sets.add_row(own);
    }
    return sets;
}

}  // namespace dk

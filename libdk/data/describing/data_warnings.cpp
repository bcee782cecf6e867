// SPDX-License-Identifier: Apache-2.0
#include "data/describing/data_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/text.hpp"

namespace dk {

namespace {

using Names = std::vector<std::string>;
using Warnings = std::vector<Warning>;

constexpr std::string_view small_classes = "small classes";

/// Names some columns: "a, b and 3 more".
std::string some_names(const Names& names) {
    constexpr std::size_t most = 5;
    std::string out = join({names.begin(), names.begin() + std::min(names.size(), most)}, ", ");
    if (names.size() > most) out += text(" and ", names.size() - most, " more");
    return out;
}

void warn_of_constants(std::span<const ColumnFacts> columns, Warnings& out) {
    Names names;
    for (const ColumnFacts& one : columns) {
        if (one.constant()) names.push_back(one.name);
    }
    if (names.empty()) return;
    out.push_back(
        {"constant columns", text("All rows have the same value in ", some_names(names),
                                  ": from these nothing can be learned; ignore= leaves columns out.")});
}

void warn_of_copies(std::span<const ColumnFacts> columns, const ColumnReader& reader, Warnings& out) {
    std::map<std::uint64_t, std::vector<const ColumnFacts*>> by_print;
    for (const ColumnFacts& one : columns) {
        if (!one.of_texts() && !one.constant()) by_print[one.print].push_back(&one);
    }
    Names pairs;
    for (const auto& [print, alike] : by_print) {
        const auto first = reader.values(alike.front()->first);
        for (std::size_t k = 1; k < alike.size(); ++k) {
            const auto other = reader.values(alike[k]->first);
            const bool same = std::ranges::equal(
                first, other, [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
            if (same) pairs.push_back(text(alike[k]->name, " (as ", alike.front()->name, ")"));
        }
    }
    if (!pairs.empty())
        out.push_back({"copied columns",
                       text("Columns that have the values of others count twice: ", some_names(pairs), ".")});
}

void warn_of_scales(std::span<const ColumnFacts> columns, Warnings& out) {
    constexpr double comparable = 100;
    const ColumnFacts* least = nullptr;
    const ColumnFacts* largest = nullptr;
    for (const ColumnFacts& one : columns) {
        if (one.of_texts() || one.deviation <= 0) continue;
        if (least == nullptr || one.deviation < least->deviation) least = &one;
        if (largest == nullptr || one.deviation > largest->deviation) largest = &one;
    }
    if (least == nullptr || largest->deviation <= comparable * least->deviation) return;
    out.push_back(
        {"scales",
         text("Columns are on other scales: ", largest->name, " spreads by ",
              format_number(largest->deviation), " and ", least->name, " by ",
              format_number(least->deviation),
              "; distances hardly see the latter unless scale=standard brings them to one scale.")});
}

/// Tells whether rows in the order of a column's values are sorted by classes too, where equal values are of
/// one class. Only the first rows are looked at.
bool tells_the_class(const std::vector<double>& values, const Labels& labels, std::size_t most) {
    if (std::ranges::any_of(values, [](double v) { return std::isnan(v); })) return false;
    std::vector<Index> order(std::min<std::size_t>(values.size(), most));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, [&](Index a, Index b) {
        return std::pair(values[a], labels.of_rows[a]) < std::pair(values[b], labels.of_rows[b]);
    });
    Index runs = 1;
    for (std::size_t r = 1; r < order.size(); ++r) {
        const bool same_class = labels.of_rows[order[r]] == labels.of_rows[order[r - 1]];
        if (!same_class && values[order[r]] == values[order[r - 1]]) return false;
        runs += same_class ? 0 : 1;
        if (runs > labels.classes()) return false;
    }
    return true;
}

/// Tells whether a column is the target up to its zero and its unit.
bool is_the_target(const std::vector<double>& values, const std::vector<double>& targets) {
    const double n = static_cast<double>(values.size());
    const double mean_value = std::accumulate(values.begin(), values.end(), 0.0) / n;
    const double mean_target = std::accumulate(targets.begin(), targets.end(), 0.0) / n;
    double product = 0;
    double of_values = 0;
    double of_targets = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        product += (values[i] - mean_value) * (targets[i] - mean_target);
        of_values += (values[i] - mean_value) * (values[i] - mean_value);
        of_targets += (targets[i] - mean_target) * (targets[i] - mean_target);
    }
    constexpr double certain = 0.9999;
    return product * product > certain * certain * of_values * of_targets;
}

/// Tells whether labels are classes. Integers of many values are rather targets.
bool are_classes(const Dataset& data) {
    constexpr Index few = 20;
    if (!data.labels) return false;
    return !data.labels->names.empty() || data.labels->classes() <= std::max(few, data.rows() / 10);
}

void warn_of_leaks(const Dataset& data, std::span<const ColumnFacts> columns, const ColumnReader& reader,
                   Warnings& out) {
    constexpr Index least_rows = 20;  // Of fewer rows a column may tell the class by chance.
    if (data.rows() < least_rows || (!data.labels && data.targets.empty())) return;
    const bool classes = are_classes(data);
    Names names;
    for (const ColumnFacts& one : columns) {
        if (one.of_texts() || one.constant()) continue;
        const auto values = reader.values(one.first);
        // What some rows do not tell, all rows do not either, and some are soon sorted.
        constexpr std::size_t some = 200;
        if (classes ? data.labels->classes() > 1 && tells_the_class(values, *data.labels, some) &&
                          tells_the_class(values, *data.labels, values.size())
                    : data.target_count == 1 && !data.targets.empty() && is_the_target(values, data.targets))
            names.push_back(one.name);
    }
    if (names.empty()) return;
    out.push_back({"leak", text("A single column tells the ", classes ? "class" : "target", ": ",
                                some_names(names), "; is it known before the ", classes ? "class" : "target",
                                " is, and no number of the row? ignore= leaves columns out.")});
}

/// Gives a number by which equal rows are found, and others hardly ever.
std::uint64_t print_of_row(const Dataset& data, Index row) {
    std::uint64_t print = 0;
    const auto mix = [&](double value) { print = print_with(print, value); };
    if (data.kind() == DataKind::dense) {
        for (const double value : data.dense().row(row)) mix(value);
    } else {
        const SparseMatrix& matrix = data.sparse();
        for (Index e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e) {
            mix(static_cast<double>(matrix.columns[e]));
            mix(matrix.values[e]);
        }
    }
    return print;
}

void warn_of_rows(const Dataset& data, Warnings& out) {
    std::vector<std::pair<std::uint64_t, Index>> prints;
    prints.reserve(data.rows());
    for (Index i = 0; i < data.rows(); ++i) prints.emplace_back(print_of_row(data, i), i);
    std::ranges::sort(prints);
    const bool classes = are_classes(data);
    Index copies = 0;
    Index otherwise_labelled = 0;
    for (std::size_t k = 1, first = 0; k < prints.size(); ++k) {
        if (prints[k].first != prints[first].first) {
            first = k;
            continue;
        }
        ++copies;
        if (classes && data.labels->of_rows[prints[k].second] != data.labels->of_rows[prints[first].second])
            ++otherwise_labelled;
    }
    if (copies == 0) return;
    std::string sentence = text(copies, copies == 1 ? " row is" : " rows are",
                                " the copy of an earlier one; in two folds they make scores too good");
    if (otherwise_labelled > 0) sentence += text(", and ", otherwise_labelled, " of them have another class");
    out.push_back({"copied rows", sentence + "."});
}

void warn_of_classes(const Labels& labels, Warnings& out) {
    constexpr Index few = 5;
    std::vector<Index> rows(labels.classes());
    for (const Index position : labels.of_rows) ++rows[position];
    Names names;
    for (Index c = 0; c < labels.classes(); ++c) {
        if (rows[c] > 0 && rows[c] < few) names.push_back(text(labels.class_name(c), " (", rows[c], ")"));
    }
    if (!names.empty())
        out.push_back({std::string(small_classes),
                       text("Classes of fewer than ", few, " rows are hardly learned, and lack in some of ",
                            few, " folds: ", some_names(names), ".")});
}

}  // namespace

std::vector<std::string> sentences_of(std::vector<Warning> warnings) {
    std::vector<std::string> sentences;
    sentences.reserve(warnings.size());
    for (Warning& warning : warnings) sentences.push_back(std::move(warning.sentence));
    return sentences;
}

std::vector<Warning> data_warnings(const Dataset& data, std::span<const ColumnFacts> columns,
                                   const ColumnReader& reader, Control& control) {
    Warnings out;
    if (are_classes(data)) warn_of_classes(*data.labels, out);
    if (columns.empty()) return out;
    warn_of_constants(columns, out);
    control.check();
    warn_of_copies(columns, reader, out);
    control.check();
    warn_of_scales(columns, out);
    warn_of_leaks(data, columns, reader, out);
    control.check();
    warn_of_rows(data, out);
    return out;
}

namespace {

/// A training looks at so many values, each of which it copies and sorts.
constexpr Index most_values = 200000;
constexpr Index fewest_rows_to_compare = 50;

/// Gives the first row of every `step`.
Dataset every(const Dataset& data, Index step) {
    std::vector<Index> rows;
    for (Index i = 0; i < data.rows(); i += step) rows.push_back(i);
    return data.select(rows);
}

}  // namespace

std::vector<Warning> training_warnings(const Dataset& data, bool classifies, Control& control) {
    if (data.labels && !classifies) {
        Dataset unlabelled = data;
        unlabelled.labels.reset();
        return training_warnings(unlabelled, classifies, control);
    }
    const ProgressHold hold(control);
    Warnings out;
    if (are_classes(data)) warn_of_classes(*data.labels, out);
    const bool columns = data.kind() == DataKind::dense || data.kind() == DataKind::sparse;
    const Index rows = std::max<Index>(most_values / std::max<Index>(data.cols(), 1), 1);
    const Index step = (data.rows() + rows - 1) / rows;
    constexpr double copies = 8.0 * 6 * most_values;
    if (!columns || data.rows() / step < std::min(fewest_rows_to_compare, data.rows()) ||
        !control.memory().allows(copies))
        return out;
    const Dataset looked_at = step > 1 ? every(data, step) : data;
    const ColumnReader reader(looked_at);
    const auto facts = column_facts(looked_at, reader, control);
    for (Warning& warning : data_warnings(looked_at, facts, reader, control)) {
        if (warning.about == small_classes) continue;  // All rows told of these.
        if (step > 1)
            warning.sentence.insert(0, text("Of ", looked_at.rows(), " rows that were looked at: "));
        out.push_back(std::move(warning));
    }
    return out;
}

}  // namespace dk

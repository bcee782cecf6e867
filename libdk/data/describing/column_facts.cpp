// SPDX-License-Identifier: Apache-2.0
#include "data/describing/column_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"

namespace dk {

namespace {

ColumnFacts facts_of(std::vector<double> values) {
    ColumnFacts facts;
    for (const double value : values) facts.print = print_with(facts.print, value);
    const auto known = std::partition(values.begin(), values.end(), [](double v) { return !std::isnan(v); });
    facts.missing = values.end() - known;
    values.erase(known, values.end());
    if (values.empty()) return facts;
    std::ranges::sort(values);
    facts.least = values.front();
    facts.largest = values.back();
    facts.integers = std::ranges::all_of(values, [](double v) { return v == std::trunc(v); });
    const double n = static_cast<double>(values.size());
    for (const double value : values) facts.mean += value / n;
    for (const double value : values) {
        const double distance = value - facts.mean;
        facts.deviation += distance * distance / n;
    }
    facts.deviation = std::sqrt(facts.deviation);
    facts.distinct = std::unique(values.begin(), values.end()) - values.begin();
    if (facts.distinct == 1) facts.deviation = 0;
    return facts;
}

/// Gives the name of a column of texts of which this is an indicator, as in "colour=red", or nothing.
std::string_view column_of_indicator(const std::string& name) {
    const auto sign = name.find('=');
    return sign == std::string::npos ? std::string_view() : std::string_view(name).substr(0, sign);
}

bool is_indicator(const ColumnFacts& facts) {
    return facts.integers && facts.least >= 0 && facts.largest <= 1 && facts.largest > 0;
}

/// Joins the indicators of one column of texts, which stand side by side.
std::vector<ColumnFacts> with_levels(std::vector<ColumnFacts> columns, Index rows) {
    std::vector<ColumnFacts> out;
    for (ColumnFacts& one : columns) {
        const std::string_view name = column_of_indicator(one.name);
        if (name.empty() || !is_indicator(one)) {
            out.push_back(std::move(one));
            continue;
        }
        if (out.empty() || !out.back().of_texts() || out.back().name != name) {
            out.push_back(
                {.name = std::string(name), .first = one.first, .count = 0, .missing = one.missing});
        }
        const double known = static_cast<double>(rows - one.missing);
        out.back().levels.emplace_back(one.name.substr(name.size() + 1), std::llround(one.mean * known));
        ++out.back().count;
        ++out.back().distinct;
    }
    for (ColumnFacts& one : out)
        std::ranges::stable_sort(one.levels, std::ranges::greater(), &std::pair<std::string, Index>::second);
    return out;
}

}  // namespace

std::uint64_t print_with(std::uint64_t print, double value) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    print = (print ^ std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)) * odd;
    return print ^ (print >> 32U);
}

ColumnReader::ColumnReader(const Dataset& data) : data_(data) {
    if (data.kind() != DataKind::sparse) return;
    const SparseMatrix& matrix = data.sparse();
    begin_.assign(matrix.cols + 1, 0);
    for (const Index column : matrix.columns) ++begin_[column + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    entries_.resize(matrix.values.size());
    std::vector<Index> next = begin_;
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e)
            entries_[next[matrix.columns[e]]++] = {i, matrix.values[e]};
    }
}

std::vector<double> ColumnReader::values(Index column) const {
    std::vector<double> out(data_.rows());
    if (data_.kind() == DataKind::dense) {
        for (Index i = 0; i < data_.rows(); ++i) out[i] = data_.dense().row(i)[column];
    } else {
        for (Index e = begin_[column]; e < begin_[column + 1]; ++e)
            out[entries_[e].first] = entries_[e].second;
    }
    return out;
}

std::vector<ColumnFacts> column_facts(const Dataset& data, const ColumnReader& reader, Control& control) {
    std::vector<ColumnFacts> facts(data.cols());
    parallel_for(data.cols(), control, [&](Index j) {
        facts[j] = facts_of(reader.values(j));
        facts[j].name = data.feature_name(j);
        facts[j].first = j;
    });
    return with_levels(std::move(facts), data.rows());
}

}  // namespace dk

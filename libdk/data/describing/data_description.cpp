// SPDX-License-Identifier: Apache-2.0
#include "data/describing/data_description.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/describing/column_facts.hpp"
#include "data/describing/data_warnings.hpp"
#include "data/reading/reading_sentences.hpp"

namespace dk {

namespace {

Report counted(const std::string& name, Index rows) {
    Report one;
    one.add("name", name).add("rows", std::int64_t{rows});
    return one;
}

Report described(const ColumnFacts& column) {
    Report out;
    out.add("name", column.name);
    const bool two = column.distinct == 2 && column.integers;
    out.add("kind", std::string(column.of_texts()   ? "texts"
                                : column.constant() ? "constant"
                                : two               ? "two values"
                                : column.integers   ? "integers"
                                                    : "numbers"));
    out.add("missing", std::int64_t{column.missing}).add("distinct", std::int64_t{column.distinct});
    if (column.of_texts()) {
        std::vector<Report> levels;
        for (const auto& [name, rows] : column.levels) levels.push_back(counted(name, rows));
        out.add("levels", std::move(levels));
    } else if (column.distinct > 0) {
        out.add("least", column.least).add("mean", column.mean);
        out.add("largest", column.largest).add("deviation", column.deviation);
    }
    return out;
}

/// Describes target t of each row by its range.
Report described_target(const Dataset& data, Index t) {
    const auto n = static_cast<double>(data.rows());
    std::vector<double> values;
    for (std::size_t e = t; e < data.targets.size(); e += data.target_count)
        values.push_back(data.targets[e]);
    const auto [least, largest] = std::ranges::minmax(values);
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean) / n;
    Report out;
    out.add("least", least).add("mean", mean).add("largest", largest).add("deviation", std::sqrt(squares));
    return out;
}

/// Describes classes by their rows, or each target by its range.
Report described_answers(const Dataset& data) {
    Report out;
    if (data.labels) {
        std::vector<Index> rows(data.labels->classes());
        for (const Index position : data.labels->of_rows) ++rows[position];
        std::vector<Report> classes;
        for (Index c = 0; c < data.labels->classes(); ++c)
            classes.push_back(counted(data.labels->class_name(c), rows[c]));
        out.add("classes", std::move(classes));
    }
    if (data.label_sets) {
        const std::vector<Index> rows = data.label_sets->counts();
        std::vector<Report> labels;
        for (Index label = 0; label < data.label_count(); ++label)
            labels.push_back(counted(data.label_name(label), rows[label]));
        out.add("labels", std::move(labels));
    }
    if (data.targets.empty()) return out;
    std::vector<Report> described;
    for (Index t = 0; t < data.target_count; ++t) described.push_back(described_target(data, t));
    if (described.size() == 1) {
        out.add("targets", std::move(described.front()));
    } else {
        out.add("targets", std::move(described));
    }
    return out;
}

}  // namespace

Report describe_data(const Dataset& data, Control& control) {
    Report out;
    out.add("kind", std::string(name_of(data.kind())));
    out.add("rows", std::int64_t{data.rows()}).add("cols", std::int64_t{data.cols()});
    out.add("answers", described_answers(data));
    std::vector<ColumnFacts> columns;
    const ColumnReader reader(data);
    if (data.kind() == DataKind::dense || data.kind() == DataKind::sparse)
        columns = column_facts(data, reader, control);
    out.add("understood", reading_sentences(data.reading));
    out.add("warnings", sentences_of(data_warnings(data, columns, reader, control)));
    std::vector<Report> described_columns;
    described_columns.reserve(columns.size());
    for (const ColumnFacts& column : columns) described_columns.push_back(described(column));
    out.add("columns", std::move(described_columns));
    return out;
}

}  // namespace dk

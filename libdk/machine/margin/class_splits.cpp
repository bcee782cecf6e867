// SPDX-License-Identifier: Apache-2.0
#include "machine/margin/class_splits.hpp"

#include <numeric>

namespace dk {

std::vector<std::vector<Index>> rows_of_classes(const Labels& labels) {
    std::vector<std::vector<Index>> rows(labels.classes());
    for (Index i = 0; i < std::ssize(labels.of_rows); ++i) rows[labels.of_rows[i]].push_back(i);
    return rows;
}

std::vector<Split> splits_of(const Dataset& data, DecisionRule rule) {
    std::vector<Index> all_rows(data.rows());
    std::iota(all_rows.begin(), all_rows.end(), Index{0});
    if (rule == DecisionRule::binary) return {{1, 0, all_rows}};
    std::vector<Split> splits;
    if (rule != DecisionRule::one_vs_one) {
        for (Index a = 0; a < data.label_count(); ++a) splits.push_back({a, -1, all_rows});
        return splits;
    }
    const auto of_classes = rows_of_classes(*data.labels);
    for (Index a = 0; a < data.label_count(); ++a) {
        for (Index b = a + 1; b < data.label_count(); ++b) {
            splits.push_back({a, b, of_classes[a]});
            const auto& others = of_classes[b];
            splits.back().rows.insert(splits.back().rows.end(), others.begin(), others.end());
        }
    }
    return splits;
}

void start_at_earlier_model(const Matrix& coefficients, std::vector<Split>& splits) {
    if (coefficients.cols() != std::ssize(splits)) return;
    for (std::size_t s = 0; s < splits.size(); ++s) {
        for (const Index i : splits[s].rows) splits[s].start.push_back(coefficients(i, s));
    }
}

}  // namespace dk

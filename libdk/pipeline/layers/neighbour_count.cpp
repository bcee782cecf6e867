// SPDX-License-Identifier: Apache-2.0
// The multilayer kernel machine keeps as many of the ranked columns as serve nearest neighbours best. Columns
// are added one by one to the squared distances between held-out and training rows; at 1, 2, 4, ... columns
// the five nearest rows vote, and where classes have equally many votes, that of the nearer row wins.
//
// Y. Cho, L. K. Saul, Kernel methods for deep learning, NIPS 2009.
#include "pipeline/layers/neighbour_count.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "model/decision/decision_rule.hpp"
#include "model/neighbour_votes.hpp"

namespace dk {

namespace {

constexpr Index voters = 5;

/// Elects a class by the nearest rows, given the squared distances to all.
Index elected_by_nearest(std::span<const double> distances, const Labels& labels) {
    std::vector<Index> rows(distances.size());
    std::iota(rows.begin(), rows.end(), Index{0});
    const auto count = std::min<Index>(voters, std::ssize(rows));
    std::ranges::partial_sort(rows, rows.begin() + count, {},
                              [&](Index i) { return std::pair(distances[i], i); });
    std::vector<Index> voter_classes;
    voter_classes.reserve(count);
    for (Index k = 0; k < count; ++k) voter_classes.push_back(labels.of_rows[rows[k]]);
    std::vector<double> scores(labels.classes());
    count_votes(voter_classes, scores);
    return first_largest(scores);
}

/// Lists the numbers of columns that are tried.
std::vector<Index> tried_counts(Index columns) {
    std::vector<Index> counts;
    for (Index count = 1; count < columns; count *= 2) counts.push_back(count);
    counts.push_back(columns);
    return counts;
}

}  // namespace

Index best_column_count(const Dataset& training, const Dataset& held_out, std::span<const Index> ranked,
                        Control& control) {
    const std::vector<Index> counts = tried_counts(std::ssize(ranked));
    std::vector<std::vector<char>> right(held_out.rows());  // for each of the counts
    const DenseMatrix& known = training.dense();
    const ProgressHold hold(control);
    parallel_for(held_out.rows(), control, [&](Index row) {
        const auto x = held_out.dense().row(row);
        std::vector<double> distances(training.rows());
        Index added = 0;
        for (const Index count : counts) {
            for (Index i = 0; i < training.rows(); ++i) {
                if (i % 1024 == 0 && control.stopping()) return;
                const auto z = known.row(i);
                for (Index k = added; k < count; ++k) {
                    const double difference = x[ranked[k]] - z[ranked[k]];
                    distances[i] += difference * difference;
                }
            }
            added = count;
            right[row].push_back(elected_by_nearest(distances, *training.labels) ==
                                 held_out.labels->of_rows[row]);
        }
    });
    std::vector<Index> hits(counts.size());
    for (const auto& of_row : right) {
        for (std::size_t c = 0; c < counts.size(); ++c) hits[c] += of_row[c];
    }
    return counts[std::ranges::max_element(hits) - hits.begin()];
}

}  // namespace dk

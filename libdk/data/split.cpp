// SPDX-License-Identifier: Apache-2.0
#include "data/split.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "data/group_folds.hpp"

namespace dk {

namespace {

/// Sorts the rows by class or target, and shuffles rows with the same one.
std::vector<Index> rows_by_stratum(const Dataset& data, Random& random) {
    std::vector<Index> order(data.rows());
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(std::span(order));
    if (data.labels) {
        std::ranges::stable_sort(order, {}, [&](Index i) { return data.labels->of_rows[i]; });
    } else if (!data.targets.empty()) {
        std::ranges::stable_sort(order, {}, [&](Index i) { return data.targets[i]; });
    }
    return order;
}

}  // namespace

std::vector<Index> stratified_folds(const Dataset& data, Index folds, std::uint64_t seed) {
    if (!data.groups.empty()) return group_folds(data, folds, seed);
    if (folds < 2 || folds > data.rows()) {
        fail(Status::invalid_argument, "folds cannot be ", folds, ": allowed is 2 to the number of rows, ",
             data.rows());
    }
    Random random(seed);
    const auto order = rows_by_stratum(data, random);
    std::vector<Index> fold_of(order.size());
    std::vector<Index> deck(folds);
    std::iota(deck.begin(), deck.end(), Index{0});
    random.shuffle(std::span(deck));
    // The folds take turns in a fixed order, so that every class and range of targets is divided evenly.
    for (std::size_t i = 0; i < order.size(); ++i) {
        fold_of[order[i]] = deck[i % deck.size()];
    }
    return fold_of;
}

Index most_folds(const Dataset& data) {
    return data.groups.empty() ? data.rows() : group_count(data.groups);
}

std::vector<Index> rows_of_fold(std::span<const Index> folds, Index fold, bool inside) {
    std::vector<Index> rows;
    for (Index i = 0; i < std::ssize(folds); ++i) {
        if ((folds[i] == fold) == inside) rows.push_back(i);
    }
    return rows;
}

}  // namespace dk

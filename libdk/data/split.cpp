// SPDX-License-Identifier: Apache-2.0
//
// Rows with groups: each group goes to the fold where it adds the least to
//
//     U = sum over folds f and classes c of (n_fc / N_c - 1 / F)^2,
//
// the unevenness of the classes' shares. A group with g_c rows of class c raises U in fold f by
//
//     2 sum over c of n_fc g_c / N_c^2    + what does not depend on f.
//
// With one class that is least in the fold with the fewest rows.
//
//     letter     name
//     F          folds
//     n_fc       rows_of_class[c], which lists the folds that have rows of class c
//     N_c        class_sizes
//     g_c        ClassRows::rows
#include "data/split.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "base/random.hpp"

namespace dk {

namespace {

/// Sorts rows by the rarest of their labels, those with the same one by the next rarest, and so on, so that
/// the rows of a rare label stand together. Rows without labels are the first.
void sort_by_rarest_labels(const LabelSets& sets, std::vector<Index>& order) {
    const std::vector<Index> counts = sets.counts();
    std::vector<Index> by_count(sets.labels());
    std::iota(by_count.begin(), by_count.end(), Index{0});
    std::ranges::stable_sort(by_count, {}, [&](Index label) { return counts[label]; });
    std::vector<Index> rank(sets.labels());
    for (Index r = 0; r < sets.labels(); ++r) rank[by_count[r]] = r;
    std::vector<std::vector<Index>> ranks(sets.rows());
    for (Index i = 0; i < sets.rows(); ++i) {
        for (const Index label : sets.of_row(i)) ranks[i].push_back(rank[label]);
        std::ranges::sort(ranks[i]);
    }
    std::ranges::stable_sort(order, [&](Index a, Index b) { return ranks[a] < ranks[b]; });
}

/// Sorts the rows by class, labels or first target, and shuffles rows with the same one.
std::vector<Index> rows_by_stratum(const Dataset& data, Random& random) {
    std::vector<Index> order(data.rows());
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(std::span(order));
    if (data.label_sets) {
        sort_by_rarest_labels(*data.label_sets, order);
    } else if (data.labels) {
        std::ranges::stable_sort(order, {}, [&](Index i) { return data.labels->of_rows[i]; });
    } else if (!data.targets.empty()) {
        std::ranges::stable_sort(order, {}, [&](Index i) { return data.targets[i * data.target_count]; });
    }
    return order;
}

/// How many rows of one class a group has.
struct ClassRows {
    Index of_class;
    Index rows;
};

/// One group: its rows, and their number in each class that they have.
struct Group {
    std::span<const Index> rows;
    std::vector<ClassRows> classes = {};

    Index size() const { return std::ssize(rows); }
};

/// The position of each row's class. Rows without classes are of one.
std::vector<Index> classes_of(const Dataset& data) {
    return data.labels ? data.labels->of_rows : std::vector<Index>(data.rows(), 0);
}

/// Sorts the rows by group, and those of a group by class.
std::vector<Index> rows_by_group(const Dataset& data, std::span<const Index> of_class) {
    std::vector<Index> order(data.rows());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, {}, [&](Index i) { return std::tuple(data.groups[i], of_class[i], i); });
    return order;
}

/// Finds the groups in the rows that are sorted by them. Their numbers ascend.
std::vector<Group> groups_of(const Dataset& data, std::span<const Index> sorted,
                             std::span<const Index> of_class) {
    std::vector<Group> groups;
    for (std::size_t first = 0; first < sorted.size();) {
        std::size_t last = first;
        std::vector<ClassRows> classes;
        for (; last < sorted.size() && data.groups[sorted[last]] == data.groups[sorted[first]]; ++last) {
            const Index c = of_class[sorted[last]];
            if (classes.empty() || classes.back().of_class != c) classes.push_back({c, 0});
            ++classes.back().rows;
        }
        groups.push_back({sorted.subspan(first, last - first), std::move(classes)});
        first = last;
    }
    return groups;
}

/// Puts the groups, whose numbers ascend, in the order in which they are dealt out.
void sort_for_dealing(std::vector<Group>& groups, std::uint64_t seed) {
    if (seed == rule_seed) {
        std::ranges::stable_sort(groups, std::greater<>(), &Group::size);
        return;
    }
    Random(seed).shuffle(std::span(groups));
    std::ranges::stable_sort(groups, std::greater<>(), [](const Group& group) {
        return std::bit_width(static_cast<std::uint64_t>(group.size()));
    });
}

/// The folds as they fill.
class Folds {
  public:
    Folds(Index folds, std::span<const Index> of_class) : rows_(folds), unevenness_(folds) {
        const Index classes = 1 + std::ranges::max(of_class);
        class_sizes_.resize(classes);
        rows_of_class_.resize(classes);
        for (const Index c : of_class) ++class_sizes_[c];
    }

    /// Finds the fold for a group. While a fold is empty, the first empty one is it, since a group adds the
    /// least there and it has the fewest rows.
    Index best_for(const Group& group) {
        if (dealt_ < std::ssize(rows_)) return dealt_;
        std::ranges::fill(unevenness_, 0.0);
        for (const auto& [c, rows] : group.classes) {
            const double weight = 1.0 * rows / (1.0 * class_sizes_[c] * class_sizes_[c]);
            for (const auto& [fold, count] : rows_of_class_[c]) unevenness_[fold] += weight * count;
        }
        // Sums of the same numbers in another order differ by rounding, which makes no fold better.
        const double least = std::ranges::min(unevenness_) * (1 + 1e-9);
        Index best = -1;
        for (Index fold = 0; fold < std::ssize(rows_); ++fold) {
            if (unevenness_[fold] > least) continue;
            if (best < 0 || rows_[fold] < rows_[best]) best = fold;
        }
        return best;
    }

    void add(const Group& group, Index fold) {
        ++dealt_;
        rows_[fold] += group.size();
        for (const auto& [c, rows] : group.classes) {
            auto& list = rows_of_class_[c];
            const auto known = std::ranges::find(list, fold, &FoldRows::fold);
            if (known == list.end()) {
                list.push_back({fold, rows});
            } else {
                known->rows += rows;
            }
        }
    }

  private:
    struct FoldRows {
        Index fold;
        Index rows;
    };

    Index dealt_ = 0;  // groups
    std::vector<Index> rows_;
    std::vector<Index> class_sizes_;
    // A table of all folds and classes could be much larger than the data.
    std::vector<std::vector<FoldRows>> rows_of_class_;
    std::vector<double> unevenness_;
};

}  // namespace

Index group_count(std::span<const std::int64_t> groups) {
    std::vector<std::int64_t> sorted(groups.begin(), groups.end());
    std::ranges::sort(sorted);
    return std::unique(sorted.begin(), sorted.end()) - sorted.begin();
}

std::vector<Index> group_folds(const Dataset& data, Index folds, std::uint64_t seed) {
    const auto of_class = classes_of(data);
    const auto sorted = rows_by_group(data, of_class);
    auto groups = groups_of(data, sorted, of_class);
    if (folds < 2 || folds > std::ssize(groups)) {
        fail(Status::invalid_argument, "folds cannot be ", folds, " for rows of ", groups.size(),
             groups.size() == 1 ? " group" : " groups",
             ", none of which is divided: allowed is 2 to the number of groups");
    }
    sort_for_dealing(groups, seed);
    Folds dealt(folds, of_class);
    std::vector<Index> fold_of(data.rows());
    for (const Group& group : groups) {
        const Index fold = dealt.best_for(group);
        dealt.add(group, fold);
        for (const Index i : group.rows) fold_of[i] = fold;
    }
    return fold_of;
}

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

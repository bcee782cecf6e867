// SPDX-License-Identifier: Apache-2.0
#include "data/split.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "machine/common_parameters.hpp"
#include "support.hpp"

namespace dk::test::group_folds_test {
namespace {

using Ids = std::vector<std::int64_t>;

/// Makes rows of groups 1, 2, ... of these sizes. Rows of different groups stand in turn.
Dataset grouped(const std::vector<Index>& sizes) {
    Ids ids;
    for (Index turn = 0; turn < std::ranges::max(sizes); ++turn) {
        for (std::size_t g = 0; g < sizes.size(); ++g) {
            if (turn < sizes[g]) ids.push_back(static_cast<std::int64_t>(g + 1));
        }
    }
    const Index rows = std::ssize(ids);
    Dataset data = dense(rows, 1, std::vector<double>(rows));
    data.groups = ids;
    return data;
}

/// Gives the groups in each fold. A group in two folds is a failure.
std::vector<std::set<std::int64_t>> groups_in(const Dataset& data, std::span<const Index> fold_of,
                                              Index folds) {
    std::vector<std::set<std::int64_t>> found(folds);
    std::map<std::int64_t, Index> fold_of_group;
    for (std::size_t i = 0; i < fold_of.size(); ++i) {
        found.at(fold_of[i]).insert(data.groups[i]);
        const auto known = fold_of_group.emplace(data.groups[i], fold_of[i]).first;
        EXPECT_EQ(known->second, fold_of[i]) << "group " << data.groups[i] << " straddles";
    }
    return found;
}

using Sets = std::vector<std::set<std::int64_t>>;

TEST(GroupFolds, GoldenOfTheRule) {
    const Dataset data = grouped({3, 4, 2, 1, 2});
    const Sets expected{{2}, {1, 4}, {3, 5}};
    EXPECT_EQ(groups_in(data, stratified_folds(data, 3, rule_seed), 3), expected);
    Dataset labelled = data;
    labelled.labels = labels_from_integers(Ids(12, 7));
    EXPECT_EQ(groups_in(data, stratified_folds(labelled, 3, rule_seed), 3), expected)
        << "one class is as good as none";
    labelled.labels.reset();
    labelled.targets = normal_values(12, 1);
    EXPECT_EQ(groups_in(data, stratified_folds(labelled, 3, rule_seed), 3), expected)
        << "targets do not matter";
}

TEST(GroupFolds, TheSeedOfTheRuleIsTheDefault) {
    EXPECT_EQ(parameter::seed.default_value, static_cast<std::int64_t>(rule_seed));
}

TEST(GroupFolds, TiesGoToTheSmallerNumberAndTheFirstFold) {
    Dataset data = grouped({2, 2, 2, 2});
    for (auto& id : data.groups) id = -id;  // So the fourth group has the smallest number.
    EXPECT_EQ(groups_in(data, group_folds(data, 3, rule_seed), 3), (Sets{{-4, -1}, {-3}, {-2}}));
}

TEST(GroupFolds, ClassesAreSpreadAsFarAsGroupsAllow) {
    // By size alone the classes A, B, A, B would meet in pairs of one class.
    Dataset data = grouped({2, 2, 2, 2});
    Ids labels;
    for (const auto id : data.groups) labels.push_back(id % 2);
    EXPECT_EQ(groups_in(data, group_folds(data, 2, rule_seed), 2), (Sets{{1, 3}, {2, 4}}));
    data.labels = labels_from_integers(labels);
    EXPECT_EQ(groups_in(data, group_folds(data, 2, rule_seed), 2), (Sets{{1, 4}, {2, 3}}));
}

/// The unevenness that group_folds() keeps small, by its definition.
double unevenness(const std::vector<std::vector<double>>& counts, std::span<const double> class_sizes) {
    double sum = 0;
    for (const auto& of_fold : counts) {
        for (std::size_t c = 0; c < class_sizes.size(); ++c) {
            const double share = of_fold[c] / class_sizes[c] - 1.0 / static_cast<double>(counts.size());
            sum += share * share;
        }
    }
    return sum;
}

/// Says how many rows of each class, which are numbered without gaps, are in each fold.
std::vector<std::vector<double>> class_counts(const Dataset& data, std::span<const Index> fold_of,
                                              Index folds) {
    std::vector<std::vector<double>> counts(folds, std::vector<double>(data.labels->classes()));
    for (std::size_t i = 0; i < fold_of.size(); ++i) ++counts[fold_of[i]][data.labels->of_rows[i]];
    return counts;
}

std::vector<double> class_sizes(const Dataset& data) {
    std::vector<double> sizes(data.labels->classes());
    for (const Index c : data.labels->of_rows) ++sizes[c];
    return sizes;
}

/// Makes rows of up to 14 groups of any sizes and numbers, in any order, with up to four classes.
Dataset random_groups(std::mt19937_64& random) {
    const auto below = [&](std::uint64_t bound) { return static_cast<Index>(random() % bound); };
    const Index groups = 2 + below(13);
    Ids ids;
    for (Index g = 0; g < groups; ++g) {
        const auto id = static_cast<std::int64_t>(random());
        ids.insert(ids.end(), 1 + below(9), id);
    }
    std::ranges::shuffle(ids, random);
    Ids labels;
    const Index classes = 1 + below(4);
    for (std::size_t i = 0; i < ids.size(); ++i) labels.push_back(below(classes));
    const Index rows = std::ssize(ids);
    Dataset data = with_labels(dense(rows, 1, std::vector<double>(rows)), labels);
    data.groups = ids;
    return data;
}

TEST(GroupFolds, NoGroupStraddlesAndNoFoldIsEmpty) {
    std::mt19937_64 random(11);
    for (int trial = 0; trial < 500; ++trial) {
        Dataset data = random_groups(random);
        const Index groups = group_count(data.groups);
        const Index folds = 2 + static_cast<Index>(random() % static_cast<std::uint64_t>(groups - 1));
        const std::uint64_t seed = trial % 3 == 0 ? rule_seed : random();
        for (const auto& of_fold : groups_in(data, stratified_folds(data, folds, seed), folds))
            EXPECT_FALSE(of_fold.empty()) << "trial " << trial;
        data.labels.reset();
        std::vector<Index> sizes(folds);
        const auto fold_of = stratified_folds(data, folds, seed);
        groups_in(data, fold_of, folds);
        for (const Index f : fold_of) ++sizes[f];
        std::map<std::int64_t, Index> group_sizes;
        for (const auto id : data.groups) ++group_sizes[id];
        Index largest = 0;
        for (const auto& [id, size] : group_sizes) largest = std::max(largest, size);
        EXPECT_LE(std::ranges::max(sizes) - std::ranges::min(sizes), largest) << "trial " << trial;
    }
}

/// Deals out the groups as the documentation says, fold by fold and with the whole sum each time.
std::vector<Index> folds_by_definition(const Dataset& data, Index folds) {
    std::map<std::int64_t, std::vector<Index>> rows_of;
    for (Index i = 0; i < data.rows(); ++i) rows_of[data.groups[i]].push_back(i);
    std::vector<std::vector<Index>> order;
    for (const auto& [id, rows] : rows_of) order.push_back(rows);
    std::ranges::stable_sort(order, std::greater<>(), [](const auto& rows) { return rows.size(); });
    std::vector<std::vector<double>> counts(folds, std::vector<double>(data.labels->classes()));
    const auto sizes = class_sizes(data);
    std::vector<Index> fold_of(data.rows());
    for (const auto& rows : order) {
        Index best = -1;
        double least = 0;
        double fewest = 0;
        for (Index f = 0; f < folds; ++f) {
            const double filled = std::accumulate(counts[f].begin(), counts[f].end(), 0.0);
            auto tried = counts;
            for (const Index i : rows) ++tried[f][data.labels->of_rows[i]];
            const double uneven = unevenness(tried, sizes);
            const bool equal = std::abs(uneven - least) < 1e-10;
            if (best < 0 || (equal ? filled < fewest : uneven < least)) {
                best = f;
                least = uneven;
                fewest = filled;
            }
        }
        for (const Index i : rows) {
            fold_of[i] = best;
            ++counts[best][data.labels->of_rows[i]];
        }
    }
    return fold_of;
}

TEST(GroupFolds, AreThoseOfTheDefinition) {
    std::mt19937_64 random(12);
    for (int trial = 0; trial < 200; ++trial) {
        const Dataset data = random_groups(random);
        const Index folds = std::min<Index>(group_count(data.groups), 2 + trial % 4);
        EXPECT_EQ(group_folds(data, folds, rule_seed), folds_by_definition(data, folds)) << "trial " << trial;
    }
}

TEST(GroupFolds, LabelsMakeTheClassesMoreEven) {
    std::mt19937_64 random(13);
    double with = 0;
    double without = 0;
    for (int trial = 0; trial < 50; ++trial) {
        Dataset data = random_groups(random);
        // Each group is mostly of one class, as the recordings of one patient are.
        Ids labels;
        for (const auto id : data.groups) labels.push_back(random() % 5 == 0 ? 0 : (id >> 8) & 1);
        data.labels = labels_from_integers(labels);
        const auto sizes = class_sizes(data);
        Dataset unlabelled = data;
        unlabelled.labels.reset();
        with += unevenness(class_counts(data, group_folds(data, 2, rule_seed), 2), sizes);
        without += unevenness(class_counts(data, group_folds(unlabelled, 2, rule_seed), 2), sizes);
    }
    EXPECT_LT(with, 0.6 * without);
}

TEST(GroupFolds, DoNotDependOnTheOrderOfTheRows) {
    std::mt19937_64 random(14);
    const Dataset data = random_groups(random);
    std::vector<Index> order(data.rows());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::shuffle(order, random);
    for (const std::uint64_t seed : {1U, 2U}) {
        const auto fold_of = group_folds(data, 2, seed);
        const auto shuffled = group_folds(data.select(order), 2, seed);
        for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(shuffled[i], fold_of[order[i]]);
    }
}

TEST(GroupFolds, OtherSeedsGiveOtherFolds) {
    const Dataset data = grouped({9, 10, 11, 12, 13, 14, 15, 8});
    EXPECT_EQ(group_folds(data, 4, 5), group_folds(data, 4, 5));
    std::set<Sets> different;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Sets found = groups_in(data, group_folds(data, 4, seed), 4);
        std::ranges::sort(found);
        different.insert(found);
    }
    EXPECT_GE(different.size(), 8U) << "of 10 seeds, though no two groups have the same size";
}

TEST(GroupFolds, AtMostAsManyAsGroups) {
    Dataset data = grouped({3, 4, 2});
    EXPECT_EQ(most_folds(data), 3);
    EXPECT_EQ(groups_in(data, stratified_folds(data, 3, 9), 3).size(), 3U);
    const std::string message =
        message_of(Status::invalid_argument, [&] { stratified_folds(data, 4, rule_seed); });
    EXPECT_NE(message.find("4"), std::string::npos) << message;
    EXPECT_NE(message.find("3 groups"), std::string::npos) << message;
    message_of(Status::invalid_argument, [&] { stratified_folds(data, 1, rule_seed); });
    data.groups.assign(9, 5);
    EXPECT_EQ(most_folds(data), 1);
    message_of(Status::invalid_argument, [&] { stratified_folds(data, 2, rule_seed); });
    data.groups.clear();
    EXPECT_EQ(most_folds(data), 9);
}

TEST(GroupFolds, ManyClassesAndFoldsTakeLittleMemory) {
    constexpr Index rows = 4000;  // A table of all folds and classes would have 16 million numbers.
    Ids labels(rows);
    std::iota(labels.begin(), labels.end(), 0);
    Dataset data = with_labels(dense(rows, 1, std::vector<double>(rows)), labels);
    data.groups = labels;
    auto fold_of = group_folds(data, rows, 3);
    std::ranges::sort(fold_of);
    for (Index i = 0; i < rows; ++i) ASSERT_EQ(fold_of[i], i);
}

}  // namespace
}  // namespace dk::test::group_folds_test

// SPDX-License-Identifier: Apache-2.0
// Prototypes without coordinates, which move by edits: strings, series, and rows that are only known by their
// similarities.
#include <algorithm>
#include <set>

#include "data/characters.hpp"
#include "machine/super_sparse/prototype_edits.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"
#include "support.hpp"

namespace dk::test::prototype_edits_test {
namespace {

SuperSparseTargets targets_of(const Vector& values) {
    return {{values.begin(), values.end()},
            1,
            std::vector<double>(values.size(), 1.0 / static_cast<double>(values.size()))};
}

/// Gives the targets that one prototype makes: its similarities to the rows.
SuperSparseTargets targets_made_by(const KernelPointer& kernel, const Dataset& data, const Dataset& point) {
    BegunControl control;
    Vector values(data.rows());
    GramEngine<double>(kernel, data, point, &control).matrices(values.data(), control);
    return targets_of(values);
}

void expect_falling(const SuperSparseSolution& found) {
    for (std::size_t t = 1; t < found.objectives.size(); ++t)
        EXPECT_LT(found.objectives[t], found.objectives[t - 1]);
}

TEST(PrototypeEdits, OfAStringAreAllChangesOfOneCharacter) {
    const Dataset rows(StringSet{{"ab", "cab"}});
    const auto edits = prototype_edits(rows, 1);
    const EditedPoints found = edits->edits_of(Dataset(StringSet{{"x", "ab"}}), 1);
    const auto& texts = found.points.strings().texts;
    const std::set<std::string> different(texts.begin(), texts.end());
    // Three characters can go to three places, two characters each become one of two others or none.
    const std::set<std::string> expected{"aab", "bab", "cab", "abb", "acb", "aba", "abc",
                                         "bb",  "cb",  "aa",  "ac",  "a",   "b"};
    EXPECT_EQ(different, expected);
}

TEST(PrototypeEdits, KeepCharactersThatTakeSeveralBytes) {
    const Dataset rows(StringSet{{"\u00e4\u20ac", "\U0001f600"}});
    const auto edits = prototype_edits(rows, 1);
    const auto found = edits->edits_of(Dataset(StringSet{{"\u20ac"}}), 0);
    for (const std::string& text : found.points.strings().texts) EXPECT_NO_THROW(characters_of(text));
    EXPECT_EQ(text_of(characters_of("a\u00e4\u20ac\U0001f600")), "a\u00e4\u20ac\U0001f600");
}

/// A string that is no row makes the targets. Starting at a row, edits find it, and no error is left.
TEST(PrototypeEdits, FindTheStringThatMadeTheTargets) {
    const Dataset data(StringSet{{"abcabc", "abcbca", "cbaabc", "aabbcc", "bcabca", "abccba", "ccbbaa",
                                  "acbacb", "bacbac", "cabcab", "bbbccc", "abab"}});
    const KernelPointer kernel = make_kernel("edit(gamma=0.3)", data);
    const SuperSparseTargets targets = targets_made_by(kernel, data, Dataset(StringSet{{"bbcaba"}}));
    BegunControl control;
    const SuperSparseOptions options{.prototypes = 1, .lambda = 1e-9};
    SuperSparseOptions still = options;
    still.moves = false;
    const auto row = fit_super_sparse(kernel, data, targets, still, control);
    const auto found = fit_super_sparse(kernel, data, targets, options, control);
    expect_falling(found);
    EXPECT_TRUE(found.converged);
    EXPECT_LT(found.objectives.back(), 0.2 * row.objectives.back());
    EXPECT_EQ(found.training_ids[0], -1);
}

TEST(PrototypeEdits, MoveSeriesBetweenTheRows) {
    SeriesSet rows{.channels = 1, .step_offsets = {0}};
    const auto add = [](SeriesSet& set, double phase, Index steps) {
        for (Index t = 0; t < steps; ++t)
            set.values.push_back(std::sin(0.6 * static_cast<double>(t) + phase));
        set.step_offsets.push_back(std::ssize(set.values));
    };
    for (Index i = 0; i < 16; ++i) add(rows, 0.4 * static_cast<double>(i), 9 + i % 4);
    const Dataset data(rows);
    const KernelPointer kernel = make_kernel("gak(sigma=2)", data);
    SeriesSet hidden{.channels = 1, .step_offsets = {0}};
    add(hidden, 1.0, 10);
    const SuperSparseTargets targets = targets_made_by(kernel, data, Dataset(hidden));
    BegunControl control;
    const SuperSparseOptions options{.prototypes = 1, .lambda = 1e-9};
    SuperSparseOptions still = options;
    still.moves = false;
    const auto row = fit_super_sparse(kernel, data, targets, still, control);
    const auto found = fit_super_sparse(kernel, data, targets, options, control);
    expect_falling(found);
    EXPECT_LT(found.objectives.back(), 0.5 * row.objectives.back());
    EXPECT_EQ(found.points.series().rows(), 1);
}

/// Of similarities alone, prototypes stay rows; edits end where no other row in place of one is better.
TEST(PrototypeEdits, ExchangeRowsUntilNoneIsBetter) {
    const Index n = 20;
    const Dataset points = dense(n, 2, normal_values(2 * n, 3));
    BegunControl control;
    std::vector<double> values(n * n);
    GramEngine<double>(make_kernel("rbf(gamma=0.5)", points), points, points, &control)
        .matrices(values.data(), control);
    GramMatrices gram{1, n, n};
    gram.values = values;
    const Dataset data(gram);
    const KernelPointer kernel = make_kernel("gram(0)", data);
    const Vector y = as_vector(normal_values(n, 9));
    const SuperSparseTargets targets = targets_of(y);
    const SuperSparseOptions options{.prototypes = 2, .lambda = 1e-3};
    const auto found = fit_super_sparse(kernel, data, targets, options, control);
    expect_falling(found);
    ASSERT_EQ(found.training_ids.size(), 2U);
    for (Index j = 0; j < 2; ++j) {
        for (Index other = 0; other < n; ++other) {
            std::vector<Index> ids = found.training_ids;
            ids[j] = other;
            const SuperSparseSolution start{.points = data.select(ids), .training_ids = ids};
            SuperSparseOptions still = options;
            still.moves = false;
            const auto tried = fit_super_sparse(kernel, data, targets, still, control, &start);
            EXPECT_GE(tried.objectives.back(), found.objectives.back() * (1 - 1e-8));
        }
    }
}

TEST(PrototypeEdits, AreNoneOfRowsWithCoordinates) {
    EXPECT_EQ(prototype_edits(dense(3, 2, normal_values(6, 1)), 1), nullptr);
}

}  // namespace
}  // namespace dk::test::prototype_edits_test

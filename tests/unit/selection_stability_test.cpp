// SPDX-License-Identifier: Apache-2.0
// How alike selections are, against values by hand.
#include "pipeline/validation/selection_stability.hpp"

#include <cmath>

#include "support.hpp"

namespace dk::test::selection_stability_test {
namespace {

constexpr Member A = Member::absent;
constexpr Member L = Member::left;
constexpr Member S = Member::selected;

double jaccard_of(const std::vector<Member>& all, Index members) {
    BegunControl control(1);
    return jaccard_stability({all, members}, control);
}

double stability_of(const std::vector<Member>& all, Index members) {
    return selection_stability({all, members});
}

TEST(JaccardStability, ComparesMembersThatBothSelectionsHave) {
    // Members 1, 2, 3 are shared, of which the first selected 1 and the second 1 and 2.
    const std::vector<Member> two{S, S, L, L, A, A,  //
                                  A, S, S, L, S, A};
    EXPECT_DOUBLE_EQ(jaccard_of(two, 6), 0.5);
    // The third has member 3 in common with each, which none of them selected.
    std::vector<Member> all = two;
    all.insert(all.end(), {A, A, A, L, A, S});
    EXPECT_DOUBLE_EQ(jaccard_of(all, 6), 0.5);
    // The fourth shares 0 to 3 with the first, which selected the same, 1 to 3 with the second, and 3 and 5
    // with the third, of which both selected 5.
    all.insert(all.end(), {S, S, L, L, A, S});
    EXPECT_DOUBLE_EQ(jaccard_of(all, 6), (0.5 + 1 + 0.5 + 1) / 4);
}

TEST(JaccardStability, DoesNotExistWhereNoPairCounts) {
    EXPECT_TRUE(std::isnan(jaccard_of({S, L, A, L}, 2)));
    EXPECT_TRUE(std::isnan(jaccard_of({S, L}, 2)));
}

TEST(SelectionStability, IsThatOfNogueira) {
    EXPECT_DOUBLE_EQ(stability_of({S, L, S, S, L, S}, 3), 1);
    // Shares 1, 1/2, 1/2, 0: the mean variance 2 (1/4 + 1/4) / 4 is what chance gives, 1/2 (1 - 1/2).
    EXPECT_DOUBLE_EQ(stability_of({S, S, L, L, S, L, S, L}, 4), 0);
    // Shares 1, 2/3, 0: 1 - (1/3)(3/2)(2/9) / ((5/9)(4/9)) = 1 - (1/9)(81/20) = 11/20.
    EXPECT_NEAR(stability_of({S, S, L, S, S, L, S, L, L}, 3), 0.55, 1e-15);
}

TEST(SelectionStability, DoesNotExistWhereNothingIsSelected) {
    EXPECT_TRUE(std::isnan(stability_of(std::vector<Member>(9, S), 3)));
    EXPECT_TRUE(std::isnan(stability_of(std::vector<Member>(6, L), 2)));
    EXPECT_TRUE(std::isnan(stability_of({S, L}, 2)));
    EXPECT_FALSE(std::isnan(stability_of({S, S, S, L}, 2)));
}

}  // namespace
}  // namespace dk::test::selection_stability_test

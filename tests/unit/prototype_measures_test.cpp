// SPDX-License-Identifier: Apache-2.0
// The measures of dk prototypes-compare, against values by hand.
#include "prototype_measures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace command {
namespace {

TEST(PrototypePurity, IsTheLargestShareOfAClass) {
    const std::vector<int64_t> labels = {7, 7, -1, 7};
    EXPECT_DOUBLE_EQ(*purity(std::vector<double>{0.5, -0.25, 0.25, 0}, labels), 0.75);
    EXPECT_DOUBLE_EQ(*purity(std::vector<double>{0.25, 0, -0.75, 0}, labels), 0.75);
    EXPECT_DOUBLE_EQ(*purity(std::vector<double>{0, 0, 0, 2}, labels), 1);
}

TEST(PrototypePurity, DoesNotExistForFreeVectors) {
    EXPECT_FALSE(purity(std::vector<double>{0, 0}, std::vector<int64_t>{0, 1}));
}

// The mean of n rows of length 1 with the products s has |p|^2 = (1 + (n - 1) s) / n and the same distance to
// each; its compactness is exp(-2 (n - 1)(1 - s) / (1 + (n - 1) s)).
TEST(PrototypeCompactness, OfEqualWeights) {
    const double s = 0.65;
    const double distance = std::sqrt((1 - s) / 2);
    EXPECT_NEAR(
        *compactness(std::vector<double>{0.5, 0.5, 0}, std::vector<double>{distance, distance, 9}, true),
        0.654265252924, 1e-12);
    const double of_18 = std::sqrt(1 - (1 + 17 * s) / 18);
    EXPECT_NEAR(*compactness(std::vector<double>(18, 1.0 / 18), std::vector<double>(18, of_18), true),
                0.372487474504, 1e-12);
}

TEST(PrototypeCompactness, OfASingleRowIsOne) {
    EXPECT_EQ(*compactness(std::vector<double>{0, 1, 0}, {}, false), 1);
}

TEST(PrototypeCompactness, DoesNotExistWhereThePrototypesLengthIsNotKnown) {
    const std::vector<double> distances = {0.4, 0.4};
    EXPECT_TRUE(compactness(std::vector<double>{0.5, 0.5}, distances, true));
    EXPECT_FALSE(compactness(std::vector<double>{0, 0}, distances, true));
    EXPECT_FALSE(compactness(std::vector<double>{1.5, -0.5}, distances, true));
    EXPECT_FALSE(compactness(std::vector<double>{0.5, 0.6}, distances, true));
    EXPECT_FALSE(compactness(std::vector<double>{0.5, 0.5}, distances, false));
    EXPECT_FALSE(compactness(std::vector<double>{0.5, 0.5}, {}, true));
}

TEST(RowStability, ComparesRowsThatBothHalvesHave) {
    // Rows 1, 2, 3 are shared, of which the first half chose 1 and the second 1 and 2.
    const ChosenRows first{{0, 1, 2, 3}, {0, 1}};
    const ChosenRows second{{1, 2, 3, 4}, {1, 2, 4}};
    EXPECT_DOUBLE_EQ(*row_stability(std::vector<ChosenRows>{first, second}), 0.5);
    // The third half has row 3 in common with each, which none of them chose.
    const ChosenRows third{{3, 5}, {5}};
    EXPECT_DOUBLE_EQ(*row_stability(std::vector<ChosenRows>{first, second, third}), 0.5);
    // The fourth shares the rows 0 to 3 with the first, which chose the same, and 1 to 3 with the second.
    const ChosenRows fourth{{0, 1, 2, 3, 5}, {0, 1, 5}};
    EXPECT_DOUBLE_EQ(*row_stability(std::vector<ChosenRows>{first, second, fourth}), (0.5 + 1 + 0.5) / 3);
    EXPECT_FALSE(row_stability(std::vector<ChosenRows>{first, third}));
    EXPECT_FALSE(row_stability(std::vector<ChosenRows>{first}));
}

TEST(SelectionStability, IsThatOfNogueira) {
    using Subsets = std::vector<std::vector<bool>>;
    EXPECT_DOUBLE_EQ(*selection_stability(Subsets{{true, false, true}, {true, false, true}}), 1);
    // Shares 1, 1/2, 1/2, 0: the mean variance 2 (1/4 + 1/4) / 4 is what chance gives, 1/2 (1 - 1/2).
    EXPECT_DOUBLE_EQ(*selection_stability(Subsets{{true, true, false, false}, {true, false, true, false}}),
                     0);
    // Shares 1, 2/3, 0: 1 - (1/3)(3/2)(2/9) / ((5/9)(4/9)) = 1 - (1/9)(81/20) = 11/20.
    EXPECT_NEAR(*selection_stability(Subsets{{true, true, false}, {true, true, false}, {true, false, false}}),
                0.55, 1e-15);
}

TEST(SelectionStability, DoesNotExistWhereNothingIsSelected) {
    using Subsets = std::vector<std::vector<bool>>;
    EXPECT_FALSE(selection_stability(Subsets(3, {true, true, true})));
    EXPECT_FALSE(selection_stability(Subsets(3, {false, false})));
    EXPECT_FALSE(selection_stability(Subsets{{true, false}}));
    EXPECT_TRUE(selection_stability(Subsets{{true, true}, {true, false}}));
}

}  // namespace
}  // namespace command

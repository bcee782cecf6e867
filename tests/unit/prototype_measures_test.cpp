// SPDX-License-Identifier: Apache-2.0
// The measures of single prototypes, against values by hand.
#include "prototype/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dk::test::prototype_measures_test {
namespace {

/// The combination of the rows that have a weight.
RowCombination made_of(const std::vector<double>& weights) {
    RowCombination u;
    for (Index row = 0; row < std::ssize(weights); ++row) {
        if (weights[row] != 0) u.rows.push_back(row);
    }
    u.weights = as_vector(weights)(u.rows);
    return u;
}

TEST(PrototypePurity, IsTheLargestShareOfAClass) {
    const std::vector<Index> classes = {1, 1, 0, 1};
    EXPECT_DOUBLE_EQ(purity(made_of({0.5, -0.25, 0.25, 0}), classes), 0.75);
    EXPECT_DOUBLE_EQ(purity(made_of({0.25, 0, -0.75, 0}), classes), 0.75);
    EXPECT_DOUBLE_EQ(purity(made_of({0, 0, 0, 2}), classes), 1);
}

TEST(PrototypePurity, DoesNotExistForFreeVectors) {
    EXPECT_TRUE(std::isnan(purity(made_of({0, 0}), std::vector<Index>{0, 1})));
}

// The mean of n rows of length 1 with the products s has |p|^2 = (1 + (n - 1) s) / n; its compactness is
// exp(-2 (n - 1)(1 - s) / (1 + (n - 1) s)).
TEST(PrototypeCompactness, OfEqualWeights) {
    const double s = 0.65;
    EXPECT_NEAR(compactness(made_of({0.5, 0.5, 0}), (1 + s) / 2), 0.654265252924, 1e-12);
    const std::vector<double> of_18(18, 1.0 / 18);
    EXPECT_NEAR(compactness(made_of(of_18), (1 + 17 * s) / 18), 0.372487474504, 1e-12);
}

// A multiple of a prototype is the same one when it is brought to the length 1.
TEST(PrototypeCompactness, DoesNotDependOnTheLength) {
    EXPECT_NEAR(compactness(made_of({0.5, 0.5}), 0.825), compactness(made_of({2, 2}), 16 * 0.825), 1e-15);
}

TEST(PrototypeCompactness, OfASingleRowIsOne) {
    EXPECT_EQ(compactness(made_of({0, 1, 0}), std::nan("")), 1);
}

TEST(PrototypeCompactness, DoesNotExistWhereThePrototypesLengthIsNotKnown) {
    EXPECT_FALSE(std::isnan(compactness(made_of({0.5, 0.5}), 0.84)));
    EXPECT_TRUE(std::isnan(compactness(made_of({0, 0}), 0.84)));
    EXPECT_TRUE(std::isnan(compactness(made_of({1.5, -0.5}), 0.84)));
    EXPECT_TRUE(std::isnan(compactness(made_of({0.5, 0.5}), std::nan(""))));
    EXPECT_TRUE(std::isnan(compactness(made_of({0.5, 0.5}), 0)));
}

}  // namespace
}  // namespace dk::test::prototype_measures_test

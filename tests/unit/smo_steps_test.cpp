// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "support.hpp"

namespace dk::test::smo_steps_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 64, 127, 128, 129, 300};

template <typename V>
Index padded(Index count) {
    return (count + smo_padding<V> - 1) / smo_padding<V> * smo_padding<V>;
}

/// Variables of which some can rise, some fall, some both and some neither, with two rows of values behind
/// which stands what is no number.
template <typename T, typename V>
struct Variables {
    explicit Variables(Index count)
        : size(count),
          descent(normal_values(count, 5 + count)),
          rising(padded<V>(count), -infinity),
          falling(padded<V>(count), infinity),
          diagonal(padded<V>(count), 1) {
        for (Index t = 0; t < count; ++t) {
            if (t % 5 == 4) continue;
            if (t % 3 != 1) rising[t] = static_cast<V>(descent[t]);
            if (t % 3 != 2) falling[t] = static_cast<V>(descent[t]);
            diagonal[t] = static_cast<V>(3 + std::abs(descent[t]));
        }
        for (const std::uint64_t seed : {1, 2}) {
            const auto values = normal_values(count, seed);
            std::vector<T> row(values.begin(), values.end());
            row.resize(count + 16, std::numeric_limits<T>::quiet_NaN());
            rows.push_back(std::move(row));
        }
    }
    Index size;
    std::vector<double> descent;
    std::vector<V> rising;
    std::vector<V> falling;
    std::vector<V> diagonal;
    std::vector<std::vector<T>> rows;
};

template <typename T, typename V>
void expect_extremes(const Extremes& found, const Variables<T, V>& variables) {
    const auto highest = std::max_element(variables.rising.begin(), variables.rising.end());
    EXPECT_EQ(found.highest, *highest) << variables.size;
    EXPECT_EQ(found.lowest, *std::min_element(variables.falling.begin(), variables.falling.end()));
    EXPECT_EQ(found.highest_at, *highest == -infinity ? -1 : highest - variables.rising.begin())
        << variables.size;
}

/// The types of values and of the descent, and what rounding of the latter may change.
template <typename T, typename V>
struct Types {
    using Value = T;
    using Descent = V;
    using Own = Variables<T, V>;
    static constexpr double rounding = std::numeric_limits<V>::epsilon();
    static const SmoSteps<T, V>& steps() { return smo_steps<T, V>(); }
};

template <typename T>
class SmoStepsOf : public testing::Test {};
using Precisions = testing::Types<Types<double, double>, Types<float, double>, Types<float, float>>;
TYPED_TEST_SUITE(SmoStepsOf, Precisions);

TYPED_TEST(SmoStepsOf, ExtremesAreThoseOfVariablesThatCanMove) {
    for (const Index size : sizes) {
        typename TypeParam::Own variables(size);
        const auto extremes = [&] {
            return TypeParam::steps().extremes(variables.rising.data(), variables.falling.data(), size);
        };
        expect_extremes(extremes(), variables);
        // The first of equal ones is found, wherever they stand.
        for (const Index t : {size - 1, size / 2, size / 3}) {
            variables.rising[t] = 7;
            expect_extremes(extremes(), variables);
        }
        std::ranges::fill(variables.rising, -infinity);
        expect_extremes(extremes(), variables);
    }
}

TYPED_TEST(SmoStepsOf, StepMovesTheDescentByTheDifferenceOfRows) {
    for (const Index size : sizes) {
        typename TypeParam::Own variables(size);
        const typename TypeParam::Own before = variables;
        const double move = 0.37;
        const Extremes found =
            TypeParam::steps().step(variables.rows[0].data(), variables.rows[1].data(), move,
                                    variables.rising.data(), variables.falling.data(), size);
        for (Index t = 0; t < size; ++t) {
            const double difference =
                static_cast<double>(variables.rows[0][t]) - static_cast<double>(variables.rows[1][t]);
            const double moved = before.descent[t] - move * difference;
            for (const auto side : {&TypeParam::Own::rising, &TypeParam::Own::falling}) {
                if (std::isfinite((before.*side)[t])) {
                    EXPECT_NEAR((variables.*side)[t], moved, 5 * TypeParam::rounding * (1 + std::abs(moved)))
                        << size << " " << t;
                } else {
                    EXPECT_EQ((variables.*side)[t], (before.*side)[t]);
                }
            }
        }
        for (Index t = size; t < padded<typename TypeParam::Descent>(size); ++t) {
            EXPECT_EQ(variables.rising[t], -infinity);
            EXPECT_EQ(variables.falling[t], infinity);
        }
        expect_extremes(found, variables);
    }
}

TYPED_TEST(SmoStepsOf, PartnerGainsMost) {
    for (const Index size : sizes) {
        const typename TypeParam::Own variables(size);
        for (const double highest : {-10.0, 0.0, 3.0}) {
            const double own = 4;
            const auto gain = [&](Index t) {
                const double violation = highest - variables.falling[t];
                if (violation <= 0) return 0.0;
                const double value = variables.rows[0][t];
                return violation * violation /
                       std::max(own + variables.diagonal[t] - 2 * value, smallest_curvature);
            };
            double most = 0;
            for (Index t = 0; t < size; ++t) most = std::max(most, gain(t));
            const Index found =
                TypeParam::steps().partner(variables.rows[0].data(), own, variables.diagonal.data(),
                                           variables.falling.data(), highest, size);
            if (most == 0) {
                EXPECT_EQ(found, -1) << size;
            } else {
                ASSERT_GE(found, 0) << size;
                ASSERT_LT(found, size);
                EXPECT_GE(gain(found), (1 - 50 * TypeParam::rounding) * most) << size;
            }
        }
    }
}

/// The first of equal gains wins, also where a later one stands in an earlier lane.
TYPED_TEST(SmoStepsOf, PartnerIsTheFirstOfEqualOnes) {
    using V = typename TypeParam::Descent;
    constexpr Index lanes = smo_padding<V>;
    const Index size = 4 * lanes + 3;
    const std::vector<typename TypeParam::Value> row(size, 0);
    const std::vector<V> diagonal(padded<V>(size), 1);
    const auto partner_among = [&](const std::vector<Index>& candidates) {
        std::vector<V> falling(diagonal.size(), infinity);
        for (const Index t : candidates) falling[t] = -1;
        return TypeParam::steps().partner(row.data(), 1, diagonal.data(), falling.data(), 1, size);
    };
    EXPECT_EQ(partner_among({}), -1);
    for (Index first = 0; first < size; ++first) {
        for (Index second = first; second < size; ++second)
            EXPECT_EQ(partner_among({first, second}), first) << second;
    }
}

/// Gains that the type of the descent cannot hold are gains nevertheless.
TYPED_TEST(SmoStepsOf, PartnerIsFoundWhereGainsOverflowOrVanish) {
    using V = typename TypeParam::Descent;
    const Index size = 3 * smo_padding<V> + 5;
    const std::vector<typename TypeParam::Value> row(size, 0);
    const V tiny = std::sqrt(std::numeric_limits<V>::min());
    const V large = std::sqrt(std::numeric_limits<V>::max()) * 4;
    for (const auto& [violation, curvature] : {std::pair(tiny, V{1e30F}), std::pair(large, V{1}),
                                               std::pair(large / 8, V{0}), std::pair(large, V{1e30F})}) {
        const std::vector<V> diagonal(padded<V>(size), curvature);
        std::vector<V> falling(diagonal.size(), infinity);
        for (const Index t : {Index{6}, size / 2, size - 1}) falling[t] = -violation;
        const Index found =
            TypeParam::steps().partner(row.data(), 0, diagonal.data(), falling.data(), 0, size);
        EXPECT_TRUE(found >= 0 && found < size && falling[found] == -violation)
            << found << " of " << violation << " and " << curvature;
    }
}

TYPED_TEST(SmoStepsOf, ViolatorsAreTheWorstOfEveryLane) {
    using V = typename TypeParam::Descent;
    constexpr Index lanes = smo_padding<V>;
    for (const Index size : sizes) {
        const typename TypeParam::Own variables(size);
        std::vector<V> waiting(variables.rising.size(), -infinity);
        for (Index t = 0; t < size; ++t) waiting[t] = t % 4 == 3 ? -infinity : 0;
        for (const Extremes extremes : {Extremes{2, -1, 0}, Extremes{0.5, 0.25, 0}, Extremes{-9, 9, 0}}) {
            std::vector<V> violation(lanes, -1);
            std::vector<Index> at(lanes, -2);
            TypeParam::steps().violators(variables.rising.data(), variables.falling.data(), waiting.data(),
                                         extremes, size, violation.data(), at.data());
            for (Index lane = 0; lane < lanes; ++lane) {
                V most = 0;
                Index expected = -1;
                for (Index t = lane; t < size; t += lanes) {
                    const V above = variables.rising[t] - static_cast<V>(extremes.lowest);
                    const V below = static_cast<V>(extremes.highest) - variables.falling[t];
                    const V own = waiting[t] + std::max(above, below);
                    if (own > most) {
                        most = own;
                        expected = t;
                    }
                }
                EXPECT_EQ(at[lane], expected) << size << " " << lane;
                EXPECT_EQ(violation[lane], most) << size << " " << lane;
            }
        }
    }
}

}  // namespace
}  // namespace dk::test::smo_steps_test

// SPDX-License-Identifier: Apache-2.0
#include "solve/box/smo_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support.hpp"

namespace dk::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 64, 127, 128, 129, 300};

Index padded(Index count) {
    return (count + smo_padding<double> - 1) / smo_padding<double> * smo_padding<double>;
}

/// Variables of which some can rise, some fall, some both and some neither, with two rows of values behind
/// which stands what is no number.
template <typename T>
struct Variables {
    explicit Variables(Index count)
        : size(count),
          descent(normal_values(count, 5 + count)),
          rising(padded(count), -infinity),
          falling(padded(count), infinity),
          diagonal(padded(count), 1) {
        for (Index t = 0; t < count; ++t) {
            if (t % 5 == 4) continue;
            if (t % 3 != 1) rising[t] = descent[t];
            if (t % 3 != 2) falling[t] = descent[t];
            diagonal[t] = 3 + std::abs(descent[t]);
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
    std::vector<double> rising;
    std::vector<double> falling;
    std::vector<double> diagonal;
    std::vector<std::vector<T>> rows;
};

template <typename T>
void expect_extremes(const Extremes& found, const Variables<T>& variables) {
    const auto highest = std::max_element(variables.rising.begin(), variables.rising.end());
    EXPECT_EQ(found.highest, *highest) << variables.size;
    EXPECT_EQ(found.lowest, *std::min_element(variables.falling.begin(), variables.falling.end()));
    EXPECT_EQ(found.highest_at, *highest == -infinity ? -1 : highest - variables.rising.begin())
        << variables.size;
}

template <typename T>
class SmoSteps : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(SmoSteps, Precisions);

TYPED_TEST(SmoSteps, ExtremesAreThoseOfVariablesThatCanMove) {
    for (const Index size : sizes) {
        Variables<TypeParam> variables(size);
        const auto extremes = [&] {
            return smo_steps<TypeParam, double>().extremes(variables.rising.data(), variables.falling.data(), size);
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

TYPED_TEST(SmoSteps, StepMovesTheDescentByTheDifferenceOfRows) {
    for (const Index size : sizes) {
        Variables<TypeParam> variables(size);
        const Variables<TypeParam> before = variables;
        const double move = 0.37;
        const Extremes found =
            smo_steps<TypeParam, double>().step(variables.rows[0].data(), variables.rows[1].data(), move,
                                        variables.rising.data(), variables.falling.data(), size);
        for (Index t = 0; t < size; ++t) {
            const double difference =
                static_cast<double>(variables.rows[0][t]) - static_cast<double>(variables.rows[1][t]);
            const double moved = before.descent[t] - move * difference;
            for (const auto side : {&Variables<TypeParam>::rising, &Variables<TypeParam>::falling}) {
                if (std::isfinite((before.*side)[t])) {
                    EXPECT_NEAR((variables.*side)[t], moved, 1e-15 * (1 + std::abs(moved)))
                        << size << " " << t;
                } else {
                    EXPECT_EQ((variables.*side)[t], (before.*side)[t]);
                }
            }
        }
        for (Index t = size; t < padded(size); ++t) {
            EXPECT_EQ(variables.rising[t], -infinity);
            EXPECT_EQ(variables.falling[t], infinity);
        }
        expect_extremes(found, variables);
    }
}

TYPED_TEST(SmoSteps, PartnerGainsMost) {
    for (const Index size : sizes) {
        const Variables<TypeParam> variables(size);
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
                smo_steps<TypeParam, double>().partner(variables.rows[0].data(), own, variables.diagonal.data(),
                                               variables.falling.data(), highest, size);
            if (most == 0) {
                EXPECT_EQ(found, -1) << size;
            } else {
                ASSERT_GE(found, 0) << size;
                ASSERT_LT(found, size);
                EXPECT_GE(gain(found), (1 - 1e-14) * most) << size;
            }
        }
    }
}

}  // namespace
}  // namespace dk::test

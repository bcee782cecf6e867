// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernel/maps/maps.hpp"
#include "support.hpp"

namespace dk::test::pair_sums_test {
namespace {

constexpr PairSum sums[] = {PairSum::absolute, PairSum::squared, PairSum::unlikeness, PairSum::chi_square,
                            PairSum::harmonic, PairSum::minimum, PairSum::spline};

/// Values are at least 0.
double term(PairSum sum, double x, double z) {
    const double total = x + z;
    switch (sum) {
        case PairSum::absolute:
            return std::abs(x - z);
        case PairSum::squared:
            return (x - z) * (x - z);
        case PairSum::unlikeness:
            return 1 - std::exp(-0.7 * (x - z) * (x - z));
        case PairSum::chi_square:
            return total == 0 ? 0 : (x - z) * (x - z) / total;
        case PairSum::harmonic:
            return total == 0 ? 0 : 2 * x * z / total;
        case PairSum::minimum:
            return std::min(x, z);
        case PairSum::spline:
            return x * z * (1 + std::min(x, z)) - 0.5 * (x + z) * std::pow(std::min(x, z), 2) +
                   std::pow(std::min(x, z), 3) / 3;
    }
    return 0;
}

/// Values of at least 0, of which some are 0.
template <typename T>
std::vector<T> amounts(Index count, std::uint64_t seed) {
    std::vector<T> values;
    for (const double v : normal_values(count, seed)) values.push_back(static_cast<T>(std::max(0.0, v)));
    return values;
}

/// A tile of pairs whose rows have gaps between them, in which a mark stands.
template <typename T>
struct Tile {
    static constexpr Index gap = 3;
    static constexpr T mark = 77;
    Tile(PairSum sum, Index first, Index rows, Index cols, Index depth)
        : stride(cols + gap), out(rows * stride + gap, mark) {
        const auto x = amounts<T>(20 * (depth + gap), 1);
        const auto z = amounts<T>((depth + 1) * (cols + gap), 2);
        tile_maps<T>().pair_sums({sum, 0.7}, x.data() + first * (depth + gap), depth + gap, rows, z.data(),
                                 cols + gap, cols, depth, out.data(), stride);
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < cols; ++j) {
                double expected = 0;
                for (Index k = 0; k < depth; ++k) {
                    const double next =
                        term(sum, x[(first + i) * (depth + gap) + k], z[k * (cols + gap) + j]);
                    expected = sum == PairSum::spline ? (1 + expected) * (1 + next) - 1 : expected + next;
                }
                const double rounding = 8 * (1 + depth) * std::numeric_limits<T>::epsilon();
                EXPECT_NEAR(out[i * stride + j], expected, rounding * (1 + expected)) << i << " " << j;
            }
        }
    }
    Index stride;
    std::vector<T> out;
};

template <typename T>
class PairSumsOf : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(PairSumsOf, Precisions);

/// Of any number of rows and columns, each pair has its sum, which is the same bits when its row is alone,
/// and what stands between and behind the rows stays.
TYPED_TEST(PairSumsOf, AreThoseOfEveryPairAlone) {
    for (const PairSum sum : sums) {
        for (const Index cols : {1, 3, 8, 15, 16, 17, 31, 32, 33, 70}) {
            for (const Index depth : {0, 1, 5}) {
                for (Index rows = 1; rows <= 9; ++rows) {
                    const Tile<TypeParam> tile(sum, 0, rows, cols, depth);
                    std::vector<TypeParam> rest = tile.out;
                    for (Index i = 0; i < rows; ++i) {
                        const Tile<TypeParam> alone(sum, i, 1, cols, depth);
                        for (Index j = 0; j < cols; ++j) {
                            EXPECT_EQ(tile.out[i * tile.stride + j], alone.out[j]) << rows << " " << i;
                            rest[i * tile.stride + j] = tile.mark;
                        }
                    }
                    EXPECT_EQ(rest, std::vector<TypeParam>(rest.size(), tile.mark)) << rows << " " << cols;
                }
            }
        }
    }
}

}  // namespace
}  // namespace dk::test::pair_sums_test

// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/tile_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace dk::tile_product_test {
namespace {

/// Compares every size around the ends of bands and vectors with the sums as they are written on paper.
template <typename T>
void compare_all_sizes() {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const Index rows : {1, 5, 6, 7, 13}) {
        for (const Index inner : {1, 7, 8, 16, 37, 128}) {
            for (const Index cols : {1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65}) {
                std::vector<T> a(static_cast<std::size_t>(rows * inner));
                std::vector<double> b(static_cast<std::size_t>(inner * cols));
                std::vector<double> out(static_cast<std::size_t>(rows * cols + 1));
                for (T& value : a) value = static_cast<T>(uniform(random));
                for (double& value : b) value = uniform(random);
                for (double& value : out) value = uniform(random);
                const std::vector<double> before = out;
                dk::add_tile_product(a.data(), inner, rows, inner, b.data(), cols, out.data());
                EXPECT_EQ(out.back(), before.back()) << "written behind the end";
                for (Index i = 0; i < rows; ++i) {
                    for (Index j = 0; j < cols; ++j) {
                        const auto e = static_cast<std::size_t>(i * cols + j);
                        long double sum = before[e];
                        for (Index k = 0; k < inner; ++k) {
                            sum += static_cast<long double>(a[static_cast<std::size_t>(i * inner + k)]) *
                                   b[static_cast<std::size_t>(k * cols + j)];
                        }
                        ASSERT_NEAR(out[e], static_cast<double>(sum), 1e-14 * static_cast<double>(inner + 1))
                            << rows << " x " << inner << " x " << cols;
                    }
                }
            }
        }
    }
}

TEST(TileProduct, AddsDoubleKernelValues) {
    compare_all_sizes<double>();
}

TEST(TileProduct, AddsSingleKernelValuesInDoublePrecision) {
    compare_all_sizes<float>();
}

}  // namespace
}  // namespace dk::tile_product_test

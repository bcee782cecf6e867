// SPDX-License-Identifier: Apache-2.0
// A source of some rows of another one has the values of that one to the last bit, though it would prepare
// these rows in another way if they were all that there are.
#include "kernel/gram/dataset_rows.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "kernel/gram/row_memory.hpp"
#include "support.hpp"

namespace dk::test::dataset_rows_test {
namespace {

constexpr Index rows = 90;

/// The first 30 rows are near the origin, the others far from it in one direction: their mean dominates all
/// rows, but not the first ones.
Dataset shifted(Index depth) {
    auto values = normal_values(rows * depth, 7);
    for (Index i = 30; i < rows; ++i) {
        for (Index j = 0; j < depth; ++j) values[i * depth + j] += 30;
    }
    return dense(rows, depth, std::move(values));
}

/// The first 30 rows are nearly empty, and all together are nearly dense.
Dataset partly_full(Index depth) {
    auto values = normal_values(rows * depth, 8);
    for (Index i = 0; i < 30; ++i) {
        for (Index j = 1; j < depth; ++j) values[i * depth + (i + j) % depth] = 0;
    }
    return to_sparse(dense(rows, depth, std::move(values)));
}

template <typename T>
void expect_same_values(const char* text, const Dataset& data) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, text);
    BegunControl control;
    const DatasetRows<T> whole(make_kernel(text, data), data, &control);
    std::vector<T> all(rows * rows);
    whole.matrix(all.data(), control);
    std::vector<Index> some(30);
    std::iota(some.begin(), some.end(), Index{0});
    std::vector<T> values(30 * 30);
    const auto expect_values = [&](const char* way) {
        for (Index i = 0; i < 30; ++i) {
            for (Index j = 0; j < 30; ++j)
                ASSERT_EQ(values[i * 30 + j], all[i * rows + j]) << way << i << " " << j;
        }
    };
    whole.block(some, values.data(), control);
    expect_values("block ");
    const auto part = whole.principal_submatrix(some, control);
    ASSERT_NE(part, nullptr);
    part->matrix(values.data(), control);
    expect_values("matrix ");
    part->rows(some, values.data(), control);
    expect_values("rows ");
    // A product with one weight is a column of values, but for k(x, x), which matrices have from self().
    const auto column = whole.product(some, std::vector<Index>{40}, std::vector<double>{1}, control);
    for (Index i = 0; i < 30; ++i) EXPECT_EQ(column[i], static_cast<double>(all[i * rows + 40])) << i;
}

TEST(DatasetRows, SomeRowsHaveTheValuesOfAll) {
    for (const char* text : {"rbf(gamma=0.002)", "matern(gamma=0.01)", "poly(degree=2)"}) {
        for (const Index depth : {8, 40}) {
            expect_same_values<float>(text, shifted(depth));
            expect_same_values<double>(text, shifted(depth));
            expect_same_values<float>(text, partly_full(depth));
            expect_same_values<double>(text, partly_full(depth));
        }
    }
}

TEST(DatasetRows, ProductsAtColumnsTakeEachPairOnce) {
    BegunControl control;
    const Dataset data = random_dense(rows, 5, 3);
    const DatasetRows<double> source(make_kernel("rbf(gamma=0.1)", data), data, &control);
    std::vector<double> all(rows * rows);
    source.matrix(all.data(), control);
    const std::vector<Index> wanted{1, 3, 4, 8, 20, 21, 60, 89};
    for (const std::vector<Index>& columns :
         {std::vector<Index>{3, 20, 89}, wanted, std::vector<Index>{1}, std::vector<Index>{2, 3},
          std::vector<Index>{20, 3}, std::vector<Index>{3, 3}, std::vector<Index>{}}) {
        const auto weights = normal_values(std::ssize(columns), 2);
        const auto product = source.product(wanted, columns, weights, control);
        ASSERT_EQ(product.size(), wanted.size());
        for (std::size_t r = 0; r < wanted.size(); ++r) {
            double expected = 0;
            for (std::size_t c = 0; c < columns.size(); ++c)
                expected += weights[c] * all[wanted[r] * rows + columns[c]];
            EXPECT_NEAR(product[r], expected, 1e-14) << r;
        }
    }
}

TEST(RowMemory, RowsOfEachPrecisionHaveTheirOwnPart) {
    RowMemory memory;
    const auto narrow = memory.take<float>(100);
    const auto wide = memory.take<double>(50);
    EXPECT_TRUE(memory.belongs_to<float>(narrow));
    EXPECT_TRUE(memory.belongs_to<double>(wide));
    EXPECT_NE(memory.take<double>(60), wide);
    EXPECT_FALSE(memory.belongs_to<double>(wide));
    EXPECT_TRUE(memory.belongs_to<float>(narrow));
    memory.keep_at_most<float>(100);
    EXPECT_TRUE(memory.belongs_to<float>(narrow));
    memory.keep_at_most<float>(99);
    EXPECT_FALSE(memory.belongs_to<float>(narrow));
    EXPECT_EQ(memory.size<float>(), 0);
    EXPECT_GE(memory.size<double>(), 60);
}

}  // namespace
}  // namespace dk::test::dataset_rows_test

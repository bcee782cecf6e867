// SPDX-License-Identifier: Apache-2.0
#include "prototype/inner_products.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "kernel/language/bank.hpp"
#include "support.hpp"

namespace dk::test::inner_products_test {
namespace {

/// Weights of `functions` functions over consecutive groups of rows, of which group g has a part in the
/// prototypes that part_of(g, p) names.
template <typename PartOf>
std::vector<WeightBlock> weights_of(std::span<const Index> groups, Index functions, PartOf part_of) {
    std::vector<WeightBlock> blocks;
    Index first = 0;
    for (Index g = 0; g < std::ssize(groups); ++g) {
        WeightBlock block{.first = first, .rows = groups[g]};
        for (Index p = 0; p < 2 * functions; ++p) {
            if (part_of(g, p)) block.columns.push_back(p);
        }
        block.weights = normal_values(block.rows * std::ssize(block.columns), 100 + g);
        first += block.rows;
        blocks.push_back(std::move(block));
    }
    return blocks;
}

Eigen::MatrixXd dense_weights(std::span<const WeightBlock> blocks, Index rows, Index prototypes) {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows, prototypes);
    for (const WeightBlock& block : blocks) {
        for (Index i = 0; i < block.rows; ++i) {
            for (std::size_t c = 0; c < block.columns.size(); ++c)
                all(block.first + i, block.columns[c]) = block.weights[i * block.columns.size() + c];
        }
    }
    return all;
}

template <typename T>
void expect_inner_products(std::span<const WeightBlock> blocks, Index rows, Index functions,
                           double tolerance) {
    const Dataset data = random_dense(rows, 5, 9);
    const GramEngine<T> engine(make_kernel("rbf(gamma=0.2)", data), data, data);
    const GramEngine<double> exact(make_kernel("rbf(gamma=0.2)", data), data, data);
    std::vector<double> bits;
    for (const int threads : {1, 3}) {
        BegunControl control;
        control.set_threads(threads);
        InnerProducts inner(blocks, functions, InnerProducts::Parts::norms_and_crossed);
        inner.add_all(engine, control);
        InnerProducts norms(blocks, functions, InnerProducts::Parts::norms_alone);
        norms.add_all(engine, control);
        Eigen::MatrixXd k(rows, rows);
        exact.matrices(k.data(), control);
        const Eigen::MatrixXd a = dense_weights(blocks, rows, 2 * functions);
        const Eigen::MatrixXd expected = a.transpose() * k * a;
        const double size = tolerance * (a.cwiseAbs().transpose() * k * a.cwiseAbs()).maxCoeff();
        for (Index p = 0; p < 2 * functions; ++p) {
            EXPECT_NEAR(inner.squared_norms()[p], expected(p, p), size);
            EXPECT_NEAR(norms.squared_norms()[p], expected(p, p), size);
        }
        for (Index f = 0; f < functions; ++f)
            EXPECT_NEAR(inner.crossed()[f], expected(2 * f, 2 * f + 1), size);
        std::vector<double> all = inner.squared_norms();
        all.insert(all.end(), inner.crossed().begin(), inner.crossed().end());
        all.insert(all.end(), norms.squared_norms().begin(), norms.squared_norms().end());
        if (bits.empty()) bits = all;
        EXPECT_EQ(bits, all);
    }
}

TEST(InnerProducts, OfPairsOfClasses) {
    const Index groups[] = {150, 3, 700, 20};
    // Function f is of the f-th pair (a, b) of these groups.
    const Index pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const auto blocks = weights_of(groups, 6, [&](Index g, Index p) { return pairs[p / 2][p % 2] == g; });
    expect_inner_products<double>(blocks, 873, 6, 1e-14);
    expect_inner_products<float>(blocks, 873, 6, 1e-6);
}

TEST(InnerProducts, OfFunctionsOfAllRows) {
    const Index one[] = {1300};
    expect_inner_products<double>(weights_of(one, 3, [](Index, Index) { return true; }), 1300, 3, 1e-14);
    const Index few[] = {40, 30};
    // The second function has rows of the second group alone, and a prototype without any.
    const auto blocks = weights_of(few, 2, [](Index g, Index p) { return p < 2 || (p == 2 && g == 1); });
    expect_inner_products<double>(blocks, 70, 2, 1e-14);
}

}  // namespace
}  // namespace dk::test::inner_products_test

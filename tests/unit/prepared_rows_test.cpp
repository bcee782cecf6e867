// SPDX-License-Identifier: Apache-2.0
// Rows that are prepared once give the same bits as rows that are prepared in every call.
#include "kernel/engine/prepared_rows.hpp"

#include "support.hpp"

namespace dk::test::prepared_rows_test {
namespace {

constexpr Index right_rows = 200;

template <typename T>
void expect_same_bits(const char* text, const Dataset& right, const Dataset& left) {
    BegunControl control;
    const auto kernel = make_kernel(text, right);
    const PreparedRows<T> prepared(*kernel, right, control);
    const GramEngine<T> engine(kernel, left, prepared, &control);
    std::vector<T> values(engine.rows() * engine.cols());
    engine.matrices(values.data(), control);
    EXPECT_EQ(values, gram_matrix<T>(kernel, left, right))
        << text << ", " << left.rows() << " rows of " << left.cols() << " columns";
    const auto weights = normal_values(right_rows * 2, 5);
    std::vector<double> product(engine.rows() * 2);
    std::vector<double> expected(product.size());
    engine.product(weights.data(), 2, product.data(), control);
    GramEngine<T>(kernel, left, right, &control).product(weights.data(), 2, expected.data(), control);
    EXPECT_EQ(product, expected) << text;
}

/// Leaves out values of less than `least`, of which sparse rows then have none.
Dataset thinned(const Dataset& data, double least) {
    std::vector<double> values = data.dense().values;
    for (double& v : values) v = std::abs(v) < least ? 0 : v;
    return to_sparse(dense(data.rows(), data.cols(), std::move(values)));
}

void expect_same_bits_everywhere(const char* text, const Dataset& right, const Dataset& left) {
    for (const double least :
         {0.0, 1.5}) {  // Sparse rows with nearly all values become dense, others do not.
        expect_same_bits<double>(text, thinned(right, least), thinned(left, least));
        expect_same_bits<float>(text, thinned(right, least), thinned(left, least));
    }
    expect_same_bits<double>(text, right, left);
    expect_same_bits<float>(text, right, left);
}

TEST(PreparedRows, GiveTheSameBits) {
    for (const Index columns : {5, 40}) {
        for (const double mean : {0.0, 100.0}) {
            const Dataset right = random_dense(right_rows, columns, 1, mean);
            for (const Index rows : {1, 3, 50}) {
                const Dataset left = random_dense(rows, columns, 2, mean);
                for (const char* text :
                     {"linear", "poly(degree=2)", "rbf(gamma=0.1)", "laplacian(gamma=0.1)", "arccos(1, 0)",
                      "on(0:2, rbf(gamma=1)) + linear * matern(gamma=0.2)", "normalize(poly(degree=3))"})
                    expect_same_bits_everywhere(text, right, left);
            }
        }
    }
}

/// Sparse rows of a prediction may have columns that the model's rows have not.
TEST(PreparedRows, KnowThatLeftRowsMayHaveFurtherColumns) {
    const Dataset right = to_sparse(random_dense(right_rows, 6, 3));
    const Dataset left = to_sparse(random_dense(4, 9, 4));
    for (const char* text : {"linear", "rbf(gamma=0.1)"}) expect_same_bits<double>(text, right, left);
}

TEST(PreparedRows, OfKernelsWithFactorsAreEmptyAndWork) {
    const Dataset right = random_dense(right_rows, 4, 5);
    expect_same_bits<double>("lowrank(rbf(gamma=0.1), rank=10)", right, random_dense(7, 4, 6));
}

}  // namespace
}  // namespace dk::test::prepared_rows_test

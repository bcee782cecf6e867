// SPDX-License-Identifier: Apache-2.0
// These tests compare kernel values from the engine with the definitions, which are computed one pair at a
// time in long double.
#include <algorithm>

#include "accuracy.hpp"
#include "kernel/algebra/algebra.hpp"

namespace dk::test::kernel_values_test {
namespace {

ReferenceKernel combined(const std::function<long double(long double, long double)>& operation,
                         const ReferenceKernel& a, const ReferenceKernel& b) {
    return [=](Point x, Point z) { return operation(a(x, z), b(x, z)); };
}

/// Gives kernels of every kind for data of the given scale |x|^2. Their gammas are exact in binary.
std::vector<Case> cases() {
    const auto linear = reference_linear();
    const auto rbf = reference_rbf(0.125L);
    const auto sum = [](long double a, long double b) { return 0.25L * a + 0.75L * b + 2; };
    const auto product = [](long double a, long double b) { return 3 * a * b; };
    return {
        {"linear", linear},
        {"poly(degree=1, gamma=0.5, coef0=0)", reference_poly(1, 0.5L, 0)},
        {"poly(degree=3, gamma=0.25, coef0=1)", reference_poly(3, 0.25L, 1)},
        {"poly(degree=7, gamma=0.0625, coef0=0.5)", reference_poly(7, 0.0625L, 0.5L)},
        {"rbf(gamma=0.125)", rbf},
        {"rbf(gamma=0.0009765625)", reference_rbf(0x1p-10L)},
        {"laplacian(gamma=0.0625)", reference_laplacian(0.0625L)},
        {"anova(gamma=0.125)", reference_anova(0.125L, 1)},
        {"anova(gamma=2, degree=3)", reference_anova(2, 3)},
        {"cauchy(gamma=0.125)", reference_cauchy(0.125L)},
        {"rational_quadratic(gamma=0.25, alpha=0.5)", reference_rational_quadratic(0.25L, 0.5L)},
        {"rational_quadratic(gamma=0.125, alpha=1024)", reference_rational_quadratic(0.125L, 1024)},
        {"exponential(gamma=0.25)", reference_exponential(0.25L)},
        {"bessel(gamma=0.125)", reference_bessel(0.125L, 1)},
        {"bessel(gamma=0.0625, order=7)", reference_bessel(0.0625L, 7)},
        {"bessel(gamma=8, order=3)", reference_bessel(8, 3)},
        {"spline", reference_spline()},
        {"matern(gamma=0.125, nu=0.5)", reference_matern(0.125L, 0.5)},
        {"matern(gamma=0.125, nu=1.5)", reference_matern(0.125L, 1.5)},
        {"matern(gamma=0.0625, nu=2.5)", reference_matern(0.0625L, 2.5)},
        {"circular(gamma=0.125)", reference_circular(0.125L)},
        {"circular(gamma=0.00048828125)", reference_circular(0x1p-11L)},
        {"spherical(gamma=0.125)", reference_spherical(0.125L)},
        {"spherical(gamma=0.00048828125)", reference_spherical(0x1p-11L)},
        {"cosine", reference_normalised(linear)},
        {"sigmoid(gamma=0.015625, coef0=-0.5)", reference_sigmoid(0x1p-6L, -0.5L)},
        {"sigmoid(gamma=9.313225746154785e-10)", reference_sigmoid(0x1p-30L, 0)},
        {"arccos(0)", reference_arccos({0})},
        {"arccos(1)", reference_arccos({1})},
        {"arccos(2)", reference_arccos({2})},
        {"arccos(3)", reference_arccos({3})},
        {"arccos(1, 0)", reference_arccos({1, 0})},
        {"arccos(0, 1, 2)", reference_arccos({0, 1, 2})},
        {"arccos(3, 2, 1, 0)", reference_arccos({3, 2, 1, 0})},
        {"arccos(2, 3)", reference_arccos({2, 3})},
        {"normalize(arccos(1, 1, 1))", reference_normalised_arccos({1, 1, 1})},
        {"normalize(linear)", reference_normalised(linear)},
        {"normalize(poly(degree=2, gamma=1, coef0=1))", reference_normalised(reference_poly(2, 1, 1))},
        {"(0.25*linear + 0.5)^3", reference_poly(3, 0.25L, 0.5L)},
        {"(rbf(gamma=0.125))^2", reference_rbf(0.25L)},
        {"0.25*linear + 0.75*rbf(gamma=0.125) + 2", combined(sum, linear, rbf)},
        {"3*linear*rbf(gamma=0.125)", combined(product, linear, rbf)},
        {"exp(0.5*normalize(linear))",
         [n = reference_normalised(linear)](Point x, Point z) { return std::exp(0.5L * n(x, z)); }},
        {"exp(rbf(gamma=0.125))", [rbf](Point x, Point z) { return std::exp(rbf(x, z)); }},
        {"-2*linear + -1", [linear](Point x, Point z) { return -2 * linear(x, z) - 1; }},
        {"2.5", [](Point, Point) { return 2.5L; }},
    };
}

/// The reference integrates every layer of an arc-cosine kernel, which takes its time.
bool quick(const Case& kernel) {
    return kernel.text.find("arccos") == std::string::npos || kernel.text == "arccos(1, 0)";
}

TEST(KernelValues, SquareOfEveryTileEdge) {
    for (const Index rows : {1, 2, 127, 128, 129}) {
        const Dataset data = random_dense(rows, 5, 100 + static_cast<std::uint64_t>(rows));
        for (const auto& kernel : cases()) {
            if (rows <= 2 || quick(kernel)) expect_accurate(kernel, data, data);
        }
    }
}

TEST(KernelValues, ThreeHundredRows) {
    const Dataset data = random_dense(300, 16, 7);
    for (const auto& kernel : cases()) {
        if (kernel.text.find("arccos") == std::string::npos) expect_accurate(kernel, data, data);
    }
}

TEST(KernelValues, HighDegrees) {
    const Dataset data = random_dense(50, 5, 8);
    expect_accurate({"poly(degree=100, gamma=0.0078125, coef0=1)", reference_poly(100, 0x1p-7L, 1)}, data,
                    data);
    expect_accurate({"poly(degree=64, gamma=0.5, coef0=0)", reference_poly(64, 0.5L, 0)}, data, data);
}

TEST(KernelValues, DifferentSides) {
    for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 130}, {130, 1}, {40, 131}, {129, 17}}) {
        const Dataset left = random_dense(rows, 3, 21);
        const Dataset right = random_dense(cols, 3, 22);
        for (const auto& kernel : cases()) expect_accurate(kernel, left, right);
    }
}

TEST(KernelValues, FewAndManyColumns) {
    for (const Index columns : {1, 2, 33, 1000}) {
        const Dataset left = random_dense(31, columns, 31);
        const Dataset right = random_dense(19, columns, 32);
        for (const auto& kernel : cases()) expect_accurate(kernel, left, right);
        for (const auto& kernel : cases()) expect_accurate(kernel, left, left);
    }
}

TEST(KernelValues, LargeOffset) {
    const Dataset left = random_dense(70, 16, 41, 1000, 1);
    const Dataset right = random_dense(60, 16, 42, 1000, 1);
    for (const auto& kernel : cases()) {
        expect_accurate(kernel, left, left);
        expect_accurate(kernel, left, right);
    }
}

/// An offset that only some of the rows have cannot be subtracted from all of them.
TEST(KernelValues, TwoDistantGroups) {
    auto values = normal_values(60 * 4, 43, 1000, 1);
    for (std::size_t e = 0; e < values.size() / 2; ++e) values[e] -= 2000;
    const Dataset data = dense(60, 4, values);
    for (const auto& kernel : cases()) expect_accurate(kernel, data, data);
}

TEST(KernelValues, LargeGamma) {
    const Dataset data = random_dense(90, 6, 51);
    const Dataset tight = random_dense(90, 6, 52, 3, 1e-4);
    for (const int exponent : {7, 14, 25}) {
        const long double gamma = std::ldexp(1.0L, exponent);
        const std::string value = "(gamma=" + format_number(static_cast<double>(gamma)) + ")";
        for (const Dataset* set : {&data, &tight}) {
            expect_accurate({"rbf" + value, reference_rbf(gamma)}, *set, *set);
        }
        expect_accurate({"laplacian" + value, reference_laplacian(gamma / 1)}, data, data);
    }
}

/// Makes rows that are equal, or differ by parts in 1e3, 1e6, ... of their length.
Dataset close_rows(Index columns, double offset) {
    const auto direction = normal_values(columns, 61, offset);
    const auto other = normal_values(columns, 62);
    std::vector<double> values;
    for (int step = 0; step <= 15; ++step) {
        const double size = step == 15 ? 0 : std::pow(10.0, -step);
        for (std::size_t j = 0; j < direction.size(); ++j) values.push_back(direction[j] + size * other[j]);
    }
    for (const double v : direction) values.push_back(-v);
    for (const double v : direction) values.push_back(3 * v);
    values.insert(values.end(), direction.begin(), direction.end());
    return dense(std::ssize(values) / columns, columns, values);
}

/// Rows of few columns are all subtracted from each other; of rows of many columns, only close pairs are.
TEST(KernelValues, NearlyParallelAndEqualRows) {
    for (const Index columns : {12, 40}) {
        for (const double offset : {0.0, 100.0}) {
            const Dataset left = close_rows(columns, offset);
            const Dataset right = close_rows(columns, offset);
            for (const auto& kernel : cases()) {
                expect_accurate(kernel, left, left);
                expect_accurate(kernel, left, right);
            }
        }
    }
}

TEST(KernelValues, SharpGaussianOfCloseRows) {
    for (const double offset : {0.0, 100.0}) {
        const Dataset left = close_rows(12, offset);
        const Dataset right = close_rows(12, offset);
        expect_accurate({"rbf(gamma=4096)", reference_rbf(4096)}, left, right);
        expect_accurate({"rbf(gamma=1048576)", reference_rbf(1048576)}, left, right);
    }
}

TEST(KernelValues, ChosenColumns) {
    const Dataset left = random_dense(37, 9, 71, 5);
    const Dataset right = random_dense(29, 9, 72, 5);
    const std::vector<Case> chosen{
        {"on(0:2, rbf(gamma=0.5))", reference_on({0, 1, 2}, reference_rbf(0.5L))},
        {"on(1, 4:6, 8, linear)", reference_on({1, 4, 5, 6, 8}, reference_linear())},
        {"on(3, arccos(1, 2))", reference_on({3}, reference_arccos({1, 2}))},
        {"on(2:7, laplacian(gamma=0.5))", reference_on({2, 3, 4, 5, 6, 7}, reference_laplacian(0.5L))},
        {"on(7:8, rbf(gamma=1/d))", reference_on({7, 8}, reference_rbf(0.5L))},
        {"on(0:1, linear)*on(2:3, linear)",
         combined([](long double a, long double b) { return a * b; },
                  reference_on({0, 1}, reference_linear()), reference_on({2, 3}, reference_linear()))},
    };
    for (const auto& kernel : chosen) {
        expect_accurate(kernel, left, right);
        expect_accurate(kernel, left, left);
    }
}

TEST(KernelValues, BanksAreTheirKernels) {
    const Dataset data = random_dense(23, 4, 81);
    const Bank bank =
        make_bank("[each_feature(rbf(gamma=2)), grid(poly, degree=1:2, coef0=0:1), linear]", data);
    ASSERT_EQ(bank.size(), 4U + 4U + 1U);
    std::vector<ReferenceKernel> references;
    for (const Index j : {0, 1, 2, 3}) references.push_back(reference_on({j}, reference_rbf(2)));
    for (const int degree : {1, 2}) {
        for (const int coef0 : {0, 1}) references.push_back(reference_poly(degree, 1, coef0));
    }
    references.push_back(reference_linear());
    BegunControl control;
    const GramEngine<double> engine(bank, data, data);
    const std::size_t entries = 23U * 23U;
    std::vector<double> matrices(bank.size() * entries);
    engine.matrices(matrices.data(), control);
    for (std::size_t k = 0; k < bank.size(); ++k) {
        const auto first = matrices.begin() + static_cast<std::ptrdiff_t>(k * entries);
        const std::vector<double> matrix(first, first + static_cast<std::ptrdiff_t>(entries));
        EXPECT_LE(worst_error(matrix, references[k], data, data), 1e-12L) << bank[k]->text();
    }
}

TEST(KernelValues, SinglePrecisionToItsAccuracy) {
    // A product of 16 columns is good to 16 roundings of 6e-8, which the kernels magnify by less than 30. The
    // roundings of 48 columns are more by the root of 3.
    for (const Index columns : {16, 48}) {
        const Dataset left = random_dense(130, columns, 91);
        const Dataset right = random_dense(40, columns, 92);
        for (const auto& kernel : cases()) {
            const auto made = make_kernel(kernel.text, left);
            for (const Dataset* one : {&left, &right}) {
                EXPECT_LE(worst_error(gram_matrix<float>(made, *one, right), kernel.reference, *one, right),
                          3e-5L)
                    << kernel.text << ", " << columns << " columns";
            }
        }
    }
}

/// Results that no cache holds are written past the caches, wherever in memory they begin.
TEST(KernelValues, LargeMatrices) {
    constexpr Index rows = 2100;
    const Dataset data = random_dense(rows, 2, 97);
    const auto kernel = make_kernel("rbf(gamma=0.5)", data);
    const auto reference = reference_rbf(0.5L);
    BegunControl control(2);
    std::vector<double> memory(rows * rows + 3, -7);
    GramEngine<double>(kernel, data, data).matrices(memory.data() + 1, control);
    EXPECT_EQ(memory.front(), -7);
    EXPECT_EQ(memory[memory.size() - 2], -7);
    memory.erase(memory.begin());
    EXPECT_LE(worst_error(memory, reference, data, data), 1e-12L);

    std::vector<float> single(2 * rows * rows + 1, -7);
    GramEngine<float>({kernel, make_kernel("linear", data)}, data, data).matrices(single.data(), control);
    EXPECT_EQ(single.back(), -7);
    EXPECT_LE(worst_error(single, reference, data, data), 3e-5L);
    single.erase(single.begin(), single.begin() + rows * rows);
    EXPECT_LE(worst_error(single, reference_linear(), data, data), 3e-5L);
}

TEST(KernelValues, SymmetryIsExactAndTheDiagonalIsSelf) {
    for (const Index rows : {1, 5, 128, 129, 300}) {
        const Dataset data = random_dense(rows, 7, 93, 2);
        for (const auto& kernel : cases()) {
            const auto made = make_kernel(kernel.text, data);
            const auto matrix = gram_matrix(made, data, data);
            const auto self = GramEngine<double>(made, data, data).self(Side::left);
            Index differing = 0;
            for (Index i = 0; i < rows; ++i) {
                differing += matrix[i * rows + i] != self[i] ? 1 : 0;
                for (Index j = 0; j < i; ++j) {
                    differing += matrix[i * rows + j] != matrix[j * rows + i] ? 1 : 0;
                }
            }
            EXPECT_EQ(differing, 0) << kernel.text << ", " << rows << " rows";
        }
    }
}

TEST(KernelValues, RowsAndProductsAgreeWithMatrices) {
    const Dataset left = random_dense(140, 6, 94, 1);
    const Dataset right = random_dense(270, 6, 95, 1);
    std::vector<Index> wanted{139, 0, 0, 77, 3, 4, 5, 128};
    for (const Index i : std::vector<Index>(130, 9))
        wanted.push_back(i);  // These are more rows than one tile has.
    const auto v = normal_values(270 * 3, 96);
    BegunControl control;
    for (const auto& kernel : cases()) {
        const auto made = make_kernel(kernel.text, left);
        const GramEngine<double> engine(made, left, right);
        const auto matrix = gram_matrix(made, left, right);
        std::vector<double> rows(wanted.size() * 270);
        engine.rows_of(wanted, rows.data(), control);
        const double scale =
            std::abs(*std::ranges::max_element(matrix, {}, [](double k) { return std::abs(k); }));
        for (std::size_t r = 0; r < wanted.size(); ++r) {
            for (std::size_t j = 0; j < 270; ++j) {
                ASSERT_NEAR(rows[r * 270 + j], matrix[wanted[r] * 270 + j], 1e-13 * scale) << kernel.text;
            }
        }
        for (const Index columns : {1, 3}) {
            std::vector<double> product(140 * columns);
            engine.product(v.data(), columns, product.data(), control);
            for (Index i = 0; i < 140; ++i) {
                for (Index c = 0; c < columns; ++c) {
                    long double expected = 0;
                    long double magnitude = 0;
                    for (Index j = 0; j < 270; ++j) {
                        const long double term =
                            static_cast<long double>(matrix[i * 270 + j]) * v[j * columns + c];
                        expected += term;
                        magnitude += std::abs(term);
                    }
                    ASSERT_NEAR(product[i * columns + c], static_cast<double>(expected),
                                static_cast<double>(1e-13L * magnitude))
                        << kernel.text;
                }
            }
        }
    }
}

TEST(KernelValues, ProductsWithTheSquareAgreeWithMatrices) {
    const Dataset left = random_dense(1500, 6, 97, 1);
    const Dataset right = random_dense(270, 6, 98, 1);
    const auto v = normal_values(270 * 3, 99);
    BegunControl control;
    for (const char* text : {"rbf(gamma=0.3)", "poly(degree=2)", "laplacian(gamma=0.2)"}) {
        const auto made = make_kernel(text, left);
        const auto values = gram_matrix(made, left, right);
        const auto K = view(values.data(), 1500, 270);
        const GramEngine<double> engine(made, left, right);
        for (const Index columns : {1, 3}) {
            Matrix product(270, columns);
            normal_product(engine, {}, v.data(), columns, product.data(), control);
            const auto weights = view(v.data(), 270, columns);
            const Matrix expected = K.transpose() * (K * weights);
            const Matrix magnitude = K.cwiseAbs().transpose() * (K.cwiseAbs() * weights.cwiseAbs());
            EXPECT_LE((product - expected).cwiseQuotient(magnitude).cwiseAbs().maxCoeff(), 1e-13) << text;
        }
    }
}

/// Rows with few entries among very many columns have the values of rows of the columns that occur.
TEST(KernelValues, OfAHundredThousandSparseColumns) {
    constexpr Index rows = 40;
    constexpr Index used = 30;
    constexpr Index spacing = 3333;
    const Dataset narrow = random_dense(rows, used, 77);
    SparseMatrix wide{rows, 100000, {0}, {}, {}};
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < used; ++j) {
            wide.columns.push_back(j * spacing);
            wide.values.push_back(narrow.dense().row(i)[j]);
        }
        wide.row_offsets.push_back(std::ssize(wide.columns));
    }
    const Dataset sparse(std::move(wide));
    for (const char* text : {"linear", "poly(gamma=0.1)", "rbf(gamma=0.02)", "arccos(0, 1)",
                             "laplacian(gamma=0.05)", "matern(gamma=0.02)", "normalize(linear)"}) {
        const auto expected = gram_matrix(make_kernel(text, narrow), narrow, narrow);
        const auto values = gram_matrix(make_kernel(text, sparse), sparse, sparse, 2);
        for (std::size_t e = 0; e < values.size(); ++e)
            ASSERT_NEAR(values[e], expected[e], 1e-12 * std::max(1.0, std::abs(expected[e]))) << text;
    }
}

}  // namespace
}  // namespace dk::test::kernel_values_test

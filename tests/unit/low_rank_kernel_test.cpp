// SPDX-License-Identifier: Apache-2.0
// These tests check lowrank(k), which approximates a kernel by landmarks or random features.
#include <algorithm>
#include <set>

#include "support.hpp"

namespace dk::test::low_rank_kernel_test {
namespace {

std::vector<double> product(const GramEngine<double>& engine, const std::vector<double>& v, Index columns,
                            int threads = 1) {
    BegunControl control(threads);
    std::vector<double> out(engine.rows() * columns);
    engine.product(v.data(), columns, out.data(), control);
    return out;
}

Dataset landmarks_of(const KernelPointer& kernel) {
    std::vector<const KernelState*> states;
    kernel->collect_states(states);
    return states.back()->rows.front();
}

/// Gives the root of the mean square of the differences of two matrices' entries.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t e = 0; e < a.size(); ++e) sum += (a[e] - b[e]) * (a[e] - b[e]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

double worst(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t e = 0; e < a.size(); ++e) largest = std::max(largest, std::abs(a[e] - b[e]));
    return largest;
}

TEST(LowRank, OfFullRankItIsTheKernel) {
    const Dataset data = random_dense(60, 3, 1);
    for (const char* kernel :
         {"rbf(gamma=1)", "laplacian(gamma=0.5)", "linear", "arccos(0)", "poly(degree=2)"}) {
        const auto full = gram_matrix(make_kernel(kernel, data), data, data);
        const double scale = *std::ranges::max_element(full);
        for (const Dataset& set : {data, to_sparse(data)}) {
            for (const char* method : {"uniform", "rpcholesky"}) {
                for (const Index rank : {60, 1000}) {
                    const auto low =
                        make_kernel(text("lowrank(", kernel, ", rank=", rank, ", method=", method, ")"), set);
                    EXPECT_LE(worst(gram_matrix(low, set, set), full), 1e-8 * scale) << low->text();
                    EXPECT_TRUE(low->positive_semidefinite());
                }
            }
        }
    }
}

TEST(LowRank, ErrorsFallWithTheRank) {
    const Dataset data = random_dense(200, 2, 2);
    for (const char* kernel : {"rbf(gamma=0.5)", "matern(gamma=0.2, nu=0.5)"}) {
        const auto full = gram_matrix(make_kernel(kernel, data), data, data);
        for (const char* method : {"rpcholesky", "kmeans", "uniform"}) {
            double before = 1;
            for (const Index rank : {2, 10, 50}) {
                const auto low =
                    make_kernel(text("lowrank(", kernel, ", rank=", rank, ", method=", method, ")"), data);
                const double error = difference(gram_matrix(low, data, data), full);
                EXPECT_LT(error, 0.6 * before) << low->text();
                before = error;
            }
        }
        double before = 10;
        for (const Index rank : {10, 200, 4000}) {  // The error falls with the root of the rank.
            const auto low = make_kernel(text("lowrank(", kernel, ", rank=", rank, ", method=random)"), data);
            const double error = difference(gram_matrix(low, data, data), full);
            EXPECT_LT(error, 0.5 * before) << low->text();
            before = error;
        }
    }
}

/// The projection on the landmarks' features keeps a landmark's values with all rows.
TEST(LowRank, LandmarksAreExact) {
    const Dataset data = random_dense(150, 3, 3);
    const Dataset other = random_dense(40, 3, 4);
    const auto kernel = make_kernel("laplacian(gamma=0.4)", data);
    for (const char* method : {"rpcholesky", "kmeans", "uniform"}) {
        const auto low =
            make_kernel(text("lowrank(laplacian(gamma=0.4), rank=25, method=", method, ")"), data);
        const Dataset landmarks = landmarks_of(low);
        EXPECT_EQ(landmarks.rows(), 25) << method;
        EXPECT_LE(worst(gram_matrix(low, landmarks, other), gram_matrix(kernel, landmarks, other)), 1e-11)
            << method;
        EXPECT_LE(worst(gram_matrix(low, other, landmarks), gram_matrix(kernel, other, landmarks)), 1e-11)
            << method;
        // No row grows, because features are a projection.
        const auto self = GramEngine<double>(low, other, other).self(Side::left);
        for (const double v : self) EXPECT_LE(v, 1 + 1e-12) << method;
    }
}

TEST(LowRank, LandmarksAreDifferentTrainingRows) {
    const Dataset data = random_dense(80, 2, 5);
    std::set<std::pair<double, double>> rows;
    for (Index i = 0; i < 80; ++i) rows.emplace(data.dense().row(i)[0], data.dense().row(i)[1]);
    for (const char* method : {"rpcholesky", "uniform"}) {
        const auto low = make_kernel(text("lowrank(rbf(gamma=2), rank=40, method=", method, ")"), data);
        const Dataset landmarks = landmarks_of(low);
        std::set<std::pair<double, double>> found;
        for (Index i = 0; i < landmarks.rows(); ++i)
            found.emplace(landmarks.dense().row(i)[0], landmarks.dense().row(i)[1]);
        EXPECT_EQ(std::ssize(found), 40) << method;
        EXPECT_TRUE(std::ranges::includes(rows, found)) << method;
    }
}

/// A kernel of rank 3 needs no more landmarks than 3, and repeated rows count as one.
TEST(LowRank, FewDirectionsAreEnough) {
    const Dataset data = random_dense(90, 3, 6);
    const auto full = gram_matrix(make_kernel("linear", data), data, data);
    EXPECT_LE(worst(gram_matrix(make_kernel("lowrank(linear, rank=3)", data), data, data), full), 1e-10);
    const auto many = make_kernel("lowrank(linear, rank=50)", data);
    EXPECT_LE(worst(gram_matrix(many, data, data), full), 1e-10);
    EXPECT_LE(landmarks_of(many).rows(), 12);

    std::vector<double> values;
    for (int i = 0; i < 40; ++i) values.insert(values.end(), {1.0 * (i % 4), 2.0});
    const Dataset repeated = dense(40, 2, values);
    const auto expected = gram_matrix(make_kernel("rbf(gamma=1)", repeated), repeated, repeated);
    for (const char* method : {"rpcholesky", "kmeans", "uniform"}) {
        const auto low = make_kernel(text("lowrank(rbf(gamma=1), rank=40, method=", method, ")"), repeated);
        EXPECT_LE(worst(gram_matrix(low, repeated, repeated), expected), 1e-9) << method;
    }
}

TEST(LowRank, SeedsAndThreads) {
    const Dataset data = random_dense(700, 3, 7);
    const Dataset other = random_dense(30, 3, 8);
    for (const char* method : {"rpcholesky", "kmeans", "uniform", "random"}) {
        const auto values = [&](int seed, int threads) {
            BegunControl control(threads);
            const auto kernel =
                make_kernel(text("lowrank(rbf(gamma=0.5), rank=70, method=", method, ", seed=", seed, ")"),
                            data, &control);
            return gram_matrix(kernel, data, other, threads);
        };
        const auto first = values(1, 1);
        for (const int threads : {1, 2, 3}) EXPECT_EQ(values(1, threads), first) << method << " " << threads;
        EXPECT_NE(values(2, 1), first) << method;
        EXPECT_EQ(values(2, 2), values(2, 1)) << method;
    }
}

TEST(LowRank, RandomFeaturesAreUnbiased) {
    const Dataset data = random_dense(40, 3, 9);
    for (const char* kernel :
         {"rbf(gamma=0.3)", "laplacian(gamma=0.2)", "cauchy(gamma=0.3)", "matern(gamma=0.3, nu=0.5)",
          "matern(gamma=0.3, nu=1.5)", "matern(gamma=0.3, nu=2.5)",
          "rational_quadratic(gamma=0.3, alpha=0.5)", "rational_quadratic(gamma=0.3, alpha=2.5)",
          "on(0, 2, rbf(gamma=0.5))", "arccos(0)", "arccos(1)", "arccos(1, 1)", "arccos(1, 0)",
          "on(1:2, arccos(1))"}) {
        const auto exact = make_kernel(kernel, data);
        const auto full = gram_matrix(exact, data, data);
        const auto self = GramEngine<double>(exact, data, data).self(Side::left);
        const auto relative_errors = [&](const Dataset& set, int seed) {
            const auto low =
                make_kernel(text("lowrank(", kernel, ", rank=4000, method=random, seed=", seed, ")"), set);
            const auto found = gram_matrix(low, set, set);
            std::vector<double> errors;
            for (std::size_t i = 0; i < 40; ++i) {
                for (std::size_t j = 0; j < 40; ++j)
                    errors.push_back((found[i * 40 + j] - full[i * 40 + j]) / std::sqrt(self[i] * self[j]));
            }
            return errors;
        };
        const auto dense_errors = relative_errors(data, 1);
        double size = 0;
        for (const double e : dense_errors) size += std::abs(e) / 1600;
        EXPECT_LT(size, 0.05) << kernel;
        EXPECT_LT(*std::ranges::max_element(dense_errors), 0.25) << kernel;
        EXPECT_LE(worst(relative_errors(to_sparse(data), 1), dense_errors), 1e-11) << kernel;
    }
}

/// The features are cosines and sines of the same projections, so k(x, x) = 1 exactly, and an odd rank loses
/// one feature.
TEST(LowRank, FourierFeaturesHaveLengthOne) {
    const Dataset data = random_dense(20, 3, 10, 5, 10);
    for (const int rank : {2, 3, 101}) {
        const auto low = make_kernel(text("lowrank(rbf(gamma=0.1), rank=", rank, ", method=random)"), data);
        for (const double v : GramEngine<double>(low, data, data).self(Side::left)) EXPECT_NEAR(v, 1, 1e-14);
    }
    message_of(Status::invalid_kernel, [&] { make_kernel("lowrank(rbf, rank=1, method=random)", data); });
}

TEST(LowRank, KernelsWithoutRandomFeaturesSaySo) {
    const Dataset data = random_dense(20, 2, 11);
    for (const char* kernel : {"poly", "circular", "spherical", "chi_square(gamma=1)", "normalize(arccos(1))",
                               "rbf + rbf", "center(rbf)"}) {
        const auto message = message_of(Status::unsupported, [&] {
            make_kernel(text("lowrank(", kernel, ", rank=10, method=random)"), data);
        });
        EXPECT_NE(message.find("random features"), std::string::npos) << message;
    }
    message_of(Status::unsupported,
               [&] { make_kernel("lowrank(rbf, rank=5, method=kmeans)", to_sparse(data)); });
    message_of(Status::invalid_kernel, [&] { make_kernel("lowrank(rbf, rank=0)", data); });
    message_of(Status::invalid_kernel, [&] { make_kernel("lowrank(rbf, method=best)", data); });
}

/// The rows are so far apart for the width that all similarities but those of 1 are below 1e-160.
TEST(LowRank, SharpKernels) {
    const Dataset data = random_dense(40, 12, 16, 0, 3);
    for (const char* kernel : {"rbf(gamma=4)", "rbf(gamma=1)", "laplacian(gamma=12)", "rbf(gamma=1e6)"}) {
        const auto full = gram_matrix(make_kernel(kernel, data), data, data);
        for (const char* method : {"uniform", "rpcholesky"}) {
            const std::string whole = text("lowrank(", kernel, ", rank=40, method=", method, ")");
            EXPECT_NO_THROW({
                EXPECT_LE(worst(gram_matrix(make_kernel(whole, data), data, data), full), 1e-8) << whole;
            }) << whole;
        }
        EXPECT_NO_THROW(make_kernel(text("corrected(", kernel, ")"), data)) << kernel;
    }
}

/// Distances do not change when all rows move, so the centres do not either. The rows differ from each other
/// by multiples of 2^-10, which every offset keeps exactly.
TEST(LowRank, CentresOfRowsFarFromTheOrigin) {
    const auto error_at = [](double offset) {
        auto values = random_dense(300, 2, 17).dense().values;
        for (double& v : values) v = std::round(v * 0x1p10) * 0x1p-10 + offset;
        const Dataset data = dense(300, 2, values);
        const auto full = gram_matrix(make_kernel("rbf(gamma=0.5)", data), data, data);
        const auto low = make_kernel("lowrank(rbf(gamma=0.5), rank=12, method=kmeans)", data);
        return difference(gram_matrix(low, data, data), full);
    };
    const double error = error_at(0);
    for (const double offset : {0x1p10, 0x1p20, 0x1p26}) {
        EXPECT_LT(error_at(offset), 1.1 * error) << "at " << offset;
    }
}

/// No row has any length, so there is no landmark to find, and the error says that.
TEST(LowRank, KernelsThatAreNowherePositive) {
    const Dataset zeros = dense(6, 2, std::vector<double>(12, 0.0));
    const Dataset data = random_dense(6, 2, 19);
    for (const char* method : {"uniform", "rpcholesky", "kmeans"}) {
        const std::string rest = text(", rank=4, method=", method, ")");
        message_of(Status::numerical, [&] { make_kernel("lowrank(linear" + rest, zeros); });
        message_of(Status::numerical, [&] { make_kernel("lowrank(-1*rbf" + rest, data); });
    }
    const Dataset empty(StringSet{{"", "", ""}});
    message_of(Status::numerical, [&] { make_kernel("lowrank(spectrum)", empty); });
}

/// Integers that print shorter as 1e+05 are integers all the same.
TEST(LowRank, LargeNumbersInTheText) {
    const Dataset data = random_dense(12, 2, 18);
    for (const char* kernel :
         {"lowrank(rbf(gamma=1), rank=100000)", "lowrank(rbf(gamma=1), rank=1000000, method=uniform)",
          "lowrank(rbf(gamma=1), rank=12, method=random, seed=8999999999999999)",
          "lowrank(rbf(gamma=1), rank=12, method=random, seed=100000000)"}) {
        EXPECT_NO_THROW({
            const auto low = make_kernel(kernel, data);
            EXPECT_EQ(gram_matrix(make_kernel(low->text(), data), data, data), gram_matrix(low, data, data))
                << low->text();
        }) << kernel;
    }
}

/// Products that skip the pairs equal products with the matrix.
TEST(LowRank, ProductsAgreeWithTheMatrix) {
    const Dataset left = random_dense(300, 3, 12);
    const Dataset right = random_dense(1500, 3, 13);
    for (const char* kernel :
         {"lowrank(rbf(gamma=0.5), rank=40)", "lowrank(laplacian, rank=30, method=random)",
          "lowrank(arccos(1), rank=25, method=uniform)", "center(lowrank(rbf, rank=20))",
          "2*lowrank(rbf, rank=20) + linear"}) {
        const auto made = make_kernel(kernel, left);
        for (const Dataset* other : {&left, &right}) {
            const GramEngine<double> engine(made, left, *other);
            const auto matrix = gram_matrix(made, left, *other);
            const auto count = other->rows();
            for (const Index columns : {1, 4}) {
                const auto v = normal_values(other->rows() * columns, 14);
                const auto found = product(engine, v, columns);
                for (std::size_t i = 0; i < 300; ++i) {
                    for (Index c = 0; c < columns; ++c) {
                        long double sum = 0;
                        long double size = 0;
                        for (Index j = 0; j < count; ++j) {
                            const long double term =
                                static_cast<long double>(matrix[i * count + j]) * v[j * columns + c];
                            sum += term;
                            size += std::abs(term);
                        }
                        // The matrix has roundings of its own, which are of the size of the diagonal.
                        ASSERT_NEAR(found[i * columns + c], static_cast<double>(sum),
                                    static_cast<double>(1e-12L * (size + static_cast<long double>(count))))
                            << kernel;
                    }
                }
                for (const int threads : {2, 3})
                    EXPECT_EQ(product(engine, v, columns, threads), found) << kernel;
            }
        }
    }
}

/// These landmarks are rows that are no vectors.
TEST(LowRank, StringsAndSinglePrecision) {
    const Dataset texts(StringSet{{"abcab", "cabba", "aaaa", "bcbc", "abcabc", "ab", "bca"}});
    const auto full = gram_matrix(make_kernel("spectrum(length=2)", texts), texts, texts);
    for (const char* method : {"rpcholesky", "uniform"}) {
        const auto low = make_kernel(text("lowrank(spectrum(length=2), rank=7, method=", method, ")"), texts);
        EXPECT_LE(worst(gram_matrix(low, texts, texts), full), 1e-9) << method;
    }
    const Dataset data = random_dense(150, 3, 15);
    const auto low = make_kernel("lowrank(rbf(gamma=1), rank=30)", data);
    const auto in_double = gram_matrix(low, data, data);
    const auto in_single = gram_matrix<float>(low, data, data);
    for (std::size_t e = 0; e < in_double.size(); ++e) ASSERT_NEAR(in_single[e], in_double[e], 2e-6);
}

}  // namespace
}  // namespace dk::test::low_rank_kernel_test

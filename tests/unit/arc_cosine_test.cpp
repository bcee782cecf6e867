// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>

#include "reference_kernels.hpp"
#include "support.hpp"

namespace dk::test::arc_cosine_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Gives the kernel value of two rows.
double value(const std::string& kernel, const std::vector<double>& x, const std::vector<double>& z) {
    const Dataset left = dense(1, std::ssize(x), x);
    const Dataset right = dense(1, std::ssize(z), z);
    return gram_matrix(make_kernel(kernel, left), left, right).front();
}

/// The expected cosines between (1, 2) and (2, 0) after the layers were computed once outside of libdk.
TEST(ArcCosine, NormalisedSelfChecks) {
    const std::vector<std::pair<std::string, double>> expected{
        {"0", .6475836177},    {"1", .5743132154},       {"2", .4295296427},          {"3", .3146116485},
        {"1, 0", .6947308357}, {"0, 1, 2", .6636335987}, {"3, 2, 1, 0", .6681709671},
    };
    for (const auto& [degrees, cosine] : expected) {
        EXPECT_NEAR(value("normalize(arccos(" + degrees + "))", {1, 2}, {2, 0}), cosine, 1e-9) << degrees;
    }
}

TEST(ArcCosine, RawSelfChecks) {
    EXPECT_NEAR(value("arccos(0, 1, 2)", {1, 2}, {2, 0}), 1.990900796, 1e-9);
    EXPECT_NEAR(value("arccos(2)", {1, 2}, {2, 0}), 25.77177856, 1e-8);  // The figure has eight decimals.
    EXPECT_NEAR(value("arccos(3)", {1, 2}, {2, 0}), 422.0958195, 1e-7);
    // Here |x| = sqrt(5) and |z| = 2: degree 0 ignores lengths, degree 1 has their product.
    EXPECT_NEAR(value("arccos(0)", {1, 2}, {2, 0}), .6475836177, 1e-9);
    EXPECT_NEAR(value("arccos(1)", {1, 2}, {2, 0}), .5743132154 * std::sqrt(20.0), 1e-9);
}

TEST(ArcCosine, ClosedFormsOfSimpleAngles) {
    // At a right angle J_0 = pi / 2, J_1 = 1, J_2 = pi / 2 and J_3 = 4; the kernel divides by pi.
    EXPECT_NEAR(value("arccos(0)", {1, 0}, {0, 1}), 0.5, 1e-15);
    EXPECT_NEAR(value("arccos(1)", {1, 0}, {0, 1}), 1 / pi, 1e-15);
    EXPECT_NEAR(value("arccos(2)", {1, 0}, {0, 1}), 0.5, 1e-15);
    EXPECT_NEAR(value("arccos(3)", {1, 0}, {0, 1}), 4 / pi, 1e-15);
    // Equal rows have the value |x|^2n (2 n - 1)!!.
    EXPECT_NEAR(value("arccos(0)", {1, 2}, {1, 2}), 1, 1e-15);
    EXPECT_NEAR(value("arccos(1)", {1, 2}, {1, 2}), 5, 1e-14);
    EXPECT_NEAR(value("arccos(2)", {1, 2}, {1, 2}), 3 * 25, 1e-12);
    EXPECT_NEAR(value("arccos(3)", {1, 2}, {1, 2}), 15 * 125, 1e-11);
    EXPECT_NEAR(value("arccos(2, 1)", {1, 2}, {1, 2}), 75, 1e-12);
    EXPECT_NEAR(value("arccos(1, 3)", {1, 2}, {1, 2}), 15 * 125, 1e-11);
    EXPECT_NEAR(value("arccos(0, 1, 2)", {1, 2}, {1, 2}), 3, 1e-14);
    // Opposite rows share no active unit of such a network, so their value is 0.
    for (const char* kernel : {"arccos(0)", "arccos(1)", "arccos(2)", "arccos(3)"}) {
        EXPECT_NEAR(value(kernel, {1, 2}, {-1, -2}), 0, 1e-12) << kernel;
    }
}

/// This compares the reference with closed forms, because it knows J_3 only through its derivative.
TEST(ArcCosine, ReferenceAgreesWithClosedForms) {
    const long double circle = std::numbers::pi_v<long double>;
    for (long double theta = 0.01L; theta < circle; theta += 0.05L) {
        const long double s = std::sin(theta);
        const long double c = std::cos(theta);
        const long double rest = circle - theta;
        EXPECT_NEAR(static_cast<double>(arc_cosine_gap(1, theta) - (1 - (s + rest * c) / circle)), 0, 1e-17);
        EXPECT_NEAR(static_cast<double>(arc_cosine_gap(2, theta) -
                                        (1 - (3 * s * c + rest * (1 + 2 * c * c)) / (3 * circle))),
                    0, 1e-17);
        const long double third = 15 * s - 11 * s * s * s + rest * (9 * c + 6 * c * c * c);
        EXPECT_NEAR(static_cast<double>(arc_cosine_gap(3, theta) - (1 - third / (15 * circle))), 0, 1e-17);
    }
}

struct Estimate {
    double mean;
    double error;
};

/// Estimates 2 E[step(a) step(b) a^n b^n] over normal a, b with the covariance [[xx, xz], [xz, zz]].
Estimate random_features(int degree, double xx, double xz, double zz, std::uint64_t seed) {
    constexpr Index samples = 200000;
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    const double slope = xz / std::sqrt(xx);
    const double rest = std::sqrt(std::max(0.0, zz - slope * slope));
    double sum = 0;
    double squares = 0;
    for (Index i = 0; i < samples; ++i) {
        const double u = normal(generator);
        const double a = std::sqrt(xx) * u;
        const double b = slope * u + rest * normal(generator);
        const double feature = a > 0 && b > 0 ? 2 * std::pow(a * b, degree) : 0.0;
        sum += feature;
        squares += feature * feature;
    }
    const double mean = sum / samples;
    return {mean, std::sqrt((squares / samples - mean * mean) / samples)};
}

TEST(ArcCosine, OneLayerIsTheMeanOfRandomFeatures) {
    const auto rows = normal_values(2 * 4, 5);
    const std::vector<double> x(rows.begin(), rows.begin() + 4);
    const std::vector<double> z(rows.begin() + 4, rows.end());
    const double xx = value("linear", x, x);
    const double xz = value("linear", x, z);
    const double zz = value("linear", z, z);
    for (int degree = 0; degree <= 3; ++degree) {
        const auto seed = static_cast<std::uint64_t>(degree);
        const auto kernel = text("arccos(", degree, ")");
        const Estimate pair = random_features(degree, xx, xz, zz, 100 + seed);
        EXPECT_NEAR(value(kernel, x, z), pair.mean, 4 * pair.error) << kernel;
        const Estimate self = random_features(degree, xx, xx, xx, 200 + seed);
        EXPECT_NEAR(value(kernel, x, x), self.mean, 4 * self.error) << kernel;
    }
}

TEST(ArcCosine, EveryLayerIsTheMeanOfFeaturesOfTheLayerBelow) {
    const std::vector<double> x{0.5, -0.25, 0.75};
    const std::vector<double> z{0.25, 0.5, 0.5};
    const std::vector<std::pair<std::string, int>> layers{{"1", 0}, {"0", 1}, {"1", 1}, {"2", 1},   {"1", 2},
                                                          {"0", 3}, {"2", 0}, {"3", 1}, {"0, 1", 2}};
    std::uint64_t seed = 300;
    for (const auto& [below, degree] : layers) {
        const std::string lower = "arccos(" + below + ")";
        const std::string upper = text("arccos(", below, ", ", degree, ")");
        const Estimate estimate =
            random_features(degree, value(lower, x, x), value(lower, x, z), value(lower, z, z), ++seed);
        EXPECT_NEAR(value(upper, x, z), estimate.mean, 4 * estimate.error) << upper;
    }
}

/// By convention a zero vector is a direction of its own, at a right angle to all others.
TEST(ArcCosine, ZeroVectors) {
    const std::vector<double> zero{0, 0};
    const std::vector<double> x{1, 2};
    EXPECT_DOUBLE_EQ(value("arccos(0)", zero, zero), 1);
    EXPECT_NEAR(value("arccos(0)", zero, x), 0.5, 1e-15);
    EXPECT_NEAR(value("arccos(0)", x, zero), 0.5, 1e-15);
    for (const char* kernel : {"arccos(1)", "arccos(2)", "arccos(3)", "arccos(1, 2)", "arccos(2, 1)"}) {
        EXPECT_EQ(value(kernel, zero, zero), 0) << kernel;
        EXPECT_EQ(value(kernel, zero, x), 0) << kernel;
        EXPECT_EQ(value(kernel, x, zero), 0) << kernel;
    }
    // After a layer of degree 0 the zero vector has length 1, so the value is J_1 at pi / 3, over pi.
    EXPECT_NEAR(value("arccos(0, 1)", zero, x), (std::sqrt(0.75) + pi / 3) / pi, 1e-14);
    EXPECT_DOUBLE_EQ(value("arccos(0, 1)", zero, zero), 1);
    EXPECT_NEAR(value("arccos(1, 0)", zero, x), 1 - std::acos(1 / pi) / pi, 1e-14);
    EXPECT_DOUBLE_EQ(value("arccos(1, 0)", zero, zero), 1);
    EXPECT_DOUBLE_EQ(value("normalize(arccos(1))", zero, zero), 1);
    EXPECT_NEAR(value("normalize(arccos(1))", zero, x), 1 / pi, 1e-15);
}

TEST(ArcCosine, ZeroRowsAmongOthers) {
    const Dataset data = dense(4, 2, {0, 0, 1, 2, 0, 0, 2, 0});
    for (const Dataset& set : {data, to_sparse(data)}) {
        const auto matrix = gram_matrix(make_kernel("arccos(0, 2)", set), set, set);
        EXPECT_DOUBLE_EQ(matrix[2], 3);  // Rows 0 and 2 are zero.
        EXPECT_DOUBLE_EQ(matrix[0], 3);
        EXPECT_DOUBLE_EQ(matrix[5], 3);
        // Degree 2 at pi / 3 has the value 3 s c + (2 pi / 3)(1 + 2 / 4), over pi.
        EXPECT_NEAR(matrix[1], (3 * std::sqrt(0.75) * 0.5 + pi) / pi, 1e-14);
    }
}

/// The angles are 1e-1 to 1e-15. Degree 0 shows the angle itself, of which acos would lose half the digits.
TEST(ArcCosine, SmallAngles) {
    for (const char* degrees : {"0", "1, 0", "2, 0", "3, 0", "1, 1, 0", "3, 2, 1, 0"}) {
        std::vector<int> list;
        for (const auto& degree : split(degrees, ','))
            list.push_back(static_cast<int>(*parse_integer(degree)));
        const auto reference = reference_arccos(list);
        for (int exponent = 1; exponent <= 15; ++exponent) {
            const std::vector<double> x{3, 4, 0};
            const std::vector<double> z{3, 4, std::pow(10.0, -exponent)};
            const long double expected = reference(x, z);
            EXPECT_NEAR(static_cast<double>(value(text("arccos(", degrees, ")"), x, z) - expected), 0, 1e-15)
                << degrees << ", angle 2e-" << exponent + 1;
        }
    }
}

TEST(ArcCosine, AnglesNearlyStraight) {
    for (const char* degrees : {"0", "1", "2", "3", "0, 1"}) {
        std::vector<int> list;
        for (const auto& degree : split(degrees, ','))
            list.push_back(static_cast<int>(*parse_integer(degree)));
        const auto reference = reference_normalised_arccos(list);
        long double worst = 0;
        for (int exponent = 1; exponent <= 15; ++exponent) {
            const std::vector<double> x{0.3, 0.7, 0.1};
            const std::vector<double> z{-0.9, -2.1, -0.3 + std::pow(10.0, -exponent)};
            const double found = value(text("normalize(arccos(", degrees, "))"), x, z);
            worst = std::max(worst, std::abs(found - reference(x, z)));
        }
        EXPECT_LE(worst, 1e-12L) << "degrees " << degrees;
    }
}

/// Rows of one column have only the angles 0 and pi, so that every value is known.
TEST(ArcCosine, OneColumn) {
    const auto values = normal_values(40, 17);
    const Dataset data = dense(40, 1, values);
    for (int degree = 0; degree <= 3; ++degree) {
        const auto matrix =
            gram_matrix(make_kernel(text("normalize(arccos(", degree, "))"), data), data, data);
        double worst = 0;
        for (std::size_t i = 0; i < 40; ++i) {
            for (std::size_t j = 0; j < 40; ++j) {
                const double expected = values[i] * values[j] > 0 ? 1 : 0;
                worst = std::max(worst, std::abs(matrix[i * 40 + j] - expected));
            }
        }
        EXPECT_LE(worst, 1e-12) << "degree " << degree;
    }
}

TEST(ArcCosine, ConstantDiagonals) {
    const Dataset data = random_dense(20, 3, 18, 1, 2);
    const std::vector<std::pair<std::string, double>> constant{{"arccos(0)", 1},
                                                               {"arccos(1, 0)", 1},
                                                               {"arccos(0, 1, 2)", 3},
                                                               {"arccos(3, 0, 3)", 15},
                                                               {"arccos(0, 2, 2)", 27},
                                                               {"arccos(0, 3, 0)", 1},
                                                               {"normalize(arccos(1, 2, 3))", 1}};
    for (const auto& [kernel, diagonal] : constant) {
        const auto made = make_kernel(kernel, data);
        EXPECT_TRUE(made->constant_diagonal()) << kernel;
        for (const double self : GramEngine<double>(made, data, data).self(Side::left)) {
            EXPECT_NEAR(self, diagonal, 1e-13 * diagonal) << kernel;
        }
    }
    for (const char* kernel : {"arccos(1)", "arccos(2, 3)", "arccos"}) {
        EXPECT_FALSE(make_kernel(kernel, data)->constant_diagonal()) << kernel;
    }
}

TEST(ArcCosine, LongRowsDoNotOverflowWhereTheResultDoesNot) {
    // The last layer has |x|^18 = 1e270, and its self-similarity is 15^4 times as much.
    const Dataset data = dense(2, 1, {1e15, 2e15});
    const auto matrix = gram_matrix(make_kernel("arccos(3, 3)", data), data, data);
    EXPECT_NEAR(matrix[0] / 1e270, 15 * 3375, 1e-10 * 15 * 3375);
    EXPECT_NEAR(matrix[1] / 1e270, 15 * 3375 * 512.0, 1e-10 * 15 * 3375 * 512);
}

/// These were computed by polar quadrature outside of libdk, for (1, 2) and (2, 0) with biases of variance
/// 1/4.
TEST(ArcCosine, BiasesSelfChecks) {
    const std::vector<std::pair<std::string, double>> expected{
        {"arccos(0, bias_variance=0.25)", .658033416155},
        {"arccos(1, bias_variance=0.25)", 2.802615434537},
        {"arccos(2, bias_variance=0.25)", 30.268730611792},
        {"arccos(1, 1, bias_variance=0.25)", 3.418624545871},
        {"arccos(0, 1, 2, bias_variance=0.25)", 5.172714382417},
        {"normalize(arccos(1, bias_variance=0.25))", .593320552806},
        {"normalize(arccos(2, bias_variance=0.25))", .452193921371},
        {"normalize(arccos(1, 0, bias_variance=0.25))", .710278756918},
        {"normalize(arccos(1, 1, bias_variance=0.25))", .687169388955},
        {"normalize(arccos(0, 1, 2, bias_variance=0.25))", .766328056654},
        {"neural_tangent", 3.863574015337},
        {"neural_tangent(depth=2)", 5.633843780701},
        {"neural_tangent(depth=3)", 7.329638491100},
        {"neural_tangent(depth=1, bias_variance=0.25)", 4.533190620885},
        {"neural_tangent(depth=2, bias_variance=0.25)", 6.888453544945},
        {"neural_tangent(depth=3, bias_variance=0.25)", 9.328281923102},
    };
    for (const auto& [kernel, known] : expected)
        EXPECT_NEAR(value(kernel, {1, 2}, {2, 0}), known, 1e-11 * known) << kernel;
    // The zero row is its bias.
    EXPECT_NEAR(value("normalize(arccos(1, bias_variance=0.25))", {0, 0}, {2, 0}), .448986478447, 1e-12);
    EXPECT_NEAR(value("normalize(arccos(0, bias_variance=0.25))", {0, 0}, {2, 0}), .577979130377, 1e-12);
    EXPECT_NEAR(value("neural_tangent(depth=2)", {1, 2}, {1, 2}), 3 * 5, 1e-13);
}

/// A bias is one more column, and a weight's variance a factor of all columns, which the first layer sees
/// alike.
TEST(ArcCosine, BiasesAreOneMoreColumn) {
    const auto rows = normal_values(2 * 6, 9);
    for (int i = 0; i < 3; ++i) {
        std::vector<double> x(rows.begin(), rows.begin() + 6);
        std::vector<double> z(rows.begin() + 6, rows.end());
        if (i == 1) z = x;
        if (i == 2) std::ranges::transform(x, z.begin(), [](double v) { return -1.0001 * v; });
        const auto with_column = [](std::vector<double> row) {
            for (double& v : row) v *= std::sqrt(0.7);
            row.push_back(std::sqrt(1.3));
            return row;
        };
        for (const char* degree : {"0", "1", "2", "3"}) {
            const double extended = value(text("arccos(", degree, ")"), with_column(x), with_column(z));
            const auto kernel = text("arccos(", degree, ", weight_variance=0.7, bias_variance=1.3)");
            EXPECT_NEAR(value(kernel, x, z), extended, 1e-12 * std::abs(extended)) << kernel << " pair " << i;
        }
    }
}

TEST(ArcCosine, TinyAndHugeBiases) {
    const std::vector<double> x{0.5, -0.25, 0.75};
    const std::vector<double> z{-0.5, 0.25, -0.7500001};
    for (const char* layers : {"0", "1", "1, 0", "2, 1", "3, 2"}) {
        const double none = value(text("arccos(", layers, ")"), x, z);
        EXPECT_NEAR(value(text("arccos(", layers, ", bias_variance=1e-30)"), x, z), none, 1e-12) << layers;
        // Beside such biases rows are alike.
        EXPECT_NEAR(value(text("normalize(arccos(", layers, ", bias_variance=1e30))"), x, z), 1, 1e-12);
    }
    EXPECT_NEAR(value("neural_tangent(depth=3, bias_variance=1e-30)", x, z),
                value("neural_tangent(depth=3)", x, z), 1e-12);
}

/// Gives the tangent kernel in the paper's own letters: products and tangents are not divided by lengths.
double tangent_of(int depth, double w, double b, const std::vector<double>& x, const std::vector<double>& z) {
    double xx = w * value("linear", x, x) + b;
    double zz = w * value("linear", z, z) + b;
    double xz = w * value("linear", x, z) + b;
    double tangent = xz;
    for (int layer = 0; layer < depth; ++layer) {
        const double theta = std::acos(std::clamp(xz / std::sqrt(xx * zz), -1.0, 1.0));
        const double first = (std::sin(theta) + (pi - theta) * std::cos(theta)) / pi;
        xz = w * std::sqrt(xx * zz) * first + b;
        xx = w * xx + b;
        zz = w * zz + b;
        tangent = w * tangent * (1 - theta / pi) + xz;
    }
    return tangent;
}

TEST(ArcCosine, TangentKernelLayerByLayer) {
    for (Index i = 0; i < 40; ++i) {
        const auto rows = normal_values(10, static_cast<std::uint64_t>(i));
        const std::vector<double> x(rows.begin(), rows.begin() + 5);
        const std::vector<double> z(rows.begin() + 5, rows.end());
        for (const double b : {0.0, 0.3}) {
            for (int depth = 1; depth <= 4; ++depth) {
                const auto kernel =
                    text("neural_tangent(depth=", depth, ", weight_variance=1.7, bias_variance=", b, ")");
                const double known = tangent_of(depth, 1.7, b, x, z);
                EXPECT_NEAR(value(kernel, x, z), known, 1e-12 * tangent_of(depth, 1.7, b, x, x)) << kernel;
                EXPECT_NEAR(value("normalize(" + kernel + ")", x, z),
                            known / std::sqrt(value(kernel, x, x) * value(kernel, z, z)), 1e-12);
            }
        }
    }
}

}  // namespace
}  // namespace dk::test::arc_cosine_test

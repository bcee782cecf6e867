// SPDX-License-Identifier: Apache-2.0
// These tests compare kernels of strings with counting by brute force.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>

#include "data/characters.hpp"
#include "support.hpp"

namespace dk::test::string_kernel_test {
namespace {

Dataset strings(std::vector<std::string> texts) {
    return Dataset(StringSet{std::move(texts)});
}

/// Makes texts over the first letters of the alphabet, with lengths from 0 on.
std::vector<std::string> random_texts(std::size_t count, std::size_t longest, std::uint64_t letters,
                                      std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<std::string> texts(count);
    for (auto& one : texts) {
        one.resize(generator() % (longest + 1));
        for (char& c : one) c = static_cast<char>('a' + generator() % letters);
    }
    return texts;
}

double value(const std::string& kernel, const std::string& x, const std::string& z) {
    const Dataset left = strings({x});
    const Dataset right = strings({z});
    return gram_matrix(make_kernel(kernel, left), left, right).front();
}

using Similarity = std::function<double(const std::string& x, const std::string& z)>;

/// Compares every pair of both datasets, and of one with itself.
void expect_similarities(const std::string& kernel, const Similarity& similarity,
                         const std::vector<std::string>& left_texts,
                         const std::vector<std::string>& right_texts) {
    const Dataset left = strings(left_texts);
    const Dataset right = strings(right_texts);
    const auto made = make_kernel(kernel, left);
    for (const Dataset* other : {&right, &left}) {
        const auto matrix = gram_matrix(made, left, *other);
        const auto single = gram_matrix<float>(made, left, *other);
        for (Index i = 0; i < left.rows(); ++i) {
            for (Index j = 0; j < other->rows(); ++j) {
                const auto& z = other->strings().texts[j];
                const double expected = similarity(left_texts[i], z);
                const auto at = i * other->rows() + j;
                ASSERT_NEAR(matrix[at], expected, 1e-12 * std::max(1e-30, expected))
                    << kernel << ": '" << left_texts[i] << "' and '" << z << "'";
                ASSERT_NEAR(single[at], expected, 1e-6 * std::max(1e-30, expected)) << kernel;
            }
        }
    }
}

Similarity spectrum(std::size_t length) {
    return [length](const std::string& x, const std::string& z) {
        double sum = 0;
        for (std::size_t i = 0; i + length <= x.size(); ++i) {
            for (std::size_t j = 0; j + length <= z.size(); ++j)
                sum += x.substr(i, length) == z.substr(j, length) ? 1 : 0;
        }
        return sum;
    };
}

TEST(StringKernels, SpectrumCountsCommonSubstrings) {
    const auto left = random_texts(40, 30, 3, 1);
    const auto right = random_texts(25, 60, 4, 2);  // They have more letters and parts than the left ones.
    for (const std::size_t length : {1U, 2U, 3U, 7U}) {
        expect_similarities(text("spectrum(length=", length, ")"), spectrum(length), left, right);
        expect_similarities(text("spectrum(length=", length, ")"), spectrum(length), right, left);
    }
    EXPECT_EQ(value("spectrum(length=2)", "banana", "ananas"), 8);  // an: 2 * 2, na: 2 * 2, the rest differ
    EXPECT_EQ(value("spectrum(length=2)", "anana", "anana"), 8);    // an: 2 * 2, na: 2 * 2
}

/// Sums over every u of the alphabet the number of substrings of x and of z that are within the mismatches of
/// u.
Similarity mismatch(std::size_t length, int mismatches, int alphabet) {
    return [=](const std::string& x, const std::string& z) {
        double sum = 0;
        std::string u(length, 'a');
        const auto near = [&](const std::string& whole) {
            double count = 0;
            for (std::size_t i = 0; i + length <= whole.size(); ++i) {
                int differing = 0;
                for (std::size_t k = 0; k < length; ++k) differing += whole[i + k] != u[k] ? 1 : 0;
                count += differing <= mismatches ? 1 : 0;
            }
            return count;
        };
        const std::function<void(std::size_t)> choose = [&](std::size_t k) {
            if (k == length) {
                sum += near(x) * near(z);
                return;
            }
            for (int c = 0; c < alphabet; ++c) {
                u[k] = static_cast<char>('a' + c);
                choose(k + 1);
            }
        };
        choose(0);
        return sum;
    };
}

TEST(StringKernels, MismatchCountsNeighbours) {
    const auto left = random_texts(20, 14, 3, 3);
    const auto right = random_texts(18, 14, 3, 4);
    for (const std::size_t length : {1U, 3U, 4U}) {
        for (int mismatches = 0; mismatches <= 3 && mismatches < static_cast<int>(length); ++mismatches) {
            expect_similarities(
                text("mismatch(length=", length, ", mismatches=", mismatches, ", alphabet=3)"),
                mismatch(length, mismatches, 3), left, right);
        }
    }
    // Letters that no text has count as neighbours too.
    expect_similarities("mismatch(length=3, mismatches=1, alphabet=5)", mismatch(3, 1, 5), left, right);
    const auto two = random_texts(15, 12, 2, 5);
    expect_similarities("mismatch(length=3, mismatches=2, alphabet=2)", mismatch(3, 2, 2), two, two);
}

TEST(StringKernels, MismatchOfNoneIsTheSpectrum) {
    const auto texts = random_texts(30, 20, 4, 6);
    expect_similarities("mismatch(length=3, mismatches=0)", spectrum(3), texts, texts);
}

TEST(StringKernels, TheAlphabetIsThatOfTheTrainingStrings) {
    EXPECT_EQ(make_kernel("mismatch(length=2, mismatches=1)", strings({"abc", "dab", ""}))->text(),
              "mismatch(length=2, mismatches=1, alphabet=4)");
    EXPECT_EQ(make_kernel("mismatch(length=2, mismatches=1)", strings({"aaa"}))->text(),
              "mismatch(length=2, mismatches=1, alphabet=2)");
    message_of(Status::invalid_kernel,
               [] { make_kernel("mismatch(length=2, mismatches=2)", strings({"ab"})); });
}

/// Gives all choices of `length` positions, as the characters chosen and their extent.
std::map<std::string, std::map<std::size_t, double>> subsequences(const std::string& whole,
                                                                  std::size_t length) {
    std::map<std::string, std::map<std::size_t, double>> counts;
    const std::function<void(std::size_t, std::size_t, std::string)> choose =
        [&](std::size_t next, std::size_t first, const std::string& chosen) {
            for (std::size_t i = next; i < whole.size(); ++i) {
                const std::size_t start = chosen.empty() ? i : first;
                if (chosen.size() + 1 == length) {
                    counts[chosen + whole[i]][i - start + 1] += 1;
                } else {
                    choose(i + 1, start, chosen + whole[i]);
                }
            }
        };
    choose(0, 0, "");
    return counts;
}

Similarity subsequence(std::size_t length, double decay) {
    return [=](const std::string& x, const std::string& z) {
        const auto left = subsequences(x, length);
        const auto right = subsequences(z, length);
        long double sum = 0;
        for (const auto& [u, extents] : left) {
            const auto found = right.find(u);
            if (found == right.end()) continue;
            for (const auto& [a, count] : extents) {
                for (const auto& [b, other] : found->second)
                    sum += static_cast<long double>(count) * other *
                           std::pow(static_cast<long double>(decay), static_cast<long double>(a + b));
            }
        }
        return static_cast<double>(sum);
    };
}

TEST(StringKernels, SubsequencesOfEveryChoiceOfPositions) {
    const auto left = random_texts(20, 11, 3, 7);
    const auto right = random_texts(17, 11, 3, 8);
    for (const std::size_t length : {1U, 2U, 3U, 5U}) {
        for (const double decay : {0.5, 1.0, 0.01}) {
            expect_similarities(text("subsequence(length=", length, ", decay=", decay, ")"),
                                subsequence(length, decay), left, right);
        }
    }
}

TEST(StringKernels, SubsequencesOfShortWords) {
    for (const double decay : {0.5, 0.7, 1.0}) {
        const std::string kernel = text("subsequence(length=2, decay=", decay, ")");
        EXPECT_NEAR(value(kernel, "cat", "car"), std::pow(decay, 4), 1e-15);
        EXPECT_NEAR(value(kernel, "cat", "cat"), 2 * std::pow(decay, 4) + std::pow(decay, 6), 1e-15);
        EXPECT_EQ(value(kernel, "cat", "dog"), 0);
        EXPECT_EQ(value(kernel, "cat", "tac"), 0);
    }
}

TEST(StringKernels, EditDistances) {
    const auto distance = [](const std::string& x, const std::string& z) {
        return -std::log(value("edit(gamma=1)", x, z));
    };
    EXPECT_NEAR(distance("kitten", "sitting"), 3, 1e-12);
    EXPECT_NEAR(distance("sitting", "kitten"), 3, 1e-12);
    EXPECT_NEAR(distance("flaw", "lawn"), 2, 1e-12);
    EXPECT_NEAR(distance("saturday", "sunday"), 3, 1e-12);
    EXPECT_NEAR(distance("", "abc"), 3, 1e-12);
    EXPECT_NEAR(distance("abc", ""), 3, 1e-12);
    EXPECT_EQ(distance("", ""), 0);
    EXPECT_EQ(distance("same", "same"), 0);
}

/// Computes the definition without a table, by what the last characters leave.
Index edits(std::string_view x, std::string_view z) {
    if (x.empty() || z.empty()) return std::ssize(x) + std::ssize(z);
    const auto x_rest = x.substr(1);
    const auto z_rest = z.substr(1);
    if (x[0] == z[0]) return edits(x_rest, z_rest);
    return 1 + std::min({edits(x_rest, z), edits(x, z_rest), edits(x_rest, z_rest)});
}

TEST(StringKernels, EditAgainstItsRecursion) {
    const auto texts = random_texts(40, 7, 2, 9);
    expect_similarities(
        "edit(gamma=0.25)",
        [](const std::string& x, const std::string& z) {
            return std::exp(-0.25 * static_cast<double>(edits(x, z)));
        },
        texts, random_texts(18, 7, 3, 10));
}

TEST(StringKernels, EditWidthRules) {
    const Dataset data = strings({"aaaa", "aaab", "aabb", "bbbb"});  // The distances are 1, 2, 4, 1, 3 and 2.
    EXPECT_EQ(make_kernel("edit(gamma=median)", data)->text(), "edit(gamma=0.5)");
    EXPECT_EQ(make_kernel("edit(gamma=3*median)", data)->text(), "edit(gamma=1.5)");
    EXPECT_NEAR(gram_matrix(make_kernel("edit", data), data, data)[1], std::exp(-6.0 / 13), 1e-14);
    EXPECT_EQ(make_kernel("edit", strings({"alone"}))->text(), "edit(gamma=1)");
    EXPECT_EQ(make_kernel("edit", strings({"same", "same"}))->text(), "edit(gamma=1)");
}

TEST(StringKernels, EmptyStringsHaveNothingInCommon) {
    const Dataset data = strings({"", "abcd", "", "ab"});
    for (const char* kernel : {"spectrum(length=3)", "mismatch(length=3)", "subsequence(length=3)"}) {
        const auto matrix = gram_matrix(make_kernel(kernel, data), data, data);
        for (const std::size_t e : {0U, 1U, 2U, 4U, 6U, 8U, 10U, 15U}) EXPECT_EQ(matrix[e], 0) << kernel;
        EXPECT_GT(matrix[5], 0) << kernel;
        // By convention a string without any part is a direction of its own.
        const auto cosines = gram_matrix(make_kernel(text("normalize(", kernel, ")"), data), data, data);
        EXPECT_EQ(cosines[2], 1) << kernel;
        EXPECT_EQ(cosines[1], 0) << kernel;
        EXPECT_NEAR(cosines[5], 1, 1e-15) << kernel;
    }
    const Dataset empty = strings({"", ""});
    for (const char* kernel : {"spectrum", "mismatch", "subsequence"}) {
        EXPECT_EQ(gram_matrix(make_kernel(kernel, empty), empty, empty), std::vector<double>(4, 0.0));
    }
    EXPECT_EQ(gram_matrix(make_kernel("edit", empty), empty, empty), std::vector<double>(4, 1.0));
}

/// An a-umlaut, a sharp s, the euro sign and a face are one character each, of 2, 2, 3 and 4 bytes.
TEST(StringKernels, CharactersAreNotBytes) {
    const std::string four = "\xC3\xA4\xC3\x9F\xE2\x82\xAC\xF0\x9F\x98\x80";
    EXPECT_EQ(characters_of(four), U"\u00E4\u00DF\u20AC\U0001F600");
    EXPECT_EQ(value("spectrum(length=1)", four, four), 4);
    EXPECT_EQ(value("spectrum(length=4)", four, four), 1);
    EXPECT_EQ(value("spectrum(length=5)", four, four), 0);
    EXPECT_EQ(value("spectrum(length=1)", "\xC3\xA4", "\xC3\x9F"), 0);  // They share only the byte C3.
    EXPECT_NEAR(value("edit(gamma=1)", four, "\xC3\xA4\xE2\x82\xAC"), std::exp(-2), 1e-15);
    EXPECT_EQ(make_kernel("mismatch", strings({four}))->text(),
              "mismatch(length=3, mismatches=1, alphabet=4)");
    EXPECT_NEAR(value("subsequence(length=2, decay=0.5)", "\xC3\xA4\xC3\x9F", "\xC3\xA4\xC3\x9F"), 0.0625,
                1e-15);
}

TEST(StringKernels, TextThatIsNoUtf8IsRefused) {
    const std::vector<std::string> bad{
        "\x80",      // a continuation without a start
        "a\xC3",     // cut off
        "\xC3(",     // not continued
        "\xC0\xAF",  // overlong
        "\xC1\xBF",
        "\xE0\x80\xAF",
        "\xF0\x80\x80\xAF",
        "\xED\xA0\x80",      // a surrogate
        "\xF4\x90\x80\x80",  // beyond U+10FFFF
        "\xF5\x80\x80\x80",
        "\xFF",
        "ok\xE2\x82",
    };
    for (const auto& one : bad) message_of(Status::invalid_data, [&] { characters_of(one); });
    EXPECT_EQ(characters_of("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"), U"\uD7FF\uE000\U0010FFFF");
    EXPECT_EQ(characters_of(std::string("a\0b", 3)).size(), 3U);
    EXPECT_TRUE(characters_of("").empty());
    const Dataset data = strings({"fine", "\xFF"});
    for (const char* kernel : {"spectrum", "mismatch(alphabet=9)", "subsequence", "edit(gamma=1)"}) {
        message_of(Status::invalid_data, [&] { gram_matrix(make_kernel(kernel, data), data, data); });
    }
}

TEST(StringKernels, SemidefiniteWhereTheySaySo) {
    const Dataset data = strings(random_texts(60, 25, 3, 11));
    for (const char* kernel :
         {"spectrum", "spectrum(length=1)", "mismatch", "mismatch(length=4, mismatches=2)", "subsequence",
          "subsequence(length=2, decay=0.9)", "normalize(subsequence)", "normalize(spectrum)*mismatch",
          "spectrum(length=1) + spectrum(length=2)"}) {
        const auto made = make_kernel(kernel, data);
        EXPECT_TRUE(made->positive_semidefinite()) << kernel;
        const auto values = gram_matrix(made, data, data);
        const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), 60, 60);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
        EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-10 * solver.eigenvalues().maxCoeff()) << kernel;
        for (const int threads : {2, 3}) EXPECT_EQ(gram_matrix(made, data, data, threads), values) << kernel;
        const auto again = make_kernel(made->text(), data.select(std::vector<Index>{1, 2}));
        EXPECT_EQ(gram_matrix(again, data, data), values) << made->text();
    }
    EXPECT_FALSE(make_kernel("edit", data)->positive_semidefinite());
    EXPECT_TRUE(make_kernel("edit", data)->unit_diagonal());
}

}  // namespace
}  // namespace dk::test::string_kernel_test

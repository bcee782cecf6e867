// SPDX-License-Identifier: Apache-2.0
// These tests try hostile kernel strings. Whatever the bytes, the answer must be a kernel or a clear error
// with the position, and come quickly.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::kernel_string_test {
namespace {

constexpr dk_status bad_kernel = DK_ERR_INVALID_KERNEL;

class KernelString : public testing::Test {
  protected:
    Data data = dense(make_problem(4, 3, 2, 1.0, 1));
    Params params = parameters("svm");

    dk_status count(const std::string& kernel, int64_t* kernels = nullptr) const {
        int64_t ignored = 0;
        return dk_kernel_count(kernels == nullptr ? &ignored : kernels, data.get(), kernel.c_str());
    }

    /// How long a string of any length may take.
    static std::chrono::seconds longest() { return std::chrono::seconds(slowed_down() ? 60 : 5); }

    /// Expects both ways into the language to refuse it, and quickly.
    void expect_refused(const std::string& kernel, const Words& words = {}, Place where = Place::current()) {
        const testing::ScopedTrace trace(where.file_name(), where.line(), kernel.substr(0, 80));
        const auto begin = std::chrono::steady_clock::now();
        expect_failure([&] { return count(kernel); }, bad_kernel, words, where);
        expect_failure([&] { return dk_params_set(params.get(), "kernel", kernel.c_str()); }, bad_kernel,
                       words, where);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, longest());
    }

    /// Expects a kernel or a clear error, and the same for the matrix.
    void expect_no_harm(const std::string& kernel, int64_t largest_bank = 16) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, kernel.substr(0, 200));
        int64_t kernels = 0;
        const dk_status status = count(kernel, &kernels);
        if (status != DK_OK) {
            EXPECT_TRUE(status == bad_kernel || status == DK_ERR_DIMENSION || status == DK_ERR_UNSUPPORTED ||
                        status == DK_ERR_MEMORY_BUDGET)
                << dk_status_name(status) << ": " << dk_last_error();
            return;
        }
        ASSERT_GE(kernels, 1);
        if (kernels > largest_bank) return;
        std::vector<double> out(static_cast<std::size_t>(16 * kernels));
        const dk_status made =
            dk_gram(out.data(), 16 * kernels, data.get(), nullptr, kernel.c_str(), nullptr);
        EXPECT_NE(made, DK_ERR_INTERNAL) << dk_last_error();
        EXPECT_NE(made, DK_ERR_INVALID_ARGUMENT) << dk_last_error();
    }
};

std::string repeated(const std::string& part, std::size_t times) {
    std::string text;
    text.reserve(part.size() * times);
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
}

const std::vector<std::string> valid{
    "linear",
    "0.3*rbf(gamma=1) + 0.7*linear",
    "[rbf(gamma=0.1), rbf(gamma=1), arccos(1,0)]",
    "grid(rbf, gamma=0.002:1/d:5/d)",
    "each_feature(rbf(gamma=auto))",
    "on(0:1, rbf(gamma=auto)) * normalize(poly(degree=3, gamma=0.5, coef0=1))",
    "exp(0.1*linear) + 2",
    "sigmoid(gamma=0.1, coef0=-0.5) + laplacian(gamma=1e-3)",
    "normalize(exp(0.01*linear) * arccos(0,1,2,3))"};

TEST_F(KernelString, ValidOnesAreAccepted) {
    for (const std::string& kernel : valid) {
        EXPECT_EQ(count(kernel), DK_OK) << kernel << ": " << dk_last_error();
        EXPECT_EQ(dk_params_set(params.get(), "kernel", kernel.c_str()), DK_OK) << kernel << dk_last_error();
    }
}

TEST_F(KernelString, NothingAndNonsense) {
    for (const char* kernel : {"",
                               " ",
                               "\t\n",
                               "bogus",
                               "bogus(1)",
                               "()",
                               "[]",
                               "[,]",
                               "[linear,]",
                               ",",
                               "=",
                               "+",
                               "*",
                               "linear+",
                               "linear*",
                               "+linear",
                               "linear linear",
                               "linear)",
                               "(linear",
                               "[linear",
                               "linear]",
                               "linear;",
                               "linear\x01",
                               "\xff\xfe",
                               "linear()linear",
                               "rbf(gamma=)",
                               "rbf(gamma)",
                               "rbf(=1)",
                               "rbf(gamma=1,)",
                               "rbf(,gamma=1)",
                               "rbf(gamma=1 2)",
                               "rbf(gamma==1)",
                               "rbf(gamma=1;degree=2)",
                               "LINEAR("}) {
        expect_refused(kernel);
    }
}

TEST_F(KernelString, UnknownNamesAndParametersNameTheNearest) {
    expect_refused("liner", {"liner", "linear"});
    expect_refused("rfb(gamma=1)", {"rfb", "rbf"});
    expect_refused("laplace(gamma=1)", {"laplace", "laplacian"});
    expect_refused("rbf(gama=1)", {"gama", "gamma"});
    expect_refused("poly(degre=3)", {"degre", "degree"});
    expect_refused("normalise(linear)", {"normalise", "normalize"});
}

TEST_F(KernelString, ErrorsNameThePosition) {
    for (const auto& [kernel, position] :
         std::vector<std::pair<const char*, int>>{{"bogus(1)", 0},
                                                  {"linear + bogus(1)", 9},
                                                  {"rbf(gamma=1) * [linear, bogus]", 24},
                                                  {"linear ]", 7}}) {
        const std::string text = kernel;
        leave_old_message();
        EXPECT_EQ(count(text), bad_kernel) << text;
        const std::string message = dk_last_error();
        const bool from_zero = has_word(message, std::to_string(position));
        const bool from_one = has_word(message, std::to_string(position + 1));
        EXPECT_TRUE(has_word(message, "position") || has_word(message, "character")) << message;
        EXPECT_TRUE(from_zero || from_one) << text << " at " << position << ": " << message;
    }
}

TEST_F(KernelString, ParametersOutOfRange) {
    for (const char* kernel : {"rbf(gamma=-1)",
                               "rbf(gamma=nan)",
                               "rbf(gamma=inf)",
                               "rbf(gamma=-inf)",
                               "rbf(gamma=1e999)",
                               "rbf(gamma=1,gamma=2)",
                               "rbf(gamma=yes)",
                               "rbf(gamma=0x1p3)",
                               "laplacian(gamma=-0.5)",
                               "laplacian(gamma=nan)",
                               "poly(degree=-1)",
                               "poly(degree=nan)",
                               "poly(degree=1.5)",
                               "poly(degree=1e30)",
                               "poly(degree=auto)",
                               "poly(gamma=nan)",
                               "poly(coef0=inf)",
                               "sigmoid(gamma=nan)",
                               "sigmoid(coef0=nan)",
                               "arccos(4)",
                               "arccos(-1)",
                               "arccos(1.5)",
                               "arccos(1,)",
                               "arccos(99999999999999999999)",
                               "arccos(a)",
                               "gram(-1)",
                               "gram(0.5)",
                               "gram(99999999999999999999)",
                               "nan*linear",
                               "inf*linear",
                               "1e999*linear",
                               "linear + nan",
                               "linear + inf",
                               "linear(gamma=1)",
                               "exp()",
                               "normalize()",
                               "exp(linear, linear)",
                               "on(0:1)",
                               "on(linear)",
                               "on(-1:2, linear)",
                               "on(2:1, linear)",
                               "on(0:1.5, linear)",
                               "on(a:b, linear)",
                               "each_feature()",
                               "grid()",
                               "grid(rbf)",
                               "grid(bogus, gamma=1:2)",
                               "grid(rbf, gama=1:2)",
                               "grid(rbf, gamma=)",
                               "grid(rbf, gamma=1:-2)",
                               "grid(rbf, gamma=1::2)",
                               "rbf(gamma=1/0)",
                               "rbf(gamma=1/d/)",
                               "rbf(gamma=/d)"}) {
        expect_refused(kernel);
    }
}

TEST_F(KernelString, ColumnsBeyondTheData) {
    for (const char* kernel :
         {"on(0:3, linear)", "on(3:3, linear)", "on(0:9223372036854775807, linear)",
          "on(9223372036854775807:9223372036854775807, linear)", "on(0:1000000000000, rbf)"}) {
        expect_failure_in([&] { return count(kernel); }, {bad_kernel, DK_ERR_DIMENSION});
    }
    expect_failure_in([&] { return count("on(1:7, linear)"); }, {bad_kernel, DK_ERR_DIMENSION}, {"7", "2"});
}

TEST_F(KernelString, AMegabyteOfAnything) {
    constexpr std::size_t size = 1 << 20;
    for (const char* part :
         {"a",       "(",       ")",         "[",    "]",       ",",          "*",        "+",
          "-",       "=",       "9",         "rbf(", "exp(",    "normalize(", "[linear,", "each_feature(",
          "on(0:1,", "grid(",   "1*",        "2+",   "linear+", "linear*",    "'",        "\xff",
          "linear(", "linear ", "rbf(gamma="}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, part);
        expect_refused(repeated(part, size / std::string(part).size()));
    }
}

TEST_F(KernelString, ValidInFormAndAMegabyteLong) {
    // Sums this long may be refused as too complex, but must neither crash nor take minutes.
    const std::vector<std::string> giants{repeated("linear+", 150000) + "linear",
                                          repeated("linear*", 150000) + "linear",
                                          "linear" + repeated("+1", 500000),
                                          repeated("1*", 500000) + "linear",
                                          "[" + repeated("linear,", 150000) + "linear]",
                                          "arccos(" + repeated("1,", 500000) + "0)",
                                          "rbf(gamma=" + repeated("0", 1 << 20) + "1)",
                                          "rbf(gamma=0." + repeated("0", 1 << 20) + "1)",
                                          "grid(rbf, gamma=1" + repeated(":1", 500000) + ")",
                                          repeated(" ", 1 << 20) + "linear"};
    for (const std::string& kernel : giants) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, kernel.substr(0, 60));
        const auto begin = std::chrono::steady_clock::now();
        int64_t kernels = 0;
        const dk_status status = count(kernel, &kernels);
        EXPECT_TRUE(status == DK_OK || status == bad_kernel)
            << dk_status_name(status) << ": " << dk_last_error();
        EXPECT_LT(std::string(status == DK_OK ? "" : dk_last_error()).size(), 4096U);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, longest());
    }
}

TEST_F(KernelString, NestedTenThousandDeep) {
    struct Nest {
        const char *open, *inside, *close;
    };
    for (const Nest nest :
         {Nest{"(", "linear", ")"}, Nest{"[", "linear", "]"}, Nest{"exp(", "linear", ")"},
          Nest{"normalize(", "linear", ")"}, Nest{"each_feature(", "linear", ")"},
          Nest{"on(0:1, ", "linear", ")"}, Nest{"linear*(", "linear", ")"}, Nest{"2*(", "linear", ")"},
          Nest{"linear+(", "linear", ")"}, Nest{"[linear,", "linear", "]"}}) {
        for (const std::size_t depth : {10000U, 100000U}) {
            const std::string open = repeated(nest.open, depth);
            const testing::ScopedTrace trace(__FILE__, __LINE__, nest.open);
            const auto begin = std::chrono::steady_clock::now();
            const dk_status whole = count(open + nest.inside + repeated(nest.close, depth));
            EXPECT_TRUE(whole == DK_OK || whole == bad_kernel || whole == DK_ERR_DIMENSION)
                << dk_status_name(whole) << ": " << dk_last_error();
            EXPECT_EQ(count(open + nest.inside), bad_kernel);
            EXPECT_LT(std::chrono::steady_clock::now() - begin, longest());
        }
    }
}

TEST_F(KernelString, BanksThatMultiply) {
    // Each level would multiply the bank. It may be refused or made, but within bounds.
    std::string product = "[linear,linear]";
    for (int level = 0; level < 40; ++level) product += "*[linear,linear]";
    std::string features = "linear";
    for (int level = 0; level < 40; ++level) features = "each_feature(" + features + ")";
    for (const std::string& kernel : {product, features, "[" + product + "]", "exp(" + product + ")"}) {
        const auto begin = std::chrono::steady_clock::now();
        expect_no_harm(kernel);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, longest());
    }
}

TEST_F(KernelString, EveryTruncation) {
    for (const std::string& kernel : valid) {
        for (std::size_t length = 0; length < kernel.size(); ++length) {
            const std::string cut = kernel.substr(0, length);
            expect_no_harm(cut);
            const auto opened =
                std::count_if(cut.begin(), cut.end(), [](char c) { return c == '(' || c == '['; });
            const auto closed =
                std::count_if(cut.begin(), cut.end(), [](char c) { return c == ')' || c == ']'; });
            if (opened != closed) {
                EXPECT_EQ(count(cut), bad_kernel) << cut;
            }
        }
    }
}

TEST_F(KernelString, RandomDamage) {
    Random random(20261121);
    const std::string alphabet = "()[],+*=:/.-0123456789dabrfegmlinatoxphucs \t\x01\x7f\xc3\xff";
    for (int round = 0; round < 6000; ++round) {
        std::string kernel = valid[random.below(valid.size())];
        const std::size_t damages = 1 + random.below(4);
        for (std::size_t damage = 0; damage < damages && !kernel.empty(); ++damage) {
            const std::size_t at = random.below(kernel.size());
            const char letter = alphabet[random.below(alphabet.size())];
            switch (random.below(4)) {
                case 0:
                    kernel[at] = letter;
                    break;
                case 1:
                    kernel.insert(at, 1, letter);
                    break;
                case 2:
                    kernel.erase(at, 1 + random.below(3));
                    break;
                default:
                    kernel.insert(at, kernel.substr(random.below(kernel.size()), 6));
                    break;
            }
        }
        expect_no_harm(kernel);
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace dk_test::kernel_string_test

// SPDX-License-Identifier: Apache-2.0
// The parameter spectrum makes similarities positive semidefinite that are not. These tests check the result
// and the report of what was found, and that unseen rows are treated as training rows were.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::spectrum_test {
namespace {

constexpr int64_t rows = 30;

using Json = nlohmann::json;

/// Makes two groups that are similar within, minus a multiple of the identity, so that eigenvalues are below
/// zero and the lowest of them is known.
std::vector<double> two_groups(double diagonal) {
    std::vector<double> matrix;
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < rows; ++j) {
            matrix.push_back(i == j ? diagonal : (i - j) % 2 == 0 ? 1.0 : 0.25);
        }
    }
    return matrix;
}

/// Adds symmetric noise to these groups, so that eigenvalues have either sign and no ties.
std::vector<double> noisy_groups(uint64_t seed) {
    std::vector<double> matrix = two_groups(1.0);
    Random random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            matrix[i * rows + j] += 0.2 * random.normal();
            matrix[j * rows + i] = matrix[i * rows + j];
        }
    }
    return matrix;
}

Data labelled(const std::vector<double>& matrix) {
    Data data = gram(matrix, rows, rows);
    label(data, alternating_labels(rows));
    return data;
}

Json training_report(const Model& model) {
    return Json::parse(text_of(dk_model_info, model.get())).at("training");
}

const std::vector<std::string> methods{"clip", "flip", "shift", "square"};

TEST(Spectrum, TheReportHasTheLowestEigenvalue) {
    // The eigenvalues are d - 1 many times, and d - 1 + 15 (1 -+ 0.25) once each.
    for (const std::string& method : methods) {
        const Model model = train(labelled(two_groups(0.5)), "svm", "spectrum=" + method);
        const Json training = training_report(model);
        ASSERT_TRUE(training.contains("spectrum")) << training;
        const Json& report = training["spectrum"];
        ASSERT_EQ(report.size(), 1U) << "one kernel";
        EXPECT_NEAR(report[0].at("lowest_eigenvalue").get<double>(), -0.5, 1e-12) << method;
        EXPECT_NEAR(report[0].at("highest_eigenvalue").get<double>(), 18.25, 1e-12) << method;
        EXPECT_EQ(report[0].at("negative_eigenvalues").get<int64_t>(), rows - 2) << method;
        EXPECT_EQ(report[0].at("method").get<std::string>(), method);
    }
}

TEST(Spectrum, SemidefiniteSimilaritiesStayAsTheyAre) {
    const Model plain = train(labelled(two_groups(1.5)), "svm");
    const Data data = labelled(two_groups(1.5));
    EXPECT_FALSE(training_report(plain).contains("spectrum"));
    for (const std::string& method : methods) {
        const Model model = train(data, "svm", "spectrum=" + method);
        EXPECT_FALSE(training_report(model).contains("spectrum")) << method;
        EXPECT_TRUE(same_bits(decisions(model, data), decisions(plain, data))) << method;
    }
}

TEST(Spectrum, NoneLeavesThemAndSaysNothing) {
    EXPECT_FALSE(training_report(train(labelled(noisy_groups(3)), "mean_of_class")).contains("spectrum"));
}

/// The expected values follow from the eigenvalue that each method makes of another, as read off the Gram
/// matrix of the corrected kernel.
TEST(Spectrum, CorrectedMatricesAreThoseOfTheDefinition) {
    const std::vector<double> matrix = two_groups(0.5);
    const Data data = labelled(matrix);
    struct Expected {
        const char* method;
        double within, across, diagonal;
    };
    // The matrix is -0.5 I + J, where J has the eigenvalues 18.75 and 11.25 on the constant and the
    // alternating vector: f(K) = f(-0.5) I + (f(18.25) - f(-0.5)) / 30 ones + (f(10.75) - f(-0.5)) / 30
    // signs.
    const auto entries = [](const char* method, double low, double first, double second) {
        const double ones = (first - low) / 30;
        const double signs = (second - low) / 30;
        return Expected{method, ones + signs, ones - signs, low + ones + signs};
    };
    for (const Expected& expected :
         {entries("clip", 0.0, 18.25, 10.75), entries("flip", 0.5, 18.25, 10.75),
          entries("shift", 0.0, 18.75, 11.25), entries("square", 0.25, 18.25 * 18.25, 10.75 * 10.75)}) {
        const std::string kernel = std::string("corrected(gram(0), method=") + expected.method + ")";
        const auto found =
            values_of<double>(rows * rows, dk_gram, data.get(), nullptr, kernel.c_str(), nullptr);
        std::vector<double> wanted;
        for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < rows; ++j) {
                wanted.push_back(i == j             ? expected.diagonal
                                 : (i - j) % 2 == 0 ? expected.within
                                                    : expected.across);
            }
        }
        EXPECT_TRUE(nearly_equal(found, wanted, 1e-12)) << expected.method;
    }
}

class SpectrumMethod : public testing::TestWithParam<std::string> {
  protected:
    const std::vector<double> matrix = noisy_groups(5);
    const Data data = labelled(matrix);
    const std::string settings = "spectrum=" + GetParam();
};

TEST_P(SpectrumMethod, EveryMachineLearnsTheGroups) {
    for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
        const Model model = train(data, machine, settings);
        const std::vector<int64_t> labels = alternating_labels(rows);
        EXPECT_EQ(predictions(model, data), std::vector<double>(labels.begin(), labels.end())) << machine;
        EXPECT_TRUE(all_finite(explanations(model, data))) << machine;
        EXPECT_LT(training_report(model).at("spectrum")[0].at("lowest_eigenvalue").get<double>(), 0.0);
    }
}

/// These methods map every row, while a shift belongs to the training rows themselves.
class SpectrumMap : public SpectrumMethod {};

TEST_P(SpectrumMap, RowsSeenBeforeAreDecidedAsInTraining) {
    for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
        const Model model = train(data, machine, settings);
        const std::vector<double> expected = decisions(model, data);
        const std::vector<double> some(matrix.begin() + 4 * rows, matrix.begin() + 13 * rows);
        const Data test = gram(some, 9, rows);
        EXPECT_TRUE(nearly_equal(decisions(model, test),
                                 std::vector<double>(expected.begin() + 4, expected.begin() + 13), 1e-9))
            << machine;
    }
}

TEST_P(SpectrumMethod, SavedModelsSayTheSameBits) {
    const Data test =
        gram(std::vector<double>(matrix.begin() + 4 * rows, matrix.begin() + 13 * rows), 9, rows);
    for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
        const Model model = train(data, machine, settings);
        const Model again = read_model(bytes_of(model.get()));
        expect_same_answers(again, model, data, false);
        EXPECT_TRUE(same_bits(decisions(again, test), decisions(model, test))) << machine;
        EXPECT_EQ(training_report(again), training_report(model));
    }
}

TEST_P(SpectrumMethod, CrossValidates) {
    const Params params = parameters("svm", settings + " folds=3");
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    EXPECT_TRUE(Json::parse(text_of(dk_model_info, model.get())).contains("cross_validation"));
    EXPECT_TRUE(same_bits(decisions(model, data), decisions(train(data, "svm", settings), data)));
}

TEST_P(SpectrumMethod, AsymmetricMatricesAreMadeSymmetric) {
    std::vector<double> asymmetric = matrix;
    Random random(6);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double difference = 0.1 * random.normal();
            asymmetric[i * rows + j] += difference;
            asymmetric[j * rows + i] -= difference;
        }
    }
    const Data raw = labelled(asymmetric);
    const Params none = parameters("svm");
    expect_no_handle<dk_model>([&](dk_model** out) { return dk_train(out, raw.get(), none.get(), nullptr); },
                               DK_ERR_INVALID_DATA, {"symmetric"});
    // What is added on one side and subtracted on the other is gone in the mean of both.
    EXPECT_TRUE(nearly_equal(decisions(train(raw, "svm", settings + " tolerance=1e-8"), data),
                             decisions(train(data, "svm", settings + " tolerance=1e-8"), data), 1e-6));
}

TEST_P(SpectrumMethod, CallbacksGiveTheModelOfTheMatrix) {
    Similarities similarities(matrix, rows, rows);
    const Data known = similarities.data();
    label(known, alternating_labels(rows));
    const Model model = train(known, "svm", settings);
    EXPECT_TRUE(nearly_equal(decisions(model, data), decisions(train(data, "svm", settings), data), 1e-9));
    EXPECT_FALSE(similarities.other_thread);
    EXPECT_FALSE(similarities.outside);
}

TEST_P(SpectrumMethod, KernelsOfFeaturesAreCorrectedToo) {
    const Data training = dense(make_problem(40, 3, 2, 2.0, 7));
    const Data test = dense(make_problem(12, 3, 2, 2.0, 8));
    const Model model = train(training, "svm", settings + " kernel=sigmoid(gamma=2, coef0=-1)");
    EXPECT_LT(training_report(model).at("spectrum")[0].at("lowest_eigenvalue").get<double>(), 0.0);
    expect_same_answers(read_model(bytes_of(model.get())), model, test, false);
    // In a bank, only the kernel that needs it is corrected.
    const Model bank = train(training, "svm", settings + " kernel=[rbf(gamma=1),sigmoid(gamma=2, coef0=-1)]");
    ASSERT_EQ(training_report(bank).at("spectrum").size(), 1U);
    EXPECT_NE(training_report(bank)["spectrum"][0].at("kernel").get<std::string>().find("sigmoid"),
              std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Methods, SpectrumMap, testing::Values("clip", "flip", "square"),
                         [](const auto& information) { return information.param; });
INSTANTIATE_TEST_SUITE_P(Methods, SpectrumMethod, testing::ValuesIn(methods),
                         [](const auto& information) { return information.param; });

TEST(Spectrum, AnAsymmetricCallbackTrainsASymmetricMatrix) {
    // The matrix may be that of the upper half, which is all that counts in training, or the mean of both.
    std::vector<double> asymmetric = noisy_groups(5);
    std::vector<double> upper = asymmetric;
    Random random(6);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < i; ++j) asymmetric[i * rows + j] += 0.3 * random.normal();
    }
    Similarities similarities(asymmetric, rows, rows);
    const Data known = similarities.data();
    label(known, alternating_labels(rows));
    const Data test = gram(noisy_groups(9), rows, rows);
    for (const std::string& method : methods) {
        for (const char* machine : {"svm", "mean_of_class"}) {
            const std::string settings = "spectrum=" + method;
            const auto found = decisions(train(known, machine, settings), test);
            const auto of_mean = decisions(train(labelled(asymmetric), machine, settings), test);
            const auto of_upper = decisions(train(labelled(upper), machine, settings), test);
            EXPECT_TRUE(nearly_equal(found, of_mean, 1e-6) || nearly_equal(found, of_upper, 1e-6))
                << method << " " << machine;
        }
    }
}

TEST(Spectrum, OtherWordsAreRefused) {
    const Params params = parameters("svm");
    for (const char* word : {"clipp", "", "yes", "Clip"}) {
        expect_failure([&] { return dk_params_set(params.get(), "spectrum", word); },
                       DK_ERR_INVALID_PARAMETER, {"clip", "flip", "shift", "square"});
    }
}

TEST(Spectrum, MemoryForItIsCountedAgainstTheBudget) {
    // The matrix of 400 rows has 1.3 MB, and so have its eigenvectors.
    const Data data = dense(make_problem(400, 2, 2, 3.0, 1));
    for (const char* settings : {"memory_mb=1 spectrum=clip kernel=sigmoid(gamma=2, coef0=-1)",
                                 "memory_mb=1 kernel=corrected(sigmoid(gamma=2, coef0=-1), method=clip)"}) {
        const Params params = parameters("svm", settings);
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
            DK_ERR_MEMORY_BUDGET, {"1", "memory_mb"});
    }
}

}  // namespace
}  // namespace dk_test::spectrum_test

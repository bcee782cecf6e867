// SPDX-License-Identifier: Apache-2.0
// These models have kernels that learn from the training rows (lowrank, center, corrected). What they learned
// must be in the file, and be the same for any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::learned_kernel_model_test {
namespace {

constexpr int64_t rows = 80;
constexpr int64_t test_rows = 17;

enum class Form { dense, sparse, gram };

struct Case {
    std::string name, kernel;
    Form form = Form::dense;
    std::string settings = "";

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class LearnedKernel : public testing::TestWithParam<Case> {
  protected:
    const Problem problem = make_problem(rows, 3, 2, 3.0, 91);
    const Problem others = make_problem(test_rows, 3, 2, 3.0, 92);
    const Data data = in_form(problem, rows);
    const Data test = in_form(others, test_rows);

    Data in_form(const Problem& chosen, int64_t count) const {
        if (GetParam().form == Form::dense) return dense(chosen);
        if (GetParam().form == Form::sparse) return sparse(chosen);
        const Data points = dense(problem);
        const Data chosen_points = dense(chosen);
        const auto matrix = values_of<double>(count * rows, dk_gram, chosen_points.get(), points.get(),
                                              "rbf(gamma=0.5)", nullptr);
        const std::vector<double> self(static_cast<std::size_t>(count), 1.0);
        Data similarities = create<Data>(dk_data_from_gram, matrix.data(), int64_t{1}, count, rows, rows,
                                         DK_ROW_MAJOR, count * rows, self.data());
        label(similarities, chosen.labels);
        return similarities;
    }

    Model trained(const std::string& machine = "svm", dk_control* control = nullptr) const {
        return train(data, machine.c_str(), "kernel=" + GetParam().kernel + " " + GetParam().settings,
                     control);
    }
};

/// These are all kernels but those with a shift, in which rows that were not trained on have no share.
class GeneralisingKernel : public LearnedKernel {};

TEST_P(GeneralisingKernel, Learns) {
    for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
        double accuracy = 0.0;
        check(dk_score(&accuracy, trained(machine).get(), test.get(), "accuracy", nullptr));
        EXPECT_GT(accuracy, 0.8) << machine;
    }
}

TEST_P(LearnedKernel, ReadsBackTheSameModel) {
    for (const char* machine : {"svm", "fisher", "mean_of_class"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, machine);
        const Model model = trained(machine);
        const Bytes bytes = bytes_of(model.get());
        const Model again = read_model(bytes);
        expect_same_answers(again, model, test, false);
        EXPECT_EQ(bytes_of(read_model(bytes_of(again.get())).get()), bytes);
    }
}

TEST_P(LearnedKernel, TheSameBytesForAnyNumberOfThreads) {
    const auto with_threads = [&](int32_t threads) {
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_threads(control.get(), threads));
        return bytes_of(trained("svm", control.get()).get());
    };
    const Bytes one = with_threads(1);
    EXPECT_EQ(with_threads(2), one);
    EXPECT_EQ(with_threads(3), one);
}

TEST_P(LearnedKernel, UnseenRowsDoNotDependOnTheirCompany) {
    const Model model = trained();
    const std::vector<double> together = decisions(model, test);
    std::vector<double> alone;
    for (int64_t row = 0; row < test_rows; ++row) {
        const Data one = create<Data>(dk_data_select, test.get(), &row, int64_t{1});
        alone.push_back(decisions(model, one).front());
    }
    EXPECT_TRUE(nearly_equal(alone, together, 1e-9));
}

TEST_P(LearnedKernel, ExplanationsAddUpToDecisions) {
    const Model model = trained();
    const std::vector<double> parts = explanations(model, test);
    double offset = 0.0;
    check(dk_model_prototype_offsets(nullptr, &offset, 1, model.get()));
    std::vector<double> sums;
    for (std::size_t row = 0; row < test_rows; ++row) {
        sums.push_back(parts[2 * row] + parts[2 * row + 1] + offset);
    }
    EXPECT_TRUE(nearly_equal(sums, decisions(model, test), 1e-8));
}

TEST_P(LearnedKernel, CrossValidationLearnsFromTheFold) {
    const Params params =
        parameters("svm", "folds=3 kernel=" + GetParam().kernel + " " + GetParam().settings);
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    EXPECT_TRUE(same_bits(decisions(model, test), decisions(trained(), test)));
}

std::vector<Case> all_cases() {
    return {
        Case{"rpcholesky", "lowrank(rbf(gamma=0.5), rank=30, method=rpcholesky)"},
        Case{"kmeans", "lowrank(rbf(gamma=0.5), rank=30, method=kmeans)"},
        Case{"uniform", "lowrank(rbf(gamma=0.5), rank=30, method=uniform)"},
        Case{"random", "lowrank(rbf(gamma=0.5), rank=200, method=random)"},
        Case{"seed", "lowrank(rbf(gamma=0.5), rank=30, method=uniform, seed=7)"},
        Case{"center", "center(rbf(gamma=0.5))"},
        Case{"center_linear", "center(linear)"},
        Case{"corrected_flip", "corrected(sigmoid(gamma=2, coef0=-1), method=flip)"},
        Case{"corrected_clip", "corrected(sigmoid(gamma=2, coef0=-1), method=clip)"},
        Case{"corrected_square", "corrected(sigmoid(gamma=2, coef0=-1), method=square)"},
        Case{"corrected_shift", "corrected(sigmoid(gamma=2, coef0=-1), method=shift)"},
        Case{"nested", "center(lowrank(rbf(gamma=0.5), rank=20))"},
        Case{"sum", "0.5*lowrank(rbf(gamma=0.5), rank=30)+center(linear)"},
        Case{"product", "lowrank(rbf(gamma=0.5), rank=30)*center(rbf(gamma=0.1))"},
        Case{"power", "(lowrank(rbf(gamma=0.5), rank=30))^2"},
        Case{"normalized", "normalize(center(rbf(gamma=0.5)))"},
        Case{"bank", "[lowrank(rbf(gamma=0.5), rank=30),center(linear),rbf(gamma=1)]", Form::dense,
             "weights=dimkl1"},
        Case{"bank_of_corrected",
             "[corrected(sigmoid(gamma=2, coef0=-1), method=flip),lowrank(rbf(gamma=0.5), rank=9)]",
             Form::dense, "weights=uniform"},
        Case{"each_feature", "each_feature(lowrank(rbf(gamma=0.5), rank=9))", Form::dense, "weights=dimkl3"},
        Case{"scaled", "lowrank(rbf(gamma=auto), rank=30)", Form::dense, "scale=standard"},
        Case{"sparse_rpcholesky", "lowrank(rbf(gamma=0.5), rank=30)", Form::sparse},
        Case{"sparse_uniform", "lowrank(rbf(gamma=0.5), rank=30, method=uniform)", Form::sparse},
        Case{"sparse_random", "lowrank(rbf(gamma=0.5), rank=200, method=random)", Form::sparse},
        Case{"sparse_center", "center(rbf(gamma=0.5))", Form::sparse},
        Case{"sparse_corrected", "corrected(sigmoid(gamma=2, coef0=-1), method=flip)", Form::sparse},
        Case{"gram_rpcholesky", "lowrank(gram(0), rank=30)", Form::gram},
        Case{"gram_uniform", "lowrank(gram(0), rank=30, method=uniform)", Form::gram},
        Case{"gram_center", "center(gram(0))", Form::gram},
        Case{"gram_bank", "[lowrank(gram(0), rank=30),center(gram(0)),gram(0)]", Form::gram,
             "weights=dimkl1"}};
}

std::vector<Case> generalising_cases() {
    auto cases = all_cases();
    std::erase_if(cases, [](const Case& one) { return one.name == "corrected_shift"; });
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Kernels, LearnedKernel, testing::ValuesIn(all_cases()),
                         [](const auto& information) { return information.param.name; });
INSTANTIATE_TEST_SUITE_P(Kernels, GeneralisingKernel, testing::ValuesIn(generalising_cases()),
                         [](const auto& information) { return information.param.name; });

Data training_data() {
    return dense(make_problem(rows, 3, 2, 2.0, 91));
}

TEST(LearnedKernels, AsManyLandmarksAsRowsGiveTheKernelItself) {
    const Data data = training_data();
    const auto exact =
        values_of<double>(rows * rows, dk_gram, data.get(), nullptr, "rbf(gamma=0.5)", nullptr);
    for (const char* kernel : {"lowrank(rbf(gamma=0.5), rank=80, method=uniform)",
                               "lowrank(rbf(gamma=0.5), rank=80)", "lowrank(rbf(gamma=0.5), rank=1000)"}) {
        const auto found = values_of<double>(rows * rows, dk_gram, data.get(), nullptr, kernel, nullptr);
        EXPECT_TRUE(nearly_equal(found, exact, 1e-6)) << kernel;
    }
}

TEST(LearnedKernels, CentredOnTheRowsOfTrainingNotOnThoseOfTheTest) {
    const Data data = training_data();
    const auto matrix =
        values_of<double>(rows * rows, dk_gram, data.get(), nullptr, "center(rbf(gamma=0.5))", nullptr);
    for (std::size_t i = 0; i < rows; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < rows; ++j) sum += matrix[i * rows + j];
        EXPECT_NEAR(sum, 0.0, 1e-10);
    }
    const Data test = dense(make_problem(test_rows, 3, 2, 2.0, 92));
    const auto across = values_of<double>(test_rows * rows, dk_gram, test.get(), data.get(),
                                          "center(rbf(gamma=0.5))", nullptr);
    double largest_column = 0.0;
    for (std::size_t i = 0; i < test_rows; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < rows; ++j) sum += across[i * rows + j];
        EXPECT_NEAR(sum, 0.0, 1e-10) << "over training rows";
    }
    for (std::size_t j = 0; j < rows; ++j) {
        double sum = 0.0;
        for (std::size_t i = 0; i < test_rows; ++i) sum += across[i * rows + j];
        largest_column = std::max(largest_column, std::abs(sum));
    }
    EXPECT_GT(largest_column, 1e-3);
}

TEST(LearnedKernels, SeedsMatterAndRepeat) {
    const Data data = training_data();
    const auto bytes = [&](const std::string& seed) {
        return bytes_of(
            train(data, "svm", "kernel=lowrank(rbf(gamma=0.5), rank=10, method=uniform, seed=" + seed + ")")
                .get());
    };
    EXPECT_EQ(bytes("3"), bytes("3"));
    EXPECT_NE(bytes("3"), bytes("4"));
}

TEST(LearnedKernels, MethodsThatDoNotApplySayWhichDo) {
    const std::vector<dk_status> misfit{DK_ERR_UNSUPPORTED, DK_ERR_INVALID_KERNEL};
    const auto refuse = [&](const Data& data, const char* kernel, const Words& words) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, kernel);
        const Params params = parameters("svm", std::string("kernel=") + kernel);
        expect_no_handle_in<dk_model>(
            [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); }, misfit, words);
    };
    const Problem problem = make_problem(10, 3, 2, 2.0, 1);
    const std::string kmeans = "lowrank(rbf(gamma=1), rank=3, method=kmeans)";
    refuse(sparse(problem), kmeans.c_str(), {"kmeans", "sparse"});
    refuse(strings(10, 1), "lowrank(spectrum, rank=3, method=kmeans)", {"kmeans", "strings"});
    refuse(dense(problem), "lowrank(sigmoid(gamma=1), rank=3, method=random)", {"random", "sigmoid"});
    refuse(series(10, 1, 1), "lowrank(gak, rank=3, method=random)", {"random", "gak"});
}

TEST(LearnedKernels, ArgumentsThatMakeNoSense) {
    const Params params = parameters("svm");
    for (const char* kernel : {"lowrank(rbf, rank=0)", "lowrank(rbf, rank=-3)", "lowrank(rbf, rank=2.5)",
                               "lowrank(rbf, rank=many)", "lowrank(rbf, method=nystroem)", "lowrank(rank=3)",
                               "lowrank(rbf, rnak=3)", "lowrank(rbf, linear)", "lowrank(rbf, seed=-1)",
                               "corrected(rbf, method=none)", "corrected(rbf, metod=clip)", "center()",
                               "center(rbf, linear)", "center(rbf, rank=3)", "corrected()", "lowrank()"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, kernel);
        expect_failure([&] { return dk_params_set(params.get(), "kernel", kernel); }, DK_ERR_INVALID_KERNEL);
    }
    for (const char* kernel : {"lowrank(rbf)", "lowrank(rbf, rank=3)", "corrected(rbf, method=clip)",
                               "corrected(rbf)", "center(rbf)", "lowrank(center(rbf), rank=3, seed=9)"}) {
        EXPECT_EQ(dk_params_set(params.get(), "kernel", kernel), DK_OK) << kernel << dk_last_error();
    }
}

TEST(LearnedKernels, OfSeriesStringsAndGraphs) {
    struct Kind {
        Data data, test;
        const char* kernel;
    };
    std::vector<Kind> kinds;
    kinds.push_back({series(24, 2, 1), series(9, 2, 2), "lowrank(gak, rank=8)"});
    kinds.push_back({strings(24, 1), strings(9, 2), "center(lowrank(normalize(spectrum), rank=8))"});
    kinds.push_back({graphs(24, 1), graphs(9, 2), "corrected(center(weisfeiler_lehman), method=flip)"});
    const std::vector<int64_t> labels = alternating_labels(9);
    for (const Kind& kind : kinds) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, kind.kernel);
        const Model model = train(kind.data, "svm", std::string("kernel=") + kind.kernel);
        EXPECT_EQ(predictions(model, kind.test), std::vector<double>(labels.begin(), labels.end()));
        expect_same_answers(read_model(bytes_of(model.get())), model, kind.test, false);
    }
}

}  // namespace
}  // namespace dk_test::learned_kernel_model_test

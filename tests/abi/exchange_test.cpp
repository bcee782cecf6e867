// SPDX-License-Identifier: Apache-2.0
// Model files of other programs: small ones whose decisions are worked out by hand, damaged ones, and wrong
// arguments. tests/reference compares larger models with what LIBSVM decides.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"
#include "model_bytes.hpp"

namespace dk_test::exchange_test {
namespace {

constexpr dk_status damaged = DK_ERR_MODEL_FORMAT;

/// Two classes, of which the larger label comes first: f(x) = 0.5 k(x1, x) - 0.5 k(x2, x) + 0.25.
const std::string two_classes =
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho -0.25\nlabel 3 -1\n"
    "probA -2\nprobB 0.5\nnr_sv 1 1\nSV\n0.5 1:1 2:2 \n-0.5 1:-1 \n";

/// Three classes in the order 2, 0, 1 with a linear kernel, whose functions are
///     f_20 = 2 x1 - 3 x2 - 1,   f_21 = 4 x1 + 5 x2 - 2,   f_01 = 6 x1 - 7 x2 - 3.
const std::string three_classes =
    "svm_type nu_svc\nkernel_type linear\nnr_class 3\ntotal_sv 4\nrho 1 2 3\nlabel 2 0 1\nnr_sv 1 2 1\nSV\n"
    "2 4 1:1 \n-3 0 2:1 \n0 6 1:1 \n5 -7 2:1 \n";

/// liblinear's Crammer and Singer: f_7 = x1 + 2 x2 + 0.5, f_4 = 3 x1 - x2 - 0.5, f_5 = -x1 + 1.5.
const std::string linear_classes =
    "solver_type MCSVM_CS\nnr_class 3\nlabel 7 4 5\nnr_feature 2\nbias 0.5\nw\n1 3 -1 \n2 -1 0 \n1 -1 3 \n";

class Exchange : public testing::Test {
  protected:
    Model imported(const std::string& content, const char* format = nullptr) const {
        const std::string path = directory.write("model", content);
        return create<Model>(dk_model_import, path.c_str(), format, nullptr);
    }
    void refuse(const std::string& content, const Words& words, dk_status status = damaged) const {
        const std::string path = directory.write("model", content);
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_model_import(out, path.c_str(), nullptr, nullptr); }, status,
            words);
    }
    static std::vector<double> decisions(const Model& model, const std::vector<double>& x) {
        const auto cols = dk_model_feature_count(model.get());
        const auto rows = static_cast<int64_t>(x.size()) / cols;
        const Data data = create<Data>(dk_data_from_dense, x.data(), rows, cols, cols, DK_ROW_MAJOR);
        return values_of<double>(rows * dk_model_decision_count(model.get()), dk_decision, model.get(),
                                 data.get(), nullptr);
    }
    static std::vector<double> predictions(const Model& model, const std::vector<double>& x) {
        const auto cols = dk_model_feature_count(model.get());
        const auto rows = static_cast<int64_t>(x.size()) / cols;
        const Data data = create<Data>(dk_data_from_dense, x.data(), rows, cols, cols, DK_ROW_MAJOR);
        return values_of<double>(rows, dk_predict, model.get(), data.get(), nullptr);
    }

    TemporaryDirectory directory;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST_F(Exchange, WhatWasImportedIsSavedAndReadAgain) {
    const std::string logistic =
        "solver_type L2R_LR\nnr_class 2\nlabel 1 9\nnr_feature 2\nbias -1\nw\n1.5 \n-2 \n";
    const std::string path = directory.write("saved", "");
    for (const std::string& content : {two_classes, three_classes, linear_classes, logistic}) {
        const Model model = imported(content);
        check(dk_model_save(model.get(), path.c_str()));
        const Model again = create<Model>(dk_model_load, path.c_str(), nullptr);
        const std::vector<double> row{0.5, 1};
        EXPECT_EQ(decisions(again, row), decisions(model, row));
    }
    // The probability of class 1 at (0.5, 1) is 1 / (1 + exp(-(0.75 - 2))).
    const Model model = imported(logistic);
    const Data data = create<Data>(dk_data_from_dense, std::vector{0.5, 1.0}.data(), 1, 2, 2, DK_ROW_MAJOR);
    const auto shares = values_of<double>(2, dk_probability, model.get(), data.get(), nullptr);
    EXPECT_NEAR(shares[0], 1 / (1 + std::exp(1.25)), 1e-12);
}

TEST_F(Exchange, TwoClassesByHand) {
    const Model model = imported(two_classes);
    EXPECT_EQ(values_of<int64_t>(2, dk_model_classes, model.get()), (std::vector<int64_t>{-1, 3}));
    const std::vector<double> row{0.5, 1};
    const double near = 0.25 + 1;      // |x1 - x|^2
    const double far = 1.5 * 1.5 + 1;  // |x2 - x|^2
    const double f = 0.5 * std::exp(-0.5 * near) - 0.5 * std::exp(-0.5 * far) + 0.25;
    EXPECT_NEAR(decisions(model, row)[0], f, 1e-14);
    EXPECT_EQ(predictions(model, row)[0], 3);
    const Data data = create<Data>(dk_data_from_dense, row.data(), 1, 2, 2, DK_ROW_MAJOR);
    const auto shares = values_of<double>(2, dk_probability, model.get(), data.get(), nullptr);
    EXPECT_NEAR(shares[1], 1 / (1 + std::exp(-2 * f + 0.5)), 1e-14);
}

TEST_F(Exchange, PairsChangePlacesWithTheirClasses) {
    const Model model = imported(three_classes);
    EXPECT_EQ(values_of<int64_t>(3, dk_model_classes, model.get()), (std::vector<int64_t>{0, 1, 2}));
    const double x1 = 0.3;
    const double x2 = -1.1;
    const auto found = decisions(model, {x1, x2});
    EXPECT_NEAR(found[0], 6 * x1 - 7 * x2 - 3, 1e-13);     // 0 against 1
    EXPECT_NEAR(found[1], -(2 * x1 - 3 * x2 - 1), 1e-13);  // 0 against 2
    EXPECT_NEAR(found[2], -(4 * x1 + 5 * x2 - 2), 1e-13);  // 1 against 2
}

TEST_F(Exchange, LiblinearByHand) {
    const Model model = imported(linear_classes);
    EXPECT_EQ(values_of<int64_t>(3, dk_model_classes, model.get()), (std::vector<int64_t>{4, 5, 7}));
    const double x1 = 2.5;
    const double x2 = 0.7;
    const auto found = decisions(model, {x1, x2});
    EXPECT_NEAR(found[0], 3 * x1 - x2 - 0.5, 1e-13);
    EXPECT_NEAR(found[1], -x1 + 1.5, 1e-13);
    EXPECT_NEAR(found[2], x1 + 2 * x2 + 0.5, 1e-13);
    EXPECT_EQ(predictions(model, {x1, x2, -5, 0, -1, 5}), (std::vector<double>{4, 5, 7}));
    // The prototype of a class is its normal.
    const auto points = values_of<double>(12, dk_model_prototype_coordinates, model.get());
    EXPECT_NEAR(points[0], 3, 1e-14);
    EXPECT_NEAR(points[1], -1, 1e-14);
}

TEST_F(Exchange, LiblinearsTwoClassesAndLogisticProbabilities) {
    const std::string text =
        "solver_type L2R_LR\nnr_class 2\nlabel 1 9\nnr_feature 2\nbias -1\nw\n1.5 \n-2 \n";
    const Model model = imported(text);
    const std::vector<double> row{1, 0.25};
    const double positive_for_one = 1.5 - 0.5;
    EXPECT_NEAR(decisions(model, row)[0], -positive_for_one, 1e-14);  // positive for the larger label
    const Data data = create<Data>(dk_data_from_dense, row.data(), 1, 2, 2, DK_ROW_MAJOR);
    const auto shares = values_of<double>(2, dk_probability, model.get(), data.get(), nullptr);
    EXPECT_NEAR(shares[0], 1 / (1 + std::exp(-positive_for_one)), 1e-14);
    EXPECT_EQ(predictions(model, row)[0], 1);
    const auto bytes = bytes_of(model.get());
    const Model again = create<Model>(dk_model_read, static_cast<const void*>(bytes.data()),
                                      static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_EQ(decisions(again, row), decisions(model, row));
}

TEST_F(Exchange, LiblinearsRegressionAndNovelty) {
    const Model regression =
        imported("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias 1\nw\n2\n-3\n");
    EXPECT_EQ(dk_model_task(regression.get()), DK_TASK_REGRESSION);
    EXPECT_NEAR(predictions(regression, {0.25})[0], 2 * 0.25 - 3, 1e-14);
    const Model novelty =
        imported("solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 1\nbias -1\nrho 0.5\nw\n2\n");
    EXPECT_EQ(predictions(novelty, {0.2, 0.3}), (std::vector<double>{-1, 1}));
}

TEST_F(Exchange, ThunderSvmsLinesAreRead) {
    std::string text = replaced(two_classes, "kernel_type rbf\ngamma 0.5", "kernel_type linear");
    text = replaced(text, "SV\n", "coef \n1 1 \nSV \n");
    const Model model = imported(text, "thundersvm");
    EXPECT_NEAR(decisions(model, {0.5, 1})[0], 0.5 * 2.5 - 0.5 * -0.5 + 0.25, 1e-14);
    EXPECT_NE(text_of(dk_model_info, model.get()).find("thundersvm"), std::string::npos);
}

TEST_F(Exchange, PrecomputedKernelsTakeRowsOfSimilarities) {
    const Model model = imported(
        "svm_type epsilon_svr\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho -1\nSV\n2 0:4 \n-3 0:2 "
        "\n",
        "features=5");
    EXPECT_EQ(dk_model_training_rows(model.get()), 5);
    const std::vector<double> similarities{9, 0.5, 9, 0.25, 9};
    const Data data =
        create<Data>(dk_data_from_gram, similarities.data(), 1, 1, 5, 5, DK_ROW_MAJOR, 5, nullptr);
    EXPECT_NEAR(values_of<double>(1, dk_predict, model.get(), data.get(), nullptr)[0], 2 * 0.25 - 3 * 0.5 + 1,
                1e-14);
}

// A row whose coefficient is zero decides nothing, and the rows that are kept are still those of the file.
TEST_F(Exchange, RowsOfAPrecomputedKernelWithoutCoefficientAreLeftOut) {
    const Model model = imported(
        "svm_type epsilon_svr\nkernel_type precomputed\nnr_class 2\ntotal_sv 3\nrho -1\nSV\n2 0:4 \n0 0:5 "
        "\n-3 0:2 \n");
    const Bytes file = bytes_of(model.get());
    const Model again = create<Model>(dk_model_read, static_cast<const void*>(file.data()),
                                      static_cast<int64_t>(file.size()), nullptr);
    const std::vector<double> similarities{9, 0.5, 9, 0.25, 9};
    const Data data =
        create<Data>(dk_data_from_gram, similarities.data(), 1, 1, 5, 5, DK_ROW_MAJOR, 5, nullptr);
    for (const Model* one : {&model, &again})
        EXPECT_NEAR(values_of<double>(1, dk_predict, one->get(), data.get(), nullptr)[0],
                    2 * 0.25 - 3 * 0.5 + 1, 1e-14);
}

TEST_F(Exchange, NamesAndScalingThatLibdkWrites) {
    std::string text = replaced(two_classes, "label 3 -1\n", "label 0 1\nlabel_names b%20c a\n");
    text = replaced(text, "SV\n", "column_shift 1 2\ncolumn_scale 2 4\nSV\n");
    const Model model = imported(text, "libsvm data=dense");
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), 0), "a");
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), 1), "b c");
    const Model plain = imported(two_classes);
    EXPECT_NEAR(decisions(model, {1 + 2 * 0.5, 2 + 4 * 1.0})[0], decisions(plain, {0.5, 1})[0], 1e-14);
}

// A model keeps names in UTF-8 alone, and is not written with others.
TEST_F(Exchange, NamesAreUtf8AndNotTooLong) {
    const auto with_class = [&](const std::string& name) {
        return replaced(two_classes, "label 3 -1\n", "label 0 1\nlabel_names " + name + " a\n");
    };
    EXPECT_EQ(text_of(dk_model_class_name, imported(with_class("%c3%a4")).get(), 1), "\u00e4");
    refuse(with_class("b\x9f"), {"line 8", "UTF-8"});
    refuse(with_class("b%9f"), {"line 8", "UTF-8"});
    refuse(with_class(std::string(65537, 'x')), {"line 8", "65537", "65536"});
    refuse(replaced(two_classes, "SV\n", "column_names a b%9f\nSV\n"), {"UTF-8"});
}

TEST_F(Exchange, ColumnsHaveNamesAndFillings) {
    const std::string lines = "column_names age size%3dlarge\ncolumn_fill 0.5 1\n";
    const Model kernel = imported(replaced(two_classes, "SV\n", lines + "SV\n"), "libsvm data=dense");
    const Model linear = imported(replaced(linear_classes, "w\n", lines + "w\n"), "liblinear data=dense");
    const std::vector<double> row{0.5, 1};
    const std::vector<double> missing{std::nan(""), 0.5};  // The columns stand the other way round.
    const Data holes = create<Data>(dk_data_from_dense_missing, missing.data(), 1, 2, 2, DK_ROW_MAJOR);
    const char* names[] = {"size=large", "age"};
    check(dk_data_set_feature_names(holes.get(), names, 2));
    for (const Model* model : {&kernel, &linear}) {
        EXPECT_EQ(dk_model_fills_missing(model->get()), 1);
        const auto found = decisions(*model, row);
        const auto filled =
            values_of<double>(std::ssize(found), dk_decision, model->get(), holes.get(), nullptr);
        EXPECT_EQ(filled, found);
    }
    refuse(replaced(two_classes, "SV\n", "column_names a a\nSV\n"), {"column_names", "a", "twice"});
    refuse(replaced(two_classes, "SV\n", "column_names a\nSV\n"), {"column_names", "1", "2"});
    refuse(replaced(two_classes, "SV\n", "column_fill 1 2 3\nSV\n"), {"column_fill", "3", "2"});
    refuse(replaced(two_classes, "SV\n", "column_names a %0a\nSV\n"), {"column_names"});
}

TEST_F(Exchange, FeaturesAndKindCanBeGiven) {
    EXPECT_EQ(dk_model_feature_count(imported(two_classes).get()), 2);
    EXPECT_EQ(dk_model_feature_count(imported(two_classes, "features=9").get()), 9);
    const Model sparse = imported(two_classes, "libsvm data=sparse features=7");
    EXPECT_NE(text_of(dk_model_info, sparse.get()).find("\"data\":\"sparse\""), std::string::npos);
    EXPECT_NEAR(decisions(sparse, {0.5, 1, 0, 0, 0, 0, 0})[0], decisions(imported(two_classes), {0.5, 1})[0],
                1e-14);
}

TEST_F(Exchange, MistakesAreToldWithTheirLine) {
    refuse("", {"model"});
    refuse("1,2,3\n", {"line 1", "svm_type"});
    refuse(replaced(two_classes, "c_svc", "d_svc"), {"line 1", "d_svc", "nu_svc"});
    refuse(replaced(two_classes, "gamma 0.5", "gamma nan"), {"line 3", "gamma", "nan"});
    refuse(replaced(two_classes, "gamma 0.5", "gamma -1"), {"gamma"});
    refuse(replaced(two_classes, "nr_class 2", "nr_class 99999999"), {"line 4", "nr_class"});
    refuse(replaced(two_classes, "nr_class 2", "nr_class 1"), {"line 4", "nr_class"});
    refuse(replaced(two_classes, "total_sv 2", "total_sv 2000000000"), {"2000000000"});
    refuse(replaced(two_classes, "rho -0.25", "rho -0.25 7"), {"line 6", "rho"});
    refuse(replaced(two_classes, "rho -0.25\n", ""), {"rho"});
    refuse(replaced(two_classes, "label 3 -1", "label 3 3"), {"3"});
    refuse(replaced(two_classes, "nr_sv 1 1", "nr_sv 1 2"), {"nr_sv"});
    refuse(replaced(two_classes, "probB 0.5\n", ""), {"probA"});
    refuse(replaced(two_classes, "nr_sv", "unknown"), {"line 10", "unknown"});
    refuse(replaced(two_classes, "gamma 0.5", "gamma 0.5\ngamma 0.5"), {"line 4", "twice"});
    refuse(replaced(two_classes, "2:2", "2:inf"), {"line 12", "2:inf"});
    refuse(replaced(two_classes, "1:1 2:2", "2:2 1:1"), {"line 12", "1:1"});
    refuse(replaced(two_classes, "1:1 2:2", "0:1 2:2"), {"line 12", "0:1"});
    refuse(replaced(two_classes, "2:2", "4294967296:2"), {"line 12"});
    refuse(replaced(two_classes, "0.5 1:1", "1:1"), {"line 12", "coefficient"});
    refuse(two_classes + "0.1 1:1\n", {"line 14", "total_sv"});
    refuse(replaced(two_classes, "rbf\ngamma 0.5", "polynomial\ndegree 3000\ngamma 1\ncoef0 0"), {"degree"});
    refuse(replaced(linear_classes, "nr_feature 2", "nr_feature 2000000000"), {"lines"});
    refuse(replaced(linear_classes, "label 7 4 5", "label 7 4"), {"line 3", "label"});
    refuse(replaced(linear_classes, "MCSVM_CS", "MCSVM"), {"line 1", "MCSVM"});
    refuse(replaced(linear_classes, "1 3 -1", "1 3 x"), {"line 7"});
    refuse(replaced(linear_classes, "1 3 -1", "1 3 -1 4"), {"line 7"});
}

TEST_F(Exchange, TheNumberOfClassesHoldsForLinesBeforeIt) {
    const std::string begin = "svm_type c_svc\nkernel_type linear\ntotal_sv 2\n";
    const std::string end = "nr_class 3\nrho 0 0 0\nSV\n1 1 1:1\n-1 -1 1:2\n";
    refuse(begin + "label 0 1\nnr_sv 1 1\n" + end, {"3", "classes"});
    refuse(
        begin + "probA 1\nprobB 0\nnr_class 3\nlabel 0 1 2\nnr_sv 1 1 0\nrho 0 0 0\nSV\n1 1 1:1\n-1 -1 1:2\n",
        {"3", "classes"});
}

TEST_F(Exchange, AMachineThatIsNoneIsAMistakeOfTheFile) {
    refuse(replaced(two_classes, "rho -0.25", "rho -0.25\nmachine none_of_ours"), {"none_of_ours"});
}

TEST_F(Exchange, EqualProbabilitiesLeaveTheChoiceToDecisions) {
    // Decisions are 50 and 90, whose sigmoids are both 1 in double precision.
    const Model model =
        imported("solver_type L2R_LR\nnr_class 3\nlabel 0 1 2\nnr_feature 1\nbias -1\nw\n50 90 -1 \n");
    EXPECT_EQ(predictions(model, {1.0}), std::vector<double>{1});
}

TEST_F(Exchange, ImportedModelsAreExplained) {
    const Model ridge = imported(
        "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nmachine kernel_ridge\nSV\n"
        "1 1:1 \n-1 1:2 \n");
    const std::vector<double> x{3.0};
    const Data row =
        create<Data>(dk_data_from_dense, x.data(), int64_t{1}, int64_t{1}, int64_t{1}, DK_ROW_MAJOR);
    const std::string text = text_of(dk_explain_row, ridge.get(), row.get(), int64_t{0},
                                     static_cast<const dk_data*>(nullptr), static_cast<dk_control*>(nullptr));
    EXPECT_NE(text.find("\"answer\":-3"), std::string::npos) << text;
    EXPECT_EQ(text.find("influences"), std::string::npos);
}

TEST_F(Exchange, EveryTruncationAndEveryFlippedBitIsAnAnswer) {
    for (const std::string& whole : {two_classes, three_classes, linear_classes}) {
        // Of a last line that is cut, less is left of the last row, which no reader can know.
        const std::size_t last_line = whole.rfind('\n', whole.size() - 2);
        for (std::size_t size = 0; size <= last_line; ++size) {
            const std::string path = directory.write("model", whole.substr(0, size));
            dk_model* out = nullptr;
            EXPECT_EQ(dk_model_import(&out, path.c_str(), nullptr, nullptr), damaged) << size;
            EXPECT_EQ(out, nullptr);
        }
        for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
            std::string flipped = whole;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
            const std::string path = directory.write("model", flipped);
            dk_model* out = nullptr;
            const dk_status status = dk_model_import(&out, path.c_str(), nullptr, nullptr);
            EXPECT_TRUE(status == DK_OK || status == damaged || status == DK_ERR_MEMORY_BUDGET)
                << status << " " << dk_last_error() << "\n"
                << flipped;
            EXPECT_EQ(out != nullptr, status == DK_OK);
            dk_model_free(out);
        }
    }
}

TEST_F(Exchange, ASmallFileCannotAskForMuchMemory) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_memory(control.get(), 64));
    const std::string wide = directory.write("model", replaced(two_classes, "2:2", "2147483647:2"));
    for (const char* format : {"auto", "data=dense", "data=sparse"}) {
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_model_import(out, wide.c_str(), format, control.get()); },
            DK_ERR_MEMORY_BUDGET, {"64"});
    }
    const std::string long_file =
        directory.write("long", replaced(two_classes, "SV\n", "SV\n" + std::string(4 << 20, ' ')));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_model_import(out, long_file.c_str(), nullptr, control.get()); },
        DK_ERR_MEMORY_BUDGET, {"64"});
}

TEST_F(Exchange, CompressedFilesAndByteOrderMarksAreRead) {
    const std::string path = directory.write_gzip("model.gz", "\xef\xbb\xbf" + two_classes);
    const Model model = create<Model>(dk_model_import, path.c_str(), "auto", nullptr);
    EXPECT_NEAR(decisions(model, {0.5, 1})[0], decisions(imported(two_classes), {0.5, 1})[0], 0.0);
}

TEST_F(Exchange, WrongArgumentsOfImport) {
    const std::string path = directory.write("model", two_classes);
    expect_failure([&] { return dk_model_import(nullptr, path.c_str(), nullptr, nullptr); },
                   DK_ERR_INVALID_ARGUMENT);
    const auto refused = [&](const char* name, const char* format, dk_status status, const Words& words) {
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_model_import(out, name, format, nullptr); }, status, words);
    };
    refused(nullptr, nullptr, DK_ERR_INVALID_ARGUMENT, {"path"});
    refused("/no/such/file", nullptr, DK_ERR_IO, {"/no/such/file"});
    refused(path.c_str(), "libsvn", DK_ERR_INVALID_PARAMETER, {"libsvn", "libsvm"});
    refused(path.c_str(), "feature=3", DK_ERR_INVALID_PARAMETER, {"feature", "features"});
    refused(path.c_str(), "features=-3", DK_ERR_INVALID_PARAMETER, {"-3"});
    refused(path.c_str(), "data=full", DK_ERR_INVALID_PARAMETER, {"full", "dense"});
    refused(path.c_str(), "liblinear", damaged, {"line 1"});
}

TEST_F(Exchange, ACancelledImportMakesNothing) {
    const std::string path = directory.write("model", two_classes);
    const Control control = create<Control>(dk_control_create);
    check(dk_control_cancel(control.get()));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_model_import(out, path.c_str(), nullptr, control.get()); },
        DK_ERR_CANCELLED);
}

TEST_F(Exchange, WrongArgumentsOfExport) {
    const Model model = imported(two_classes);
    const std::string path = directory.path("exported");
    expect_failure([&] { return dk_model_export(nullptr, path.c_str(), "libsvm"); }, DK_ERR_INVALID_ARGUMENT,
                   {"model"});
    expect_failure([&] { return dk_model_export(model.get(), nullptr, "libsvm"); }, DK_ERR_INVALID_ARGUMENT,
                   {"path"});
    expect_failure([&] { return dk_model_export(model.get(), path.c_str(), nullptr); },
                   DK_ERR_INVALID_ARGUMENT, {"format"});
    expect_failure([&] { return dk_model_export(model.get(), path.c_str(), "pmml"); },
                   DK_ERR_INVALID_ARGUMENT, {"pmml", "libsvm", "onnx"});
    expect_failure([&] { return dk_model_export(model.get(), "/no/such/folder/file", "c"); }, DK_ERR_IO);
    const Model strings = [] {
        const char* texts[] = {"abc", "abd", "xyz", "xyy"};
        const Data data = create<Data>(dk_data_from_strings, texts, 4);
        const std::vector<int64_t> labels{0, 0, 1, 1};
        check(dk_data_set_labels(data.get(), labels.data(), 4));
        return train(data, "svm");
    }();
    expect_failure([&] { return dk_model_export(strings.get(), path.c_str(), "c"); }, DK_ERR_UNSUPPORTED,
                   {"strings"});
    expect_failure([&] { return dk_model_export(strings.get(), path.c_str(), "libsvm"); },
                   DK_ERR_UNSUPPORTED);
    EXPECT_EQ(directory.names(), std::vector<std::string>{"model"});
}

TEST_F(Exchange, WhatIsExportedIsImportedAlike) {
    for (const std::string& whole : {two_classes, three_classes}) {
        const Model model = imported(whole);
        const std::string path = directory.path("exported");
        check(dk_model_export(model.get(), path.c_str(), "libsvm"));
        const Model again = create<Model>(dk_model_import, path.c_str(), "libsvm", nullptr);
        const std::vector<double> rows{0.3, 0.1, -2, 5, 0, 0};
        const auto expected = decisions(model, rows);
        const auto found = decisions(again, rows);
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13);
    }
}

}  // namespace
}  // namespace dk_test::exchange_test

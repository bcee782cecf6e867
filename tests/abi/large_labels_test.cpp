// SPDX-License-Identifier: Apache-2.0
// Labels beyond 2^53, which no double tells apart, are classes that have their digits as names.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"
#include "read_files.hpp"

namespace dk_test::large_labels_test {
namespace {

using Labels = std::vector<int64_t>;
using Names = std::vector<std::string>;

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t odd = 9007199254740993;    // 2^53 + 1, which is 2^53 as a double
constexpr int64_t other = 9007199254740995;  // 2^53 + 3, which is 2^53 + 4 as a double

/// Makes rows of one column, which have these labels.
Data on_a_line(const std::vector<double>& x, const Labels& labels) {
    Data data = create<Data>(dk_data_from_dense, x.data(), std::ssize(x), 1, 1, DK_ROW_MAJOR);
    check(dk_data_set_labels(data.get(), labels.data(), std::ssize(labels)));
    return data;
}

Names class_names(const Model& model) {
    Names names;
    for (int64_t c = 0; c < dk_model_class_count(model.get()); ++c)
        names.push_back(text_of(dk_model_class_name, model.get(), c));
    return names;
}

/// Gives the names of what a model predicts, whose predictions are positions.
Names predicted_names(const Model& model, const Data& data) {
    const Names names = class_names(model);
    Names found;
    for (const double position : predictions(model, data))
        found.push_back(names.at(static_cast<std::size_t>(position)));
    return found;
}

double measured(const char* metric, const Model& model, const Data& data) {
    double value = -1;
    check(dk_score(&value, model.get(), data.get(), metric, nullptr));
    return value;
}

/// Each row of the line is nearest to the row of its own class.
Model nearest(const Data& data) {
    return train(data, "nearest_neighbours", "voters=1 kernel=rbf(gamma=1)");
}

TEST(LargeLabels, ComeBackAsTheyWere) {
    const Labels labels{odd, other, 9, 10, least, odd};
    const Data data = on_a_line({0, 2, 4, 6, 8, 0.1}, labels);
    EXPECT_EQ(labels_of(data), labels);
    const Model model = nearest(data);
    const std::string last = std::to_string(least);
    EXPECT_EQ(class_names(model), (Names{last, "9", "10", "9007199254740993", "9007199254740995"}))
        << "classes ascend as integers do, not as texts";
    EXPECT_EQ(values_of<int64_t>(5, dk_model_classes, model.get()), (Labels{0, 1, 2, 3, 4}));
    EXPECT_EQ(predicted_names(model, data),
              (Names{"9007199254740993", "9007199254740995", "9", "10", last, "9007199254740993"}));
    const auto bytes = bytes_of(model.get());
    const Model again = create<Model>(dk_model_read, static_cast<const void*>(bytes.data()),
                                      static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_EQ(predicted_names(again, data), predicted_names(model, data));
}

TEST(LargeLabels, TwoClassesArePositiveForTheLarger) {
    const Data data = on_a_line({-2, -1, 1, 2}, {9, 9, other, other});
    const Model model = train(data, "mean_of_class", "kernel=linear");
    EXPECT_EQ(class_names(model), (Names{"9", "9007199254740995"}));
    const auto found = decisions(model, data);
    EXPECT_LT(found[0], 0);
    EXPECT_GT(found[3], 0);
}

TEST(LargeLabels, PartsWithSmallLabelsAreScored) {
    const Model model = nearest(on_a_line({0, 2, 4}, {odd, 9, 10}));
    // The rows at 2 and 4 are predicted as 9 and 10.
    EXPECT_EQ(measured("accuracy", model, on_a_line({2, 4}, {9, 10})), 1.0);
    EXPECT_EQ(measured("accuracy", model, on_a_line({2, 4}, {10, 10})), 0.5);
    EXPECT_EQ(measured("accuracy", model, on_a_line({0, 2, 4, 4}, {odd, 9, 9, 9})), 0.5);
    const Data part = on_a_line({2, 4, 4}, {9, 9, 10});
    const auto counts = values_of<int64_t>(9, dk_confusion, model.get(), part.get(), nullptr);
    EXPECT_EQ(counts, (Labels{1, 1, 0, 0, 1, 0, 0, 0, 0})) << "classes 9, 10 and 2^53 + 1, rows the truth";
    const Data unknown = on_a_line({2}, {7});
    double value = 0;
    expect_failure([&] { return dk_score(&value, model.get(), unknown.get(), "accuracy", nullptr); },
                   DK_ERR_INVALID_DATA, {"row 0", "class 7"});
}

TEST(LargeLabels, AreUnknownToModelsOfSmallOnes) {
    const Model model = nearest(on_a_line({0, 2}, {1, 2}));
    EXPECT_EQ(predictions(model, on_a_line({0, 2}, {1, 2})), (std::vector<double>{1, 2}));
    const Data large = on_a_line({0, 2}, {1, odd});
    double value = 0;
    expect_failure([&] { return dk_score(&value, model.get(), large.get(), "accuracy", nullptr); },
                   DK_ERR_INVALID_DATA, {"row 1", "9007199254740993"});
    const Data named = unlabelled({2, 1, {0, 2}, {}});
    const char* names[] = {"left", "right"};
    check(dk_data_set_label_names(named.get(), names, 2));
    expect_failure([&] { return dk_score(&value, model.get(), named.get(), "accuracy", nullptr); },
                   DK_ERR_INVALID_DATA, {"integers", "names"});
}

TEST(LargeLabels, AreTargetsOfRegressionsAsSmallOnesAre) {
    const Data data = on_a_line({0, 1, 2, 3}, {odd, 0, odd, 0});
    const Model model = train(data, "kernel_ridge", "kernel=rbf(gamma=30) C=1e9");
    EXPECT_NEAR(predictions(model, data)[2] / 9007199254740992.0, 1, 1e-6);
    const Data named = unlabelled({2, 1, {0, 2}, {}});
    const char* names[] = {"left", "right"};
    check(dk_data_set_label_names(named.get(), names, 2));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, named.get(), parameters("kernel_ridge").get(), nullptr); },
        DK_ERR_INVALID_DATA, {"targets", "names"});
}

class LargeLabelsOfFiles : public ReadFiles {};

TEST_F(LargeLabelsOfFiles, AreClassesInCsvAndLibsvm) {
    const Data table = read("x,label\n0,9007199254740993\n2,9007199254740995\n4,-3\n");
    EXPECT_EQ(labels_of(table), (Labels{odd, other, -3}));
    EXPECT_EQ(class_names(nearest(table)), (Names{"-3", "9007199254740993", "9007199254740995"}));
    const Data sparse_rows = read("9007199254740993 1:1\n9007199254740995 1:2\n", "format=libsvm");
    EXPECT_EQ(labels_of(sparse_rows), (Labels{odd, other}));
    EXPECT_EQ(class_names(nearest(sparse_rows)), (Names{"9007199254740993", "9007199254740995"}));
}

TEST_F(LargeLabelsOfFiles, OfOtherProgramsAscendAsIntegers) {
    const std::string begin = "solver_type MCSVM_CS\nnr_class 2\n";
    const std::string end = "nr_feature 1\nbias -1\nw\n5 -7\n";
    const auto imported = [&](const std::string& labels) {
        return create<Model>(dk_model_import, directory.write("a.model", begin + labels + end).c_str(),
                             "auto", nullptr);
    };
    const Model wide = imported("label 3000000000 -3000000000\n");
    EXPECT_EQ(values_of<int64_t>(2, dk_model_classes, wide.get()), (Labels{-3000000000, 3000000000}));
    const Model named = imported("label 0 1\nlabel_names 9007199254740993 9\n");
    EXPECT_EQ(class_names(named), (Names{"9", "9007199254740993"}));
    EXPECT_EQ(decisions(named, on_a_line({1}, {9})), (std::vector<double>{-7, 5}));
}

}  // namespace
}  // namespace dk_test::large_labels_test

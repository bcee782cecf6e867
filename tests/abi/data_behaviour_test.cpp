// SPDX-License-Identifier: Apache-2.0
// These tests check what dk.h promises of datasets: layouts, single precision, sparse rows, names, selections
// and folds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::data_behaviour_test {
namespace {

TEST(DataBehaviour, CountsAndKinds) {
    const Problem problem = make_problem(7, 3, 2, 1.0, 1);
    const Data a = dense(problem);
    const Data b = sparse(problem);
    const Data c = gram(std::vector<double>(10, 1.0), 2, 5);
    EXPECT_EQ(dk_data_kind(a.get()), DK_KIND_DENSE);
    EXPECT_EQ(dk_data_kind(b.get()), DK_KIND_SPARSE);
    EXPECT_EQ(dk_data_kind(c.get()), DK_KIND_GRAM);
    for (const Data* data : {&a, &b}) {
        EXPECT_EQ(dk_data_rows(data->get()), 7);
        EXPECT_EQ(dk_data_cols(data->get()), 3);
        EXPECT_EQ(labels_of(*data), problem.labels);
    }
    EXPECT_EQ(dk_data_rows(c.get()), 2);
    EXPECT_EQ(dk_data_cols(c.get()), 5);
}

TEST(DataBehaviour, InputsAreCopied) {
    Problem problem = make_problem(5, 2, 2, 1.0, 1);
    const Problem kept = problem;
    std::vector<std::string> names{"width", "height"};
    const Data data = dense(problem);
    const std::vector<const char*> pointers{names[0].c_str(), names[1].c_str()};
    check(dk_data_set_feature_names(data.get(), pointers.data(), 2));
    problem.x.assign(10, -1.0);
    problem.labels.assign(5, -1);
    for (std::string& name : names) name[0] = '?';
    EXPECT_TRUE(same_bits(values_of<double>(10, dk_data_values, data.get()), kept.x));
    EXPECT_EQ(labels_of(data), kept.labels);
    EXPECT_EQ(text_of(dk_data_feature_name, data.get(), int64_t{0}), "width");
}

TEST(DataBehaviour, SinglePrecisionIsWidenedExactly) {
    const std::vector<float> x{0.1F, -3.25F, 1e-45F, 3.4e38F, 0.0F, -0.0F};
    const std::vector<double> wide(x.begin(), x.end());
    const Data data =
        create<Data>(dk_data_from_dense_f32, x.data(), int64_t{3}, int64_t{2}, int64_t{2}, DK_ROW_MAJOR);
    EXPECT_TRUE(same_bits(values_of<double>(6, dk_data_values, data.get()), wide));
}

TEST(DataBehaviour, LayoutDoesNotChangeABit) {
    const Problem problem = make_problem(20, 3, 2, 2.0, 1);
    std::vector<double> columns(3 * 25, 9.0);
    for (std::size_t row = 0; row < 20; ++row) {
        for (std::size_t col = 0; col < 3; ++col) columns[col * 25 + row] = problem.x[row * 3 + col];
    }
    const Data by_rows = dense(problem);
    Data by_cols =
        create<Data>(dk_data_from_dense, columns.data(), int64_t{20}, int64_t{3}, int64_t{25}, DK_COL_MAJOR);
    check(dk_data_set_labels(by_cols.get(), problem.labels.data(), 20));
    EXPECT_TRUE(same_bits(values_of<double>(60, dk_data_values, by_cols.get()), problem.x));
    EXPECT_EQ(bytes_of(train(by_rows, "svm").get()), bytes_of(train(by_cols, "svm").get()));
}

TEST(DataBehaviour, SparseRowsHaveTheKernelOfTheirDenseRows) {
    const std::vector<int64_t> offsets{0, 2, 2, 3, 5};
    const std::vector<int64_t> columns{1, 3, 0, 2, 3};
    const std::vector<double> values{0.5, -2.0, 1.5, 3.0, 0.25};
    const std::vector<double> full{0, 0.5, 0, -2, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, 0, 3, 0.25};
    const Data thin = create<Data>(dk_data_from_csr, offsets.data(), columns.data(), values.data(),
                                   int64_t{4}, int64_t{4}, int64_t{5});
    const Data thick =
        create<Data>(dk_data_from_dense, full.data(), int64_t{4}, int64_t{4}, int64_t{4}, DK_ROW_MAJOR);
    for (const char* kernel :
         {"linear", "rbf(gamma=0.3)", "poly(degree=2)", "arccos(0,1)", "sigmoid(gamma=0.1)"}) {
        const auto left = values_of<double>(16, dk_gram, thin.get(), nullptr, kernel, nullptr);
        const auto right = values_of<double>(16, dk_gram, thick.get(), nullptr, kernel, nullptr);
        EXPECT_TRUE(nearly_equal(left, right, 1e-12)) << kernel;
    }
}

TEST(DataBehaviour, NamesOfColumns) {
    const Data data = dense(make_problem(4, 3, 2, 1.0, 1));
    EXPECT_EQ(text_of(dk_data_feature_name, data.get(), int64_t{0}), "f1");
    EXPECT_EQ(text_of(dk_data_feature_name, data.get(), int64_t{2}), "f3");
    const std::vector<const char*> names{"x", "größe", "a \"b\"\\\n,="};
    check(dk_data_set_feature_names(data.get(), names.data(), 3));
    for (int64_t col = 0; col < 3; ++col) {
        EXPECT_EQ(text_of(dk_data_feature_name, data.get(), col), names[static_cast<std::size_t>(col)]);
    }
}

TEST(DataBehaviour, NamedClassesAreNumberedInTheOrderOfStrcmp) {
    const Data data = dense(make_problem(6, 2, 2, 1.0, 1));
    const std::vector<const char*> names{"pear", "Zebra", "apple", "pear", "\xc3\xa9t\xc3\xa9", "apple"};
    check(dk_data_set_label_names(data.get(), names.data(), 6));
    EXPECT_EQ(labels_of(data), (std::vector<int64_t>{2, 0, 1, 2, 3, 1}));
    const std::vector<int64_t> numbers{9, 9, -4, -4, 9, 9};
    check(dk_data_set_labels(data.get(), numbers.data(), 6));
    EXPECT_EQ(labels_of(data), numbers) << "later labels replace earlier ones";
}

TEST(DataBehaviour, SelectedRowsKeepTheirLabelsNamesAndWeights) {
    const Problem problem = make_problem(10, 2, 2, 2.0, 1);
    const Data data = dense(problem);
    const std::vector<const char*> names{"width", "height"};
    check(dk_data_set_feature_names(data.get(), names.data(), 2));
    const std::vector<double> weights{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    check(dk_data_set_sample_weights(data.get(), weights.data(), 10));
    const std::vector<int64_t> rows{9, 0, 9, 4, 1};
    const Data chosen = create<Data>(dk_data_select, data.get(), rows.data(), int64_t{5});
    Problem expected{5, 2, {}, {}};
    std::vector<double> expected_weights;
    for (const int64_t row : rows) {
        const auto at = static_cast<std::size_t>(row);
        expected.x.insert(expected.x.end(), {problem.x[2 * at], problem.x[2 * at + 1]});
        expected.labels.push_back(problem.labels[at]);
        expected_weights.push_back(weights[at]);
    }
    EXPECT_TRUE(same_bits(values_of<double>(10, dk_data_values, chosen.get()), expected.x));
    EXPECT_EQ(labels_of(chosen), expected.labels);
    EXPECT_EQ(text_of(dk_data_feature_name, chosen.get(), int64_t{1}), "height");
    const Data same = dense(expected);
    check(dk_data_set_feature_names(same.get(), names.data(), 2));
    check(dk_data_set_sample_weights(same.get(), expected_weights.data(), 5));
    EXPECT_EQ(bytes_of(train(chosen, "svm").get()), bytes_of(train(same, "svm").get()));
}

TEST(DataBehaviour, SelectedClassesKeepTheirNames) {
    const Data data = dense(make_problem(6, 2, 2, 3.0, 1));
    const std::vector<const char*> names{"b", "a", "b", "a", "b", "a"};
    check(dk_data_set_label_names(data.get(), names.data(), 6));
    const Model model = train(data, "mean_of_class", "kernel=linear");
    const std::vector<int64_t> rows{0, 2, 4};
    const Data only_b = create<Data>(dk_data_select, data.get(), rows.data(), int64_t{3});
    std::vector<int64_t> counts(4);
    EXPECT_EQ(dk_confusion(counts.data(), 4, model.get(), only_b.get(), nullptr), DK_OK) << dk_last_error();
    EXPECT_EQ(counts[0] + counts[1], 0) << "no row is of class a";
    EXPECT_EQ(counts[2] + counts[3], 3);
}

TEST(DataBehaviour, FoldsSpreadEveryClassEvenly) {
    const Problem problem = make_problem(53, 2, 3, 1.0, 1);
    const Data data = dense(problem);
    for (const int64_t folds : {int64_t{2}, int64_t{5}, int64_t{10}}) {
        const auto fold = values_of<int64_t>(53, dk_data_folds, data.get(), folds, uint64_t{7});
        std::map<int64_t, std::vector<int64_t>> counts;
        for (std::size_t row = 0; row < 53; ++row) {
            ASSERT_GE(fold[row], 0);
            ASSERT_LT(fold[row], folds);
            std::vector<int64_t>& of_class = counts[problem.labels[row]];
            of_class.resize(static_cast<std::size_t>(folds));
            ++of_class[static_cast<std::size_t>(fold[row])];
        }
        for (const auto& [label, of_class] : counts) {
            const auto [fewest, largest] = std::minmax_element(of_class.begin(), of_class.end());
            EXPECT_LE(*largest - *fewest, 1) << "class " << label << " in " << folds << " folds";
        }
    }
}

TEST(DataBehaviour, FoldsDependOnTheSeedOnly) {
    const Data data = dense(make_problem(40, 2, 2, 1.0, 1));
    const auto first = values_of<int64_t>(40, dk_data_folds, data.get(), int64_t{4}, uint64_t{1});
    EXPECT_EQ(values_of<int64_t>(40, dk_data_folds, data.get(), int64_t{4}, uint64_t{1}), first);
    EXPECT_NE(values_of<int64_t>(40, dk_data_folds, data.get(), int64_t{4}, uint64_t{2}), first);
    const auto single = values_of<int64_t>(40, dk_data_folds, data.get(), int64_t{40}, ~uint64_t{0});
    EXPECT_EQ(std::set<int64_t>(single.begin(), single.end()).size(), 40U) << "one row a fold";
}

TEST(DataBehaviour, FoldsOfTargetsSpreadTheQuantiles) {
    const Data data = unlabelled(make_problem(40, 2, 2, 1.0, 1));
    std::vector<double> targets(40);
    for (std::size_t row = 0; row < 40; ++row) targets[row] = static_cast<double>((row * 17) % 40);
    check(dk_data_set_targets(data.get(), targets.data(), 40));
    const auto fold = values_of<int64_t>(40, dk_data_folds, data.get(), int64_t{4}, uint64_t{3});
    std::vector<int> low_half(4);
    for (std::size_t row = 0; row < 40; ++row) {
        if (targets[row] < 20.0) ++low_half[static_cast<std::size_t>(fold[row])];
    }
    for (const int count : low_half) EXPECT_NEAR(count, 5, 1);
}

}  // namespace
}  // namespace dk_test::data_behaviour_test

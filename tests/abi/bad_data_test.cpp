// SPDX-License-Identifier: Apache-2.0
// No data may hold these values; every constructor and setter refuses them and names where they are.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::bad_data_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr dk_status bad_data = DK_ERR_INVALID_DATA;

/// The bad value is in row 17, column 5 of 23 x 7, counted from 0.
const Words place{"row", "17", "column", "5"};

TEST(BadData, NonFiniteValuesAreNamedWithRowAndColumn) {
    for (const double bad : {not_a_number, -not_a_number, infinity, -infinity}) {
        std::vector<double> x(23 * 7, 1.0);
        x[17 * 7 + 5] = bad;
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_dense(out, x.data(), 23, 7, 7, DK_ROW_MAJOR); },
            bad_data, place);
        expect_no_handle<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_gram(out, x.data(), 1, 23, 7, 7, DK_ROW_MAJOR, 161, nullptr);
            },
            bad_data, place);
        std::vector<double> columns(7 * 30, 1.0);
        columns[5 * 30 + 17] = bad;
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_dense(out, columns.data(), 23, 7, 30, DK_COL_MAJOR); },
            bad_data, place);
        std::vector<float> single(23 * 7, 1.0F);
        single[17 * 7 + 5] = static_cast<float>(bad);
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_dense_f32(out, single.data(), 23, 7, 7, DK_ROW_MAJOR); },
            bad_data, place);
    }
}

TEST(BadData, PaddingBetweenRowsIsNotRead) {
    std::vector<double> x{1.0, 2.0, not_a_number, 3.0, 4.0, infinity};
    const Data rows =
        create<Data>(dk_data_from_dense, x.data(), int64_t{2}, int64_t{2}, int64_t{3}, DK_ROW_MAJOR);
    EXPECT_EQ(values_of<double>(4, dk_data_values, rows.get()), (std::vector<double>{1, 2, 3, 4}));
    const Data cols =
        create<Data>(dk_data_from_dense, x.data(), int64_t{2}, int64_t{2}, int64_t{3}, DK_COL_MAJOR);
    EXPECT_EQ(values_of<double>(4, dk_data_values, cols.get()), (std::vector<double>{1, 3, 2, 4}));
}

TEST(BadData, SecondGramMatrixAndSelfSimilarities) {
    std::vector<double> x(2 * 9, 1.0);
    std::vector<double> self(2 * 3, 1.0);
    const auto make = [&](dk_data** out) {
        return dk_data_from_gram(out, x.data(), 2, 3, 3, 3, DK_ROW_MAJOR, 9, self.data());
    };
    EXPECT_NE(create<Data>(make), nullptr);
    self[1 * 3 + 2] = not_a_number;
    expect_no_handle<dk_data>(make, bad_data, {"self", "2"});
    self[1 * 3 + 2] = 1.0;
    x[9 + 2 * 3 + 1] = infinity;
    expect_no_handle<dk_data>(make, bad_data, {"matrix", "row", "2", "column", "1"});
}

struct Csr {
    std::vector<int64_t> offsets;
    std::vector<int64_t> columns;
    std::vector<double> values;

    dk_status operator()(dk_data** out) const {
        return dk_data_from_csr(out, offsets.data(), columns.data(), values.data(),
                                static_cast<int64_t>(offsets.size()) - 1, 7,
                                static_cast<int64_t>(columns.size()));
    }
};

TEST(BadData, MalformedCompressedRows) {
    const Csr good{{0, 2, 2, 4}, {0, 3, 5, 6}, {1, 2, 3, 4}};
    EXPECT_NE(create<Data>(good), nullptr);
    constexpr int64_t huge = std::numeric_limits<int64_t>::max();
    struct Damage {
        std::vector<int64_t> offsets, columns;
        Words words;
    };
    const std::vector<Damage> damages{{{1, 2, 2, 4}, good.columns, {"row_offsets", "1"}},
                                      {{-1, 2, 2, 4}, good.columns, {"row_offsets", "-1"}},
                                      {{0, 3, 2, 4}, good.columns, {"row_offsets", "3", "2"}},
                                      {{0, 2, -5, 4}, good.columns, {"row_offsets", "-5"}},
                                      {{0, 2, 2, 3}, good.columns, {"row_offsets", "3", "4"}},
                                      {{0, 2, 2, 5}, good.columns, {"row_offsets", "5", "4"}},
                                      {{0, huge, 2, 4}, good.columns, {"row_offsets"}},
                                      {{0, 9, 9, 4}, good.columns, {"row_offsets", "9"}},
                                      {good.offsets, {0, 7, 5, 6}, {"row", "0", "column", "7"}},
                                      {good.offsets, {0, 3, -1, 6}, {"row", "2", "column", "-1"}},
                                      {good.offsets, {0, 3, 5, huge}, {"row", "2", "column"}},
                                      {good.offsets, {3, 0, 5, 6}, {"row", "0"}},
                                      {good.offsets, {0, 3, 5, 5}, {"row", "2", "5"}}};
    for (const Damage& damage : damages) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, testing::PrintToString(damage.words));
        expect_no_handle_in<dk_data>(Csr{damage.offsets, damage.columns, good.values},
                                     {bad_data, DK_ERR_INVALID_ARGUMENT}, damage.words);
    }
}

TEST(BadData, NonFiniteSparseValuesAreNamedWithRowAndColumn) {
    for (const double bad : {not_a_number, infinity, -infinity}) {
        expect_no_handle<dk_data>(Csr{{0, 2, 2, 4}, {0, 3, 5, 6}, {1, 2, bad, 4}}, bad_data,
                                  {"row", "2", "column", "5"});
    }
}

class BadLabels : public testing::Test {
  protected:
    const Problem problem = make_problem(6, 2, 2, 3.0, 1);
    Data data = dense(problem);
};

TEST_F(BadLabels, TargetsMustBeFinite) {
    for (const double bad : {not_a_number, infinity, -infinity}) {
        const std::vector<double> targets{1, 2, 3, 4, bad, 6};
        expect_failure([&] { return dk_data_set_targets(data.get(), targets.data(), 6); }, bad_data,
                       {"row", "4"});
    }
}

TEST_F(BadLabels, WeightsMustBeFiniteAndNotNegativeAndNotAllZero) {
    for (const double bad : {not_a_number, infinity, -infinity, -1.5}) {
        const std::vector<double> weights{1, 1, 1, bad, 1, 1};
        expect_failure([&] { return dk_data_set_sample_weights(data.get(), weights.data(), 6); }, bad_data,
                       {"row", "3"});
    }
    const std::vector<double> zeros(6, 0.0);
    expect_failure([&] { return dk_data_set_sample_weights(data.get(), zeros.data(), 6); }, bad_data, {"0"});
    const std::vector<double> one{0, 0, 0.25, 0, 0, 0};
    EXPECT_EQ(dk_data_set_sample_weights(data.get(), one.data(), 6), DK_OK) << dk_last_error();
}

TEST_F(BadLabels, NamesMustNotBeEmptyAndColumnsNotTwiceTheSame) {
    const std::vector<const char*> labels{"a", "b", "a", "", "a", "b"};
    expect_failure_in([&] { return dk_data_set_label_names(data.get(), labels.data(), 6); },
                      {bad_data, DK_ERR_INVALID_ARGUMENT}, {"3"});
    const std::vector<const char*> empty{"height", ""};
    expect_failure_in([&] { return dk_data_set_feature_names(data.get(), empty.data(), 2); },
                      {bad_data, DK_ERR_INVALID_ARGUMENT}, {"1"});
    const std::vector<const char*> twice{"height", "height"};
    expect_failure_in([&] { return dk_data_set_feature_names(data.get(), twice.data(), 2); },
                      {bad_data, DK_ERR_INVALID_ARGUMENT}, {"height"});
}

TEST_F(BadLabels, AFailedSetterKeepsWhatWasThere) {
    const std::vector<const char*> names{"width", "height"};
    check(dk_data_set_feature_names(data.get(), names.data(), 2));
    const std::vector<const char*> twice{"x", "x"};
    EXPECT_NE(dk_data_set_feature_names(data.get(), twice.data(), 2), DK_OK);
    EXPECT_EQ(text_of(dk_data_feature_name, data.get(), int64_t{1}), "height");
    const std::vector<const char*> labels{"a", "b", "a", nullptr, "a", "b"};
    EXPECT_NE(dk_data_set_label_names(data.get(), labels.data(), 6), DK_OK);
    EXPECT_NE(dk_data_set_labels(data.get(), nullptr, 6), DK_OK);
    EXPECT_EQ(labels_of(data), problem.labels);
}

// Languages write such bytes otherwise, all alike, so that two classes or columns became one there.
TEST_F(BadLabels, NamesThatAreNoUtf8AreRefused) {
    const std::vector<const char*> latin{"caf\xe9", "caf\xe8"};
    const std::vector<const char*> labels{"ja", "no\xff", "ja", "no\xfe", "ja", "ja"};
    expect_failure([&] { return dk_data_set_feature_names(data.get(), latin.data(), 2); }, bad_data,
                   {"feature name 0", "no UTF-8"});
    expect_failure([&] { return dk_data_set_label_names(data.get(), labels.data(), 6); }, bad_data,
                   {"label 1", "no UTF-8"});
    expect_failure([&] { return dk_data_set_row_names(data.get(), labels.data(), 6); }, bad_data,
                   {"row name 1", "no UTF-8"});
    const Model model = train(data, "mean_of_class");
    EXPECT_FALSE(text_of(dk_model_info, model.get()).empty());
    EXPECT_FALSE(bytes_of(model.get()).empty());
}

TEST_F(BadLabels, DataWithoutLabelsHasNone) {
    const Data bare = unlabelled(problem);
    std::vector<int64_t> out(6);
    expect_failure([&] { return dk_data_labels(out.data(), 6, bare.get()); }, bad_data, {"labels"});
}

TEST_F(BadLabels, ValuesOfDataThatAreNotDense) {
    std::vector<double> out(36);
    expect_failure_in([&] { return dk_data_values(out.data(), 12, sparse(problem).get()); },
                      {DK_ERR_UNSUPPORTED, bad_data});
    const Data similarities = gram(std::vector<double>(36, 1.0), 6, 6);
    expect_failure_in([&] { return dk_data_values(out.data(), 36, similarities.get()); },
                      {DK_ERR_UNSUPPORTED, bad_data});
}

}  // namespace
}  // namespace dk_test::bad_data_test

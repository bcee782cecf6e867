// SPDX-License-Identifier: Apache-2.0
//
// Columns that have names are found by them, in whatever order data has them.
#include "expectations.hpp"

namespace dk_test::named_columns_test {
namespace {

void name_columns(const Data& data, const std::vector<const char*>& names) {
    check(dk_data_set_feature_names(data.get(), names.data(), std::ssize(names)));
}

/// Gives a row-major matrix of the columns at these positions; -1 stands for a column of noise.
std::vector<double> with_columns(const Problem& problem, const std::vector<int64_t>& positions) {
    std::vector<double> x;
    for (int64_t i = 0; i < problem.rows; ++i) {
        for (const int64_t j : positions) {
            x.push_back(j < 0 ? 1000.0 * static_cast<double>(i)
                              : problem.x[static_cast<std::size_t>(i * problem.cols + j)]);
        }
    }
    return x;
}

class NamedColumns : public testing::Test {
  protected:
    NamedColumns() {
        name_columns(data, {"a", "b", "c"});
        model = train(data, "svm", "kernel=[rbf(gamma=0.5), on(1, linear)] scale=standard");
    }

    Data of(const std::vector<double>& x, int64_t cols) const {
        return create<Data>(dk_data_from_dense, x.data(), problem.rows, cols, cols, DK_ROW_MAJOR);
    }
    std::vector<double> decisions(const Data& rows) const {
        return values_of<double>(problem.rows, dk_decision, model.get(), rows.get(), nullptr);
    }

    /// Trains on columns a, b and c, and expects the same decisions for the same rows as columns b, c and a.
    void expect_the_same_permuted(const Data& rows, const Data& permuted, const char* settings) const {
        check(dk_data_set_labels(rows.get(), problem.labels.data(), problem.rows));
        name_columns(rows, {"a", "b", "c"});
        name_columns(permuted, {"b", "c", "a"});
        const Model learned = train(rows, "svm", settings);
        EXPECT_EQ(values_of<double>(40, dk_decision, learned.get(), permuted.get(), nullptr),
                  values_of<double>(40, dk_decision, learned.get(), rows.get(), nullptr));
    }

    Problem problem = make_problem(40, 3, 2, 1.0, 70);
    Data data = dense(problem);
    Model model;
};

TEST_F(NamedColumns, StandInAnyOrderAndAmongOthers) {
    const auto expected = decisions(data);
    const Data permuted = of(with_columns(problem, {2, 0, 1}), 3);
    name_columns(permuted, {"c", "a", "b"});
    EXPECT_EQ(decisions(permuted), expected);
    const Data more = of(with_columns(problem, {-1, 1, 2, -1, 0}), 5);
    name_columns(more, {"noise", "b", "c", "more", "a"});
    EXPECT_EQ(decisions(more), expected);
    EXPECT_EQ(values_of<double>(40, dk_predict, model.get(), more.get(), nullptr),
              values_of<double>(40, dk_predict, model.get(), data.get(), nullptr));
    const int64_t explained = 40 * dk_model_prototype_count(model.get());
    EXPECT_EQ(values_of<double>(explained, dk_explain, model.get(), more.get(), nullptr),
              values_of<double>(explained, dk_explain, model.get(), data.get(), nullptr));
}

TEST_F(NamedColumns, AreKnownByTheirPositionsWhereOneSideHasNoNames) {
    EXPECT_EQ(decisions(of(problem.x, 3)), decisions(data));
    const Data unnamed = dense(problem);
    const Model other = train(unnamed, "svm", "kernel=rbf(gamma=0.5)");
    EXPECT_EQ(values_of<double>(40, dk_decision, other.get(), data.get(), nullptr),
              values_of<double>(40, dk_decision, other.get(), unnamed.get(), nullptr));
}

TEST_F(NamedColumns, OneThatLacksIsNamed) {
    name_columns(data, {"width", "height", "depth"});
    model = train(data, "svm", "kernel=linear");
    const Data renamed = of(problem.x, 3);
    name_columns(renamed, {"width", "heigth", "depth"});
    std::vector<double> out(40);
    expect_failure([&] { return dk_decision(out.data(), 40, model.get(), renamed.get(), nullptr); },
                   DK_ERR_DIMENSION, {"height", "heigth"});
}

TEST_F(NamedColumns, OfSparseRowsToo) {
    const auto sparse = [&](const std::vector<int64_t>& order) {
        const auto x = with_columns(problem, order);
        std::vector<int64_t> offsets{0};
        std::vector<int64_t> columns;
        std::vector<double> values;
        for (std::size_t e = 0; e < x.size(); ++e) {
            if (std::abs(x[e]) > 0.3) {  // The others are zero.
                columns.push_back(static_cast<int64_t>(e % 3));
                values.push_back(x[e]);
            }
            if (e % 3 == 2) offsets.push_back(std::ssize(values));
        }
        return create<Data>(dk_data_from_csr, offsets.data(), columns.data(), values.data(), problem.rows,
                            int64_t{3}, std::ssize(values));
    };
    expect_the_same_permuted(sparse({0, 1, 2}), sparse({1, 2, 0}), "kernel=on(0, rbf(gamma=0.5))");
}

TEST_F(NamedColumns, OfChannelsOfSeriesToo) {
    const std::vector<int64_t> lengths(40, 1);
    const auto series = [&](const std::vector<int64_t>& order) {
        const auto x = with_columns(problem, order);
        return create<Data>(dk_data_from_series, x.data(), lengths.data(), int64_t{40}, int64_t{3});
    };
    expect_the_same_permuted(series({0, 1, 2}), series({1, 2, 0}), "kernel=each_channel(gak(sigma=1))");
}

TEST_F(NamedColumns, OfSimilaritiesChangeNothing) {
    const auto k = values_of<double>(40 * 40, dk_gram, data.get(), nullptr, "linear", nullptr);
    const auto similarities = [&](int first) {
        Data rows = create<Data>(dk_data_from_gram, k.data(), int64_t{1}, int64_t{40}, int64_t{40},
                                 int64_t{40}, DK_ROW_MAJOR, int64_t{0}, nullptr);
        std::vector<std::string> names;
        for (int j = 0; j < 40; ++j) names.push_back("row" + std::to_string(first + j));
        std::vector<const char*> pointers;
        for (const std::string& name : names) pointers.push_back(name.c_str());
        name_columns(rows, pointers);
        return rows;
    };
    const Data rows = similarities(0);
    check(dk_data_set_labels(rows.get(), problem.labels.data(), problem.rows));
    const Model learned = train(rows, "svm", "kernel=gram(0)");
    EXPECT_EQ(values_of<double>(40, dk_decision, learned.get(), similarities(7).get(), nullptr),
              values_of<double>(40, dk_decision, learned.get(), rows.get(), nullptr));
}

/// Makes rows of a number and of indicators, which have these names.
Data encoded(const std::vector<double>& x, const std::vector<const char*>& names) {
    const int64_t cols = std::ssize(names);
    Data data = create<Data>(dk_data_from_dense, x.data(), std::ssize(x) / cols, cols, cols, DK_ROW_MAJOR);
    name_columns(data, names);
    return data;
}

TEST(Categories, ThatNoRowHasAreIndicatorsOfNothing) {
    const Data learned = encoded({1, 1, 0, 2, 0, 1, 3, 1, 0, 4, 0, 1}, {"x", "colour=blue", "colour=red"});
    const std::vector<int64_t> labels{0, 0, 1, 1};
    check(dk_data_set_labels(learned.get(), labels.data(), 4));
    const Model model = train(learned, "svm", "kernel=linear");
    const auto decided = [&](const Data& rows) { return decisions(model, rows); };
    const Data whole = encoded({5, 0, 1, 6, 0, 0}, {"x", "colour=blue", "colour=red"});
    // The same rows, red and violet, read by themselves.
    const Data alone = encoded({1, 0, 5, 0, 1, 6}, {"colour=red", "colour=violet", "x"});
    EXPECT_TRUE(same_bits(decided(alone), decided(whole)));
    expect_failure(
        [&] {
            std::vector<double> out(2);
            const Data other = encoded({1, 5, 1, 6}, {"color=red", "x"});
            return dk_predict(out.data(), 2, model.get(), other.get(), nullptr);
        },
        DK_ERR_DIMENSION, {"colour=blue", "color=red"});
    expect_failure(
        [&] {
            std::vector<double> out(2);
            const Data numbers = encoded({0.5, 5, 1, 6}, {"colour=1", "x"});  // No indicator has 0.5.
            return dk_predict(out.data(), 2, model.get(), numbers.get(), nullptr);
        },
        DK_ERR_DIMENSION, {"colour=blue"});
}

}  // namespace
}  // namespace dk_test::named_columns_test

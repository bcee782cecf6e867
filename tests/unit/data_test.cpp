// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>

#include "data/scaling/scaler.hpp"
#include "data/split.hpp"
#include "support.hpp"

namespace dk::test::data_test {
namespace {

TEST(Labels, IntegersInAscendingOrder) {
    const std::vector<std::int64_t> given{7, -1, 7, 100, -1};
    const Labels labels = labels_from_integers(given);
    EXPECT_EQ(labels.values, (std::vector<std::int64_t>{-1, 7, 100}));
    EXPECT_EQ(labels.of_rows, (std::vector<Index>{1, 0, 1, 2, 0}));
    EXPECT_TRUE(labels.names.empty());
    EXPECT_EQ(labels.class_name(0), "-1");
    const std::vector<std::int64_t> extreme{std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::int64_t>::min()};
    EXPECT_EQ(labels_from_integers(extreme).of_rows, (std::vector<Index>{1, 0}));
}

TEST(Labels, NamesInAscendingOrder) {
    const std::vector<std::string_view> given{"virginica", "setosa", "virginica", "Versicolor"};
    const Labels labels = labels_from_names(given, MemoryBudget(0));
    EXPECT_EQ(labels.names, (std::vector<std::string>{"Versicolor", "setosa", "virginica"}));
    EXPECT_EQ(labels.of_rows, (std::vector<Index>{2, 1, 2, 0}));
    EXPECT_EQ(labels.values, (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(labels.class_name(1), "setosa");
}

TEST(Dataset, SelectsRowsWithAllThatIsKnownOfThem) {
    Dataset data = with_labels(dense(3, 2, {1, 2, 3, 4, 5, 6}), {10, 20, 10});
    data.targets = {0.5, 1.5, 2.5};
    data.sample_weights = {1, 2, 3};
    data.feature_names = {"a", "b"};
    const std::vector<Index> rows{2, 0, 2};
    const Dataset chosen = data.select(rows);
    EXPECT_EQ(chosen.dense().values, (std::vector<double>{5, 6, 1, 2, 5, 6}));
    EXPECT_EQ(chosen.labels->of_rows, (std::vector<Index>{0, 0, 0}));
    EXPECT_EQ(chosen.labels->values, (std::vector<std::int64_t>{10, 20}));
    EXPECT_EQ(chosen.targets, (std::vector<double>{2.5, 0.5, 2.5}));
    EXPECT_EQ(chosen.sample_weights, (std::vector<double>{3, 1, 3}));
    EXPECT_EQ(chosen.feature_name(1), "b");
    EXPECT_EQ(dense(1, 1, {0}).feature_name(0), "f1");
}

TEST(Dataset, SelectsSparseRows) {
    const Dataset data = to_sparse(dense(3, 3, {1, 0, 2, 0, 0, 0, 0, 3, 0}));
    const std::vector<Index> rows{2, 1, 0};
    const Dataset chosen = data.select(rows);
    EXPECT_EQ(chosen.rows(), 3);
    EXPECT_EQ(chosen.sparse().row_offsets, (std::vector<Index>{0, 1, 1, 3}));
    EXPECT_EQ(chosen.sparse().columns, (std::vector<Index>{1, 0, 2}));
    EXPECT_EQ(chosen.sparse().values, (std::vector<double>{3, 1, 2}));
}

TEST(Dataset, SelectsSimilaritiesByTheirTrainingRows) {
    const Dataset data = gram_data(3, {1, 2, 3, 2, 4, 5, 3, 5, 6});
    const std::vector<Index> rows{2, 0};
    const Dataset chosen = data.select(rows);
    EXPECT_EQ(chosen.rows(), 2);
    EXPECT_EQ(chosen.identity().place(0), 2);
    EXPECT_EQ(&chosen.gram(), &data.gram());
    EXPECT_EQ(chosen.gram().value(0, 2, 1), 5);
    EXPECT_EQ(chosen.gram().self_similarity(0, 2), 6);
    EXPECT_EQ(gram_matrix(make_kernel("gram(0)", chosen), chosen, chosen), (std::vector<double>{6, 3, 3, 1}));
}

TEST(Dataset, NamesTheFirstValueThatIsNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    auto message = message_of(Status::invalid_data, [&] {
        require_finite(DenseMatrix{2, 3, {1, 2, 3, 4, 5, nan}});
    });
    EXPECT_NE(message.find("row 1, column 2"), std::string::npos) << message;
    const SparseMatrix sparse{3, 9, {0, 1, 1, 3}, {4, 0, 8}, {1, 2, -infinity}};
    message = message_of(Status::invalid_data, [&] { require_finite(sparse); });
    EXPECT_NE(message.find("row 2, column 8"), std::string::npos) << message;
    EXPECT_NO_THROW(require_finite(DenseMatrix{1, 2, {1e308, -1e-320}}));
}

TEST(Dataset, TrainingSimilaritiesMustBeSymmetric) {
    EXPECT_NO_THROW(gram_data(2, {1, 0.5, 0.5, 1}).gram().require_symmetric());
    EXPECT_NO_THROW(gram_data(2, {1, 0.5, 0.5 + 1e-10, 1}).gram().require_symmetric());
    message_of(Status::invalid_data, [] { gram_data(2, {1, 0.5, 0.6, 1}).gram().require_symmetric(); });
}

TEST(Scaler, Standard) {
    // The mean is 5, the deviations are -3, -1, 1 and 3, and the population variance is 5.
    const Scaler scaler = fit_scaler({.columns = "standard"}, dense(4, 2, {2, 7, 4, 7, 6, 7, 8, 7}));
    EXPECT_DOUBLE_EQ(scaler.shift[0], 5);
    EXPECT_DOUBLE_EQ(scaler.scale[0], std::sqrt(5.0));
    EXPECT_DOUBLE_EQ(scaler.shift[1], 7);
    EXPECT_EQ(scaler.scale[1], 1);  // The column has no spread.
}

TEST(Scaler, Robust) {
    // The column 1 2 3 4 100 has the quartiles 2 and 4 and the median 3; without the last, the quartiles are
    // 1.75 and 3.25 and the median is 2.5.
    const Scaler odd = fit_scaler({.columns = "robust"}, dense(5, 1, {100, 3, 1, 4, 2}));
    EXPECT_DOUBLE_EQ(odd.shift[0], 3);
    EXPECT_DOUBLE_EQ(odd.scale[0], 2);
    const Scaler even = fit_scaler({.columns = "robust"}, dense(4, 1, {4, 1, 3, 2}));
    EXPECT_DOUBLE_EQ(even.shift[0], 2.5);
    EXPECT_DOUBLE_EQ(even.scale[0], 1.5);
}

TEST(Scaler, MinMax) {
    const Scaler scaler = fit_scaler({.columns = "minmax"}, dense(3, 2, {-2, 0, 6, 0, 0, 0}));
    EXPECT_DOUBLE_EQ(scaler.shift[0], -2);
    EXPECT_DOUBLE_EQ(scaler.scale[0], 8);
    EXPECT_EQ(scaler.scale[1], 1);
}

TEST(Scaler, AppliesAndRestores) {
    Dataset data = with_labels(dense(3, 2, {-2, 10, 6, 20, 0, 15}), {1, 2, 1});
    data.feature_names = {"a", "b"};
    const Scaler scaler = fit_scaler({.columns = "minmax"}, data);
    const Dataset scaled = scaler.apply(data);
    const std::vector<double> expected{0, 0, 1, 1, 0.25, 0.5};
    for (std::size_t e = 0; e < 6; ++e) EXPECT_DOUBLE_EQ(scaled.dense().values[e], expected[e]);
    EXPECT_EQ(scaled.labels->of_rows, data.labels->of_rows);
    EXPECT_EQ(scaled.feature_names, data.feature_names);
    std::vector<double> point{0.25, 0.5};
    scaler.restore(point);
    EXPECT_DOUBLE_EQ(point[0], 0);
    EXPECT_DOUBLE_EQ(point[1], 15);
}

TEST(Scaler, None) {
    const Dataset data = random_dense(4, 2, 1);
    const Scaler scaler = fit_scaler({.columns = "none"}, data);
    EXPECT_TRUE(scaler.identity());
    EXPECT_EQ(scaler.apply(data).dense().values, data.dense().values);
    EXPECT_TRUE(fit_scaler({.columns = "none"}, to_sparse(data)).identity());
    message_of(Status::unsupported, [&] { fit_scaler({.columns = "standard"}, to_sparse(data)); });
}

TEST(Scaler, RoundingOfAConstantIsNoSpread) {
    const Dataset data = dense(3, 1, {0.1, 0.1, 0.1});
    for (const char* kind : {"standard", "robust", "minmax"}) {
        const Scaler scaler = fit_scaler({.columns = kind}, data);
        EXPECT_EQ(scaler.scale[0], 1) << kind;
        EXPECT_NEAR(scaler.apply(data).dense().values[0], 0, 1e-15) << kind;
    }
}

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
    for (const Index count : {1, 2, 3, 4, 7, 100}) {
        const auto values = normal_values(count, static_cast<std::uint64_t>(count));
        auto sorted = values;
        std::ranges::sort(sorted);
        for (const double fraction : {0.0, 0.1, 0.25, 0.5, 0.75, 0.999, 1.0}) {
            auto copy = values;
            const double position = fraction * static_cast<double>(count - 1);
            const auto below = static_cast<std::size_t>(position);
            const auto above = std::min(below + 1, sorted.size() - 1);
            const double expected =
                sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
            EXPECT_DOUBLE_EQ(quantile(copy, fraction), expected) << count << " values, " << fraction;
        }
    }
}

Dataset labelled(Index rows, const std::vector<Index>& counts) {
    std::vector<std::int64_t> labels;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        labels.insert(labels.end(), counts[c], static_cast<std::int64_t>(c));
    }
    std::shuffle(labels.begin(), labels.end(), std::mt19937_64(3));
    return with_labels(dense(rows, 1, std::vector<double>(rows)), labels);
}

TEST(Folds, EveryClassIsDealtOutEvenly) {
    for (const Index folds : {2, 3, 5, 10}) {
        const Dataset data = labelled(47, {30, 12, 5});
        const auto fold_of = stratified_folds(data, folds, 9);
        std::vector<Index> sizes(folds);
        for (const Index f : fold_of) ++sizes.at(f);
        EXPECT_LE(std::ranges::max(sizes) - std::ranges::min(sizes), 1) << folds;
        for (Index c = 0; c < 3; ++c) {
            std::vector<Index> counts(folds);
            for (std::size_t i = 0; i < 47; ++i) {
                if (data.labels->of_rows[i] == c) ++counts[fold_of[i]];
            }
            EXPECT_LE(std::ranges::max(counts) - std::ranges::min(counts), 1)
                << folds << " folds, class " << c;
        }
    }
}

/// Otherwise a fold's training rows would lack the class.
TEST(Folds, TwoRowsOfAClassAreInDifferentFolds) {
    int together = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Dataset data = labelled(11, {9, 2});
        const auto fold_of = stratified_folds(data, 5, seed);
        std::vector<Index> folds;
        for (std::size_t i = 0; i < 11; ++i) {
            if (data.labels->of_rows[i] == 1) folds.push_back(fold_of[i]);
        }
        together += folds[0] == folds[1] ? 1 : 0;
    }
    EXPECT_EQ(together, 0) << "of 50 seeds";
}

TEST(Folds, TheSeedDecides) {
    const Dataset data = labelled(60, {30, 30});
    EXPECT_EQ(stratified_folds(data, 5, 1), stratified_folds(data, 5, 1));
    EXPECT_NE(stratified_folds(data, 5, 1), stratified_folds(data, 5, 2));
}

TEST(Folds, TargetsAreSpreadByQuantiles) {
    Dataset data = random_dense(40, 1, 4);
    data.targets = normal_values(40, 5);
    const auto fold_of = stratified_folds(data, 4, 1);
    std::vector<Index> order(40);
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, {}, [&](Index i) { return data.targets[i]; });
    for (std::size_t begin = 0; begin < 40; begin += 4) {  // Each four neighbours are in four folds.
        std::vector<Index> folds;
        for (std::size_t i = begin; i < begin + 4; ++i) folds.push_back(fold_of[order[i]]);
        std::ranges::sort(folds);
        EXPECT_EQ(folds, (std::vector<Index>{0, 1, 2, 3}));
    }
}

TEST(Folds, RowsInsideAndOutside) {
    const std::vector<Index> folds{0, 2, 1, 0, 2};
    EXPECT_EQ(rows_of_fold(folds, 2, true), (std::vector<Index>{1, 4}));
    EXPECT_EQ(rows_of_fold(folds, 2, false), (std::vector<Index>{0, 2, 3}));
}

TEST(Folds, AsManyAsRowsAtMost) {
    const Dataset data = labelled(6, {3, 3});
    auto folds = stratified_folds(data, 6, 1);
    std::ranges::sort(folds);
    EXPECT_EQ(folds, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
    message_of(Status::invalid_argument, [&] { stratified_folds(data, 7, 1); });
    message_of(Status::invalid_argument, [&] { stratified_folds(data, 1, 1); });
}

}  // namespace
}  // namespace dk::test::data_test

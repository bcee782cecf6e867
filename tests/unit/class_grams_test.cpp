// SPDX-License-Identifier: Apache-2.0
// These tests expect the engine's values in the matrix of two classes, whether its blocks are shared with
// other pairs or not.
#include "kernel/gram/class_grams.hpp"

#include "trained.hpp"

namespace dk::test::class_grams_test {
namespace {

constexpr Index rows = 900;

/// Makes three classes of 60, 300 and 540 rows, or nine of 80 to 120, in mixed order.
Dataset training(Index classes) {
    Dataset points = blobs(rows, 4, 3, 1, 5, true);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const Index of_three = i % 15 == 0 ? 0 : (i % 3 == 0 || i % 15 == 1 ? 1 : 2);
        const Index of_nine = i % 45 == 0 ? 0 : (i % 45 == 1 ? 1 : i % 9);
        labels.push_back(classes == 3 ? of_three : of_nine);
    }
    points.labels = labels_from_integers(labels);
    return points;
}

std::vector<std::vector<Index>> rows_of_classes(const Dataset& data) {
    std::vector<std::vector<Index>> found(data.labels->classes());
    for (Index i = 0; i < rows; ++i) found[data.labels->of_rows[i]].push_back(i);
    return found;
}

std::vector<Index> pair_rows(const Dataset& data, Index first, Index second) {
    auto all = rows_of_classes(data)[first];
    const auto others = rows_of_classes(data)[second];
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

/// Expects every value of the pair's matrix, by blocks, by a product and whole.
template <typename T>
void expect_pair(TrainingGram& gram, const std::vector<double>& matrix, const std::vector<Index>& of_rows,
                 double bound) {
    BegunControl control(2);
    const Index n = std::ssize(of_rows);
    const auto expected = [&](Index i, Index j) { return matrix[of_rows[i] * rows + of_rows[j]]; };
    ASSERT_EQ(gram.size(), n);
    BlockStorage<T> storage;
    for (Index turn = 0; turn < 6; ++turn) {
        std::vector<Index> some;
        for (Index k = 0; k < std::min<Index>(gram.largest_block(), 1 + turn * 40); ++k)
            some.push_back((k * 7 + turn * 31) % n);
        const auto block = gram.block(some, storage, control);
        for (Index i = 0; i < std::ssize(some); ++i) {
            for (Index j = 0; j < std::ssize(some); ++j)
                ASSERT_NEAR(static_cast<double>(block.row(i)[j]), expected(some[i], some[j]), bound);
        }
    }
    const auto v = normal_values(n, 3);
    std::vector<double> product(v.size());
    gram.product(v, product, control);
    const double* whole = gram.whole(0, control);
    for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index j = 0; j < n; ++j) {
            ASSERT_NEAR(whole[i * n + j], expected(i, j), bound);
            sum += expected(i, j) * v[j];
        }
        ASSERT_NEAR(product[i], sum, 100 * bound);
        ASSERT_NEAR(gram.diagonal()[i], expected(i, i), bound);
    }
}

/// Of three classes only the smallest is shared; of nine all are, unless they do not fit.
TEST(ClassGrams, PairsHaveTheValuesOfTheWhole) {
    BegunControl control(2);
    for (const Index classes : {3, 9}) {
        const Dataset data = training(classes);
        for (const char* text : {"rbf(gamma=0.2)", "0.5*linear + poly(degree=2)", "linear"}) {
            const auto kernel = make_kernel(text, data);
            const auto matrix = gram_matrix(kernel, data, data);
            for (const std::int64_t megabytes : {0, 1}) {
                for (const Precision precision : {Precision::real64, Precision::real32}) {
                    const auto grams = make_class_grams(kernel, data, rows_of_classes(data), precision, false,
                                                        MemoryBudget(megabytes).part(2), control);
                    for (const auto& [first, second] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
                        const testing::ScopedTrace trace(__FILE__, __LINE__, text);
                        const auto memory = std::make_shared<RowMemory>();
                        const auto gram = grams->pair(first, second, MemoryBudget(0), control, memory);
                        if (gram->single()) {
                            expect_pair<float>(*gram, matrix, pair_rows(data, first, second), 2e-4);
                        } else {
                            expect_pair<double>(*gram, matrix, pair_rows(data, first, second), 1e-12);
                        }
                    }
                }
            }
        }
    }
}

TEST(ClassGrams, PairsOfFewerRowsHaveTheSameValues) {
    BegunControl control(2);
    const Dataset data = training(3);
    const auto kernel = make_kernel("rbf(gamma=0.2)", data);
    const auto matrix = gram_matrix(kernel, data, data);
    const auto grams = make_class_grams(kernel, data, rows_of_classes(data), Precision::real64, false,
                                        MemoryBudget(0), control);
    const auto memory = std::make_shared<RowMemory>();
    const auto gram = grams->pair(1, 2, MemoryBudget(0), control, memory);
    const auto of_rows = pair_rows(data, 1, 2);
    std::vector<Index> kept;
    for (Index i = 1; i < gram->size(); i += 3) kept.push_back(i);
    const auto smaller = gram->principal_submatrix(kept, control);
    ASSERT_NE(smaller, nullptr);
    BlockStorage<double> storage;
    const std::vector<Index> some{200, 3, 77, 0, 150};
    const auto block = smaller->block(some, storage, control);
    const auto expected = [&](Index i, Index j) { return matrix[of_rows[i] * rows + of_rows[j]]; };
    const auto in_pair = [&](Index i) { return kept[some[i]]; };
    for (Index i = 0; i < 5; ++i) {
        for (Index j = 0; j < 5; ++j) EXPECT_NEAR(block.row(i)[j], expected(in_pair(i), in_pair(j)), 1e-12);
    }
    std::vector<double> product(gram->size());
    gram->add_product_at(std::vector<Index>{0, 500}, std::vector<Index>{7, 650}, std::vector<double>{2, -1},
                         product, control);
    EXPECT_NEAR(product[0], 2 * expected(0, 7) - expected(0, 650), 1e-12);
    EXPECT_NEAR(product[500], 2 * expected(500, 7) - expected(500, 650), 1e-12);
}

TEST(ClassGrams, WholeMatricesAreSymmetricToTheLastBit) {
    BegunControl control;
    for (const Index classes : {3, 9}) {
        const Dataset data = training(classes);
        const auto kernel = make_kernel("rbf(gamma=0.2)", data);
        const auto grams = make_class_grams(kernel, data, rows_of_classes(data), Precision::real64, false,
                                            MemoryBudget(0), control);
        const auto memory = std::make_shared<RowMemory>();
        const auto gram = grams->pair(1, 2, MemoryBudget(0), control, memory);
        const double* whole = gram->whole(0, control);
        for (Index i = 0; i < gram->size(); ++i) {
            for (Index j = 0; j < i; ++j) ASSERT_EQ(whole[i * gram->size() + j], whole[j * gram->size() + i]);
        }
    }
}

/// Whatever pairs share, the machine of two classes is the one that learns from these two alone.
TEST(ClassGrams, PairsLearnAsTwoClassesAlone) {
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.2)"}, {"tolerance", "1e-9"}, {"C", "2"}};
    for (const Index classes : {3, 9}) {
        const Dataset data = training(classes);
        const Index functions = classes * (classes - 1) / 2;
        const auto together = decided(trained("svm", data, settings), data);
        Index f = 0;
        for (Index second = 1; second < 4 && second < classes; ++second, ++f) {
            Dataset alone = data.select(pair_rows(data, 0, second));
            alone.labels = labels_from_integers(
                std::vector<std::int64_t>(alone.labels->of_rows.begin(), alone.labels->of_rows.end()));
            const auto expected = decided(trained("svm", alone, settings), data);
            for (Index i = 0; i < rows; ++i)  // Of two classes, the decision is positive for the second.
                ASSERT_NEAR(together[i * functions + f], -expected[i], 1e-6);
        }
    }
}

}  // namespace
}  // namespace dk::test::class_grams_test

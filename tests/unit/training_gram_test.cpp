// SPDX-License-Identifier: Apache-2.0
// The training matrix, whether it is stored whole or by rows, has the engine's values.
#include "kernel/training_gram.hpp"

#include "trained.hpp"

namespace dk::test {
namespace {

constexpr Index rows = 400;  // 1.2 MB in double precision

const Dataset& training() {
    static const Dataset data = blobs(rows, 4, 2, 1, 1, true);
    return data;
}

void expect_rows(TrainingGram& gram, const std::vector<double>& matrix, double bound) {
    BegunControl control(2);
    for (const Index i : {Index{0}, rows - 1, Index{7}, Index{7}, Index{200}, Index{0}}) {
        const auto row = gram.row(i, control);
        ASSERT_EQ(size_of(row), rows);
        for (Index j = 0; j < rows; ++j) {
            ASSERT_NEAR(row[unsigned_of(j)], matrix[unsigned_of(i * rows + j)], bound);
        }
    }
    for (Index i = 0; i < rows; ++i)
        ASSERT_NEAR(gram.diagonal()[unsigned_of(i)], matrix[unsigned_of(i * rows + i)], bound);
}

TEST(TrainingGram, RowsOfStoredAndCachedMatrices) {
    const auto kernel = make_kernel("0.5*linear + rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    for (const std::int64_t megabytes : {0, 1}) {
        expect_rows(*make_training_gram(kernel, training(), Precision::real64, MemoryBudget(megabytes)),
                    matrix, 1e-12);
        expect_rows(*make_training_gram(kernel, training(), Precision::real32, MemoryBudget(megabytes)),
                    matrix, 1e-4);
    }
}

TEST(TrainingGram, ARowStaysValidWhileTheNextIsRead) {
    // one megabyte holds 327 of the 400 rows, so that reading all of them drops some
    const auto kernel = make_kernel("rbf(gamma=0.2)", training());
    for (const Precision precision : {Precision::real64, Precision::real32}) {
        const auto gram = make_training_gram(kernel, training(), precision, MemoryBudget(1));
        const auto all = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(0));
        BegunControl control;
        const double* whole = all->whole(0, control);
        for (Index i = 0; i < 3 * rows; ++i) {
            const Index first = i * 7 % rows;
            const Index second = (i * i + 3) % rows;
            const auto row = gram->row(first, control);
            const auto next = gram->row(second, control);
            for (Index j = 0; j < rows; j += 13) {
                ASSERT_NEAR(row[unsigned_of(j)], whole[first * rows + j], 1e-5);
                ASSERT_NEAR(next[unsigned_of(j)], whole[second * rows + j], 1e-5);
            }
        }
    }
}

TEST(TrainingGram, ProductIsTheMatrixTimesTheVector) {
    const auto kernel = make_kernel("rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    const auto v = normal_values(rows, 2);
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1));
    std::vector<double> product(unsigned_of(rows));
    BegunControl control(2);
    gram->product(v, product, control);
    for (Index i = 0; i < rows; ++i) {
        long double expected = 0;
        for (Index j = 0; j < rows; ++j)
            expected += static_cast<long double>(matrix[unsigned_of(i * rows + j)]) * v[unsigned_of(j)];
        ASSERT_NEAR(product[unsigned_of(i)], static_cast<double>(expected), 1e-11);
    }
}

TEST(TrainingGram, WholeMatricesMustFitTheBudget) {
    const auto kernel = make_kernel("rbf", training());
    BegunControl control;
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(3));
    EXPECT_NO_THROW(gram->whole(1, control));  // 2.4 MB
    message_of(Status::memory_budget, [&] { gram->whole(2, control); });
    message_of(Status::memory_budget, [&] { trained("fisher", training(), {{"memory_mb", "1"}}); });
}

TEST(TrainingGram, MachinesLearnTheSameFromACache) {
    for (const char* kernel : {"rbf(gamma=0.2)", "linear"}) {
        const std::vector<Setting> settings{{"kernel", kernel}, {"tolerance", "1e-8"}, {"C", "2"}};
        auto cached = settings;
        cached.emplace_back("memory_mb", "1");
        const auto first = decided(trained("svm", training(), settings), training());
        const auto second = decided(trained("svm", training(), cached), training());
        for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], second[i], 1e-6) << kernel;
    }
}

TEST(TrainingGram, CancelledRowsAreNotKept) {
    const auto kernel = make_kernel("rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1));
    BegunControl cancelled;
    cancelled.cancel();
    message_of(Status::cancelled, [&] { gram->row(5, cancelled); });
    BegunControl control;
    const auto row = gram->row(5, control);
    for (Index j = 0; j < rows; ++j)
        ASSERT_NEAR(row[unsigned_of(j)], matrix[unsigned_of(5 * rows + j)], 1e-13);
}

}  // namespace
}  // namespace dk::test

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

/// Blocks of rows in any order, repeated ones too, of either precision.
template <typename T>
void expect_blocks(TrainingGram& gram, const std::vector<double>& matrix, double bound) {
    BegunControl control(2);
    LargeArray<T> storage;
    for (Index turn = 0; turn < 40; ++turn) {
        std::vector<Index> some;
        for (Index k = 0; k < 1 + turn * 3 && k < gram.largest_block(); ++k)
            some.push_back((k * k * 7 + turn * 31) % rows);
        const auto block = gram.block(some, storage, control);
        for (Index i = 0; i < size_of(some); ++i) {
            for (Index j = 0; j < size_of(some); ++j) {
                ASSERT_NEAR(static_cast<double>(block.row(i)[j]),
                            matrix[unsigned_of(some[unsigned_of(i)] * rows + some[unsigned_of(j)])], bound);
            }
        }
    }
    for (Index i = 0; i < rows; ++i)
        ASSERT_NEAR(gram.diagonal()[unsigned_of(i)], matrix[unsigned_of(i * rows + i)], bound);
}

TEST(TrainingGram, BlocksOfStoredCachedAndFactoredMatrices) {
    for (const char* text : {"0.5*linear + rbf(gamma=0.2)", "linear", "lowrank(rbf(gamma=0.2), rank=30)"}) {
        const auto kernel = make_kernel(text, training());
        const auto matrix = gram_matrix(kernel, training(), training());
        for (const std::int64_t megabytes : {0, 1}) {
            const auto wide =
                make_training_gram(kernel, training(), Precision::real64, MemoryBudget(megabytes));
            expect_blocks<double>(*wide, matrix, 1e-12);
            const auto single =
                make_training_gram(kernel, training(), Precision::real32, MemoryBudget(megabytes));
            if (single->single()) expect_blocks<float>(*single, matrix, 1e-4);
        }
    }
}

/// One megabyte holds 327 of the 400 rows in double precision: blocks of up to 163 rows make others go, also
/// some of their own.
TEST(TrainingGram, BlocksLargerThanWhatIsLeftOfTheCache) {
    const auto kernel = make_kernel("rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1));
    ASSERT_EQ(gram->largest_block(), 163);
    BegunControl control;
    LargeArray<double> storage;
    for (Index turn = 0; turn < 60; ++turn) {
        std::vector<Index> some;
        for (Index k = 0; k < 163; ++k) some.push_back((turn * 61 + k * (1 + turn % 3)) % rows);
        const auto block = gram->block(some, storage, control);
        for (Index i = 0; i < 163; i += 5) {
            for (Index j = 0; j < 163; j += 3)
                ASSERT_NEAR(block.row(i)[j],
                            matrix[unsigned_of(some[unsigned_of(i)] * rows + some[unsigned_of(j)])], 1e-13);
        }
    }
}

TEST(TrainingGram, MemoryServesOneMatrixAfterTheOther) {
    GramMemory memory;
    for (const char* text : {"rbf(gamma=0.2)", "rbf(gamma=2)", "poly(degree=2)"}) {
        const auto kernel = make_kernel(text, training());
        const auto matrix = gram_matrix(kernel, training(), training());
        expect_blocks<double>(
            *make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1), nullptr, &memory),
            matrix, 1e-11);
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
    LargeArray<double> storage;
    const std::vector<Index> some{5, 9};
    BegunControl cancelled;
    cancelled.cancel();
    message_of(Status::cancelled, [&] { gram->block(some, storage, cancelled); });
    BegunControl control;
    const auto block = gram->block(some, storage, control);
    EXPECT_NEAR(block.row(0)[1], matrix[unsigned_of(5 * rows + 9)], 1e-13);
    EXPECT_NEAR(block.row(1)[0], matrix[unsigned_of(5 * rows + 9)], 1e-13);
    EXPECT_EQ(block.row(0)[0], 1);
}

}  // namespace
}  // namespace dk::test

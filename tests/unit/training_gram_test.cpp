// SPDX-License-Identifier: Apache-2.0
// These tests expect the engine's values in the training matrix, whether it is stored whole or by rows.
#include "kernel/gram/training_gram.hpp"

#include <numeric>

#include "trained.hpp"

namespace dk::test::training_gram_test {
namespace {

constexpr Index rows = 400;  // Their matrix has 1.2 MB in double precision.

const Dataset& training() {
    static const Dataset data = blobs(rows, 4, 2, 1, 1, true);
    return data;
}

/// Checks blocks of which few places get another row, while they grow and shrink.
template <typename T>
void expect_exchanged_blocks(TrainingGram& gram, const std::vector<double>& matrix, BlockStorage<T>& storage,
                             double bound) {
    BegunControl control(2);
    std::vector<Index> some;
    const Index most = std::min<Index>(gram.largest_block(), 150);
    for (Index turn = 0; turn < 60; ++turn) {
        const Index count = std::max<Index>(1, most * (turn % 20 < 10 ? turn % 20 + 1 : 12) / 12);
        while (std::ssize(some) < count) some.push_back((std::ssize(some) * 13 + turn * 7) % rows);
        some.resize(count);
        for (Index change = 0; change < turn % 4; ++change)
            some[(turn * 17 + change * 5) % count] = (turn * 29 + change * 3) % rows;
        const auto block = gram.block(some, storage, control);
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < count; ++j) {
                ASSERT_NEAR(static_cast<double>(block.row(i)[j]), matrix[some[i] * rows + some[j]], bound)
                    << turn << " " << i << " " << j;
            }
        }
    }
}

/// Checks blocks of rows in any order, repeated ones too, of either precision.
template <typename T>
void expect_blocks(TrainingGram& gram, const std::vector<double>& matrix, double bound) {
    BegunControl control(2);
    BlockStorage<T> storage;
    for (Index turn = 0; turn < 40; ++turn) {
        std::vector<Index> some;
        for (Index k = 0; k < 1 + turn * 3 && k < gram.largest_block(); ++k)
            some.push_back((k * k * 7 + turn * 31) % rows);
        const auto block = gram.block(some, storage, control);
        for (Index i = 0; i < std::ssize(some); ++i) {
            for (Index j = 0; j < std::ssize(some); ++j) {
                ASSERT_NEAR(static_cast<double>(block.row(i)[j]), matrix[some[i] * rows + some[j]], bound);
            }
        }
    }
    expect_exchanged_blocks(gram, matrix, storage, bound);
    for (Index i = 0; i < rows; ++i) ASSERT_NEAR(gram.diagonal()[i], matrix[i * rows + i], bound);
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

/// One megabyte holds 327 of the 400 rows in double precision, so that blocks of up to 163 rows displace
/// others, and also some of their own.
TEST(TrainingGram, BlocksLargerThanWhatIsLeftOfTheCache) {
    const auto kernel = make_kernel("rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1));
    ASSERT_EQ(gram->largest_block(), 163);
    BegunControl control;
    BlockStorage<double> storage;
    for (Index turn = 0; turn < 60; ++turn) {
        std::vector<Index> some;
        for (Index k = 0; k < 163; ++k) some.push_back((turn * 61 + k * (1 + turn % 3)) % rows);
        const auto block = gram->block(some, storage, control);
        for (Index i = 0; i < 163; i += 5) {
            for (Index j = 0; j < 163; j += 3)
                ASSERT_NEAR(block.row(i)[j], matrix[some[i] * rows + some[j]], 1e-13);
        }
    }
}

TEST(TrainingGram, MemoryServesOneMatrixAfterTheOther) {
    const auto memory = std::make_shared<RowMemory>();
    for (const char* text : {"rbf(gamma=0.2)", "rbf(gamma=2)", "poly(degree=2)"}) {
        const auto kernel = make_kernel(text, training());
        const auto matrix = gram_matrix(kernel, training(), training());
        expect_blocks<double>(
            *make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1), nullptr, memory),
            matrix, 1e-11);
    }
}

/// Matrices of fewer rows, and smaller ones made of these, take over what is stored. That is all, or what the
/// cache of some 300 rows holds in the order of a ring. All of them may be used in turn.
template <typename T>
void expect_principal(Precision precision, double bound) {
    const auto kernel = make_kernel("0.5*linear + rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    BegunControl control(2);
    for (const std::int64_t megabytes : {0, 1}) {
        const auto memory = std::make_shared<RowMemory>();
        const auto gram =
            make_training_gram(kernel, training(), precision, MemoryBudget(megabytes), &control, memory);
        expect_blocks<T>(*gram, matrix, bound);
        std::vector<Index> kept;  // their rows of the whole matrix
        for (Index i = 3; i < rows; i += i % 4 + 1) kept.push_back(i);
        const auto smaller = gram->principal_submatrix(kept, control);
        ASSERT_NE(smaller, nullptr);
        const auto expect_values = [&](GramMatrix& source) {
            ASSERT_EQ(source.size(), std::ssize(kept));
            BlockStorage<T> storage;
            std::vector<Index> some;
            for (Index k = 0; k < std::min<Index>(50, source.largest_block()); ++k)
                some.push_back(k * 17 % std::ssize(kept));
            std::vector<double> product(kept.size());
            const auto weights = normal_values(std::ssize(some), 8);
            for (int turn = 0; turn < 2; ++turn) {  // The second turn finds the rows stored.
                const auto block = source.block(some, storage, control);
                std::ranges::fill(product, 0.0);
                std::vector<double> expected(kept.size());
                for (std::size_t i = 0; i < some.size(); ++i) {
                    const Index row = kept[some[i]] * rows;
                    for (std::size_t j = 0; j < some.size(); ++j)
                        ASSERT_NEAR(static_cast<double>(block.row(static_cast<Index>(i))[j]),
                                    matrix[row + kept[some[j]]], bound);
                    for (std::size_t j = 0; j < kept.size(); ++j)
                        expected[j] += weights[i] * matrix[row + kept[j]];
                }
                source.add_product(some, weights, product, control);
                for (std::size_t j = 0; j < kept.size(); ++j)
                    ASSERT_NEAR(product[j], expected[j], 100 * bound);
            }
        };
        expect_values(*smaller);
        std::vector<Index> of_smaller;
        std::vector<Index> rest;
        for (Index r = 0; r < std::ssize(kept); ++r) {
            if (r % 3 != 1) continue;
            of_smaller.push_back(r);
            rest.push_back(kept[r]);
        }
        {
            const auto smallest = smaller->principal_submatrix(of_smaller, control);
            if (smallest) {
                std::swap(kept, rest);
                expect_values(*smallest);
                std::swap(kept, rest);
            }
        }
        expect_values(*smaller);
        expect_blocks<T>(*gram, matrix, bound);  // The larger one takes the memory back.
        expect_values(*smaller);                 // Then the smaller one takes it again.

        std::vector<double> at(rows, 1.0);
        const std::vector<Index> wanted{1, 5, 399};
        gram->add_product_at(wanted, kept, normal_values(std::ssize(kept), 9), at, control);
        const auto v = normal_values(std::ssize(kept), 9);
        for (Index i = 0; i < rows; ++i) {
            double expected = 1;
            for (std::size_t k = 0; k < kept.size() && std::ranges::count(wanted, i) > 0; ++k)
                expected += v[k] * matrix[i * rows + kept[k]];
            ASSERT_NEAR(at[i], expected, 100 * bound);
        }
    }
}

TEST(TrainingGram, FewerRowsTakeOverWhatIsStored) {
    expect_principal<double>(Precision::real64, 1e-12);
    expect_principal<float>(Precision::real32, 1e-4);
}

TEST(TrainingGram, IsItselfAgainAfterFewerRows) {
    const auto kernel = make_kernel("rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    BegunControl control;
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1));
    expect_blocks<double>(*gram, matrix, 1e-12);
    std::vector<Index> even;
    for (Index i = 0; i < rows; i += 2) even.push_back(i);
    gram->principal_submatrix(even, control);
    expect_blocks<double>(*gram, matrix, 1e-12);
}

/// A callback's values may not be asked for twice; small matrices and factors have nothing to gain.
TEST(TrainingGram, SomeHaveNoFewerRows) {
    BegunControl control;
    const std::vector<Index> some{0, 1, 2};
    const Dataset similarities =
        gram_data(rows, gram_matrix(make_kernel("rbf(gamma=0.2)", training()), training(), training()));
    const auto principal = [&](const char* text, const Dataset& data) {
        return make_training_gram(make_kernel(text, data), data, Precision::real64, MemoryBudget(0))
            ->principal_submatrix(some, control);
    };
    EXPECT_NE(principal("rbf(gamma=0.2)", training()), nullptr);
    EXPECT_EQ(principal("gram(0)", similarities), nullptr);
    EXPECT_EQ(principal("linear", training()), nullptr);
    std::vector<Index> first(150);
    std::iota(first.begin(), first.end(), Index{0});
    EXPECT_EQ(principal("rbf(gamma=0.2)", training().select(first)), nullptr);
}

TEST(TrainingGram, ProductIsTheMatrixTimesTheVector) {
    const auto kernel = make_kernel("rbf(gamma=0.2)", training());
    const auto matrix = gram_matrix(kernel, training(), training());
    const auto v = normal_values(rows, 2);
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(1));
    std::vector<double> product(rows);
    BegunControl control(2);
    gram->product(v, product, control);
    for (Index i = 0; i < rows; ++i) {
        long double expected = 0;
        for (Index j = 0; j < rows; ++j) expected += static_cast<long double>(matrix[i * rows + j]) * v[j];
        ASSERT_NEAR(product[i], static_cast<double>(expected), 1e-11);
    }
}

TEST(TrainingGram, WholeMatricesMustFitTheBudget) {
    const auto kernel = make_kernel("rbf", training());
    BegunControl control;
    const auto gram = make_training_gram(kernel, training(), Precision::real64, MemoryBudget(3));
    EXPECT_NO_THROW(gram->whole(1, control));  // They take 2.4 MB.
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
    BlockStorage<double> storage;
    const std::vector<Index> some{5, 9};
    BegunControl cancelled;
    cancelled.cancel();
    message_of(Status::cancelled, [&] { gram->block(some, storage, cancelled); });
    BegunControl control;
    const auto block = gram->block(some, storage, control);
    EXPECT_NEAR(block.row(0)[1], matrix[5 * rows + 9], 1e-13);
    EXPECT_NEAR(block.row(1)[0], matrix[5 * rows + 9], 1e-13);
    EXPECT_EQ(block.row(0)[0], 1);
}

}  // namespace
}  // namespace dk::test::training_gram_test

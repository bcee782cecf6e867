// SPDX-License-Identifier: Apache-2.0
// Values of dear kernels are computed once in a training, counted by a kernel that counts, and end with it.
#include "kernel/gram/known_values.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "kernel/algebra/algebra.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/family/string_kernel.hpp"
#include "kernel/language/bank.hpp"

namespace dk::known_values_test {
namespace {

/// A function of the lengths of two texts whose order counts. It is called once for each row with itself too.
class CountingFunction {
  public:
    explicit CountingFunction(std::atomic<int>& calls) : calls_(&calls) {}

    std::string text() const { return "counting()"; }
    bool positive_semidefinite() const { return false; }
    bool unit_diagonal() const { return false; }
    double operator()(std::u32string_view x, std::u32string_view z, const Control&) const {
        ++*calls_;
        const auto size = [](std::u32string_view text) { return static_cast<double>(text.size()); };
        return size(x) + 1e-3 * size(z) + 1.0 / 3;
    }

  private:
    std::atomic<int>* calls_;
};

class KnownKernels : public testing::Test {
  protected:
    void SetUp() override {
        for (std::size_t i = 0; i < 40; ++i) texts.texts.push_back(std::string(1 + (7 * i) % 40, 'a'));
    }

    Matrix values(const Dataset& left, const Dataset& right) {
        Matrix K(left.rows(), right.rows());
        GramEngine<double>(bank.front(), left, right, &control).matrices(K.data(), control);
        return K;
    }
    KnownValues learned(Dataset& rows, const MemoryBudget& budget = MemoryBudget(0)) {
        KnownValues known;
        known.learn(bank, rows, budget, 1, control);
        return known;
    }

    std::atomic<int> calls{0};
    Bank bank{make_string_kernel(CountingFunction(calls))};
    Control control;
    StringSet texts;
};

TEST_F(KnownKernels, AnswerForSelectionsWithoutFurtherCalls) {
    Dataset rows(texts);
    const Matrix direct = values(rows, rows);  // Each value is that of the earlier row with the later one.
    const KnownValues known = learned(rows);
    EXPECT_FALSE(known.empty());
    calls = 0;
    EXPECT_EQ(values(rows, rows), direct);
    const std::vector<Index> some{30, 2, 17, 2};
    const std::vector<Index> positions{3, 1};
    const Dataset selected = features_only(rows.select(some));
    const Dataset twice = selected.select(positions);  // rows 2 and 2
    EXPECT_EQ(values(selected, rows), Matrix(direct(some, Eigen::all)));
    EXPECT_EQ(values(rows, twice), Matrix(direct(Eigen::all, std::vector<Index>{2, 2})));
    EXPECT_EQ(calls, 0);
}

/// The rows of a fold have places in the set that they were selected from, beyond their number.
TEST_F(KnownKernels, KnowTheRowsOfASelection) {
    const Dataset all(texts);
    const std::vector<Index> fold{39, 7, 25};
    Dataset rows = all.select(fold);
    const Matrix direct = values(rows, rows);
    const KnownValues known = learned(rows);
    calls = 0;
    EXPECT_EQ(values(rows, rows), direct);
    EXPECT_EQ(calls, 0);
    const std::vector<Index> held_out{8, 25};  // Row 25 of the larger set is known as another row here.
    values(all.select(held_out), rows);
    EXPECT_EQ(calls, 2 * 3 + 2 + 3);
}

TEST_F(KnownKernels, MayBePartsOfOthers) {
    StringSet words;
    for (std::size_t i = 0; i < 20; ++i)
        words.texts.push_back(std::string(1 + i % 5, 'a') + std::string(1 + i % 7, 'b'));
    Dataset rows(words);
    bank = {make_kernel("edit(gamma=0.1) + lowrank(edit(gamma=0.1), rank=4)", rows)};
    const std::string text = bank.front()->text();
    const Matrix direct = values(rows, rows);
    const KnownValues known = learned(rows);
    EXPECT_FALSE(known.empty());
    EXPECT_EQ(values(rows, rows), direct);
    EXPECT_EQ(bank.front()->text(), text);
    // The kernel is a sum, which stands in brackets where it is a factor.
    EXPECT_EQ(combine(bank, std::vector{2.0})->text(), "2*(" + text + ")");
}

TEST_F(KnownKernels, ComputeTheValuesOfOtherRows) {
    Dataset rows(texts);
    const KnownValues known = learned(rows);
    calls = 0;
    const Dataset others(texts);
    values(others, rows);
    EXPECT_EQ(calls, 40 * 40 + 2 * 40);
    calls = 0;
    const Dataset changed = rows.with_features(StringSet{{std::vector<std::string>(40, "b")}});
    values(changed, rows);
    EXPECT_EQ(calls, 40 * 40 + 2 * 40);
    calls = 0;
    values(rows.in_new_set(), rows);
    EXPECT_EQ(calls, 40 * 40 + 2 * 40);
}

TEST_F(KnownKernels, ComputeAgainAfterTheTraining) {
    Dataset rows(texts);
    Dataset later = rows;
    {
        const KnownValues known = learned(rows);
        later = rows.select(std::vector<Index>{0, 1});
        calls = 0;
        values(later, rows);
        EXPECT_EQ(calls, 0);
    }
    values(later, rows);
    EXPECT_EQ(calls, 2 * 40 + 2 + 40);
}

TEST_F(KnownKernels, AreNotMadeWithoutRoom) {
    texts.texts.resize(40);
    for (int i = 0; i < 1000; ++i) texts.texts.emplace_back("a");
    Dataset rows(texts);
    const KernelPointer before = bank.front();
    const KnownValues known = learned(rows, MemoryBudget(1));  // 4.3 megabytes are needed.
    EXPECT_TRUE(known.empty());
    EXPECT_EQ(bank.front(), before);
    EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace dk::known_values_test

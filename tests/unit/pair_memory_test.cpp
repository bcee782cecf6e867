// SPDX-License-Identifier: Apache-2.0
// Values of dear kernels are computed once in a training, counted by a kernel that counts, and end with it.
#include "kernel/pair_memory.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "kernel/engine/gram_engine.hpp"
#include "kernel/family/string_kernel.hpp"
#include "kernel/language/bank.hpp"

namespace dk {
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

class PairMemories : public testing::Test {
  protected:
    void SetUp() override {
        for (std::size_t i = 0; i < 40; ++i) texts.texts.push_back(std::string(1 + (7 * i) % 40, 'a'));
    }

    Matrix values(const Dataset& left, const Dataset& right) {
        Matrix K(left.rows(), right.rows());
        Control control;
        GramEngine<double>(kernel, left, right, &control).matrices(K.data(), control);
        return K;
    }

    std::atomic<int> calls{0};
    KernelPointer kernel = make_string_kernel(CountingFunction(calls));
    StringSet texts;
};

TEST_F(PairMemories, AnswerForSelectionsWithoutFurtherCalls) {
    Dataset rows(texts);
    const Matrix direct = values(rows, rows);  // Each value is that of the earlier row with the later one.
    const auto memory = std::make_shared<PairMemory>(40, MemoryBudget(0));
    rows.origin = std::make_shared<const TrainingOrigin>(TrainingOrigin{.memory = memory});
    Control control;
    memory->learn({kernel}, rows, 1, control);
    EXPECT_FALSE(memory->empty());
    calls = 0;
    EXPECT_EQ(values(rows, rows), direct);
    const std::vector<Index> some{30, 2, 17, 2};
    const std::vector<Index> positions{3, 1};
    const Dataset selected = features_only(rows.select(some));
    const Dataset twice = selected.select(positions);  // rows 2 and 2
    EXPECT_EQ(values(selected, rows), Matrix(direct(some, Eigen::all)));
    EXPECT_EQ(values(rows, twice), Matrix(direct(Eigen::all, std::vector<Index>{2, 2})));
    EXPECT_EQ(calls, 0);
    memory->learn({kernel}, rows, 1, control);
    EXPECT_EQ(calls, 0);
}

TEST_F(PairMemories, AreNotConfusedByAPartOnFewerRows) {
    StringSet words;
    for (std::size_t i = 0; i < 20; ++i)
        words.texts.push_back(std::string(1 + i % 5, 'a') + std::string(1 + i % 7, 'b'));
    Dataset rows(words);
    const auto memory = std::make_shared<PairMemory>(20, MemoryBudget(0));
    rows.origin = std::make_shared<const TrainingOrigin>(TrainingOrigin{.memory = memory});
    kernel = make_kernel("edit(gamma=0.1) + lowrank(edit(gamma=0.1), rank=4)", rows);
    const Matrix direct = values(rows, rows);
    Control control;
    memory->learn({kernel}, rows, 1, control);
    EXPECT_FALSE(memory->empty());
    EXPECT_EQ(values(rows, rows), direct);
}

TEST_F(PairMemories, KnowNothingOfOtherRows) {
    Dataset rows(texts);
    const auto memory = std::make_shared<PairMemory>(40, MemoryBudget(0));
    rows.origin = std::make_shared<const TrainingOrigin>(TrainingOrigin{.memory = memory});
    Control control;
    memory->learn({kernel}, rows, 1, control);
    calls = 0;
    const Dataset others(texts);
    values(others, rows);
    EXPECT_EQ(calls, 40 * 40 + 2 * 40);
    calls = 0;
    const Dataset changed = rows.with_features(StringSet{{std::vector<std::string>(40, "b")}});
    values(changed, rows);
    EXPECT_EQ(calls, 40 * 40 + 2 * 40);
}

TEST_F(PairMemories, EndWithTheTraining) {
    Dataset rows(texts);
    auto memory = std::make_shared<PairMemory>(40, MemoryBudget(0));
    rows.origin = std::make_shared<const TrainingOrigin>(TrainingOrigin{.memory = memory});
    Control control;
    memory->learn({kernel}, rows, 1, control);
    const Dataset later = rows.select(std::vector<Index>{0, 1});
    const std::weak_ptr<PairMemory> watched = memory;
    memory.reset();
    EXPECT_TRUE(watched.expired());
    calls = 0;
    values(later, rows);
    EXPECT_EQ(calls, 2 * 40 + 2 + 40);
}

TEST_F(PairMemories, WithoutRoomLearnNothing) {
    texts.texts.resize(40);
    for (int i = 0; i < 1000; ++i) texts.texts.emplace_back("a");
    Dataset rows(texts);
    const auto memory =
        std::make_shared<PairMemory>(rows.rows(), MemoryBudget(1));  // 4.3 megabytes are needed.
    rows.origin = std::make_shared<const TrainingOrigin>(TrainingOrigin{.memory = memory});
    Control control;
    memory->learn({kernel}, rows, 1, control);
    EXPECT_TRUE(memory->empty());
    EXPECT_EQ(calls, rows.rows());  // each with itself
}

}  // namespace
}  // namespace dk

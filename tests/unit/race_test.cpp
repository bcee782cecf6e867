// SPDX-License-Identifier: Apache-2.0
#include "pipeline/choice/race.hpp"

#include <gtest/gtest.h>

#include "pipeline/automatic.hpp"
#include "trained.hpp"

namespace dk::race_test {
namespace {

Proposal svm_with(const std::string& kernel, const std::string& cost) {
    return {"svm", "none", {.kernel = kernel, .chosen = {{"C", cost}}}};
}

TEST(Race, DropsWhatFailsAndSaysWhy) {
    Dataset data = test::blobs(30, 2, 2, 2, 1);
    const MachineSpecification automatic = automatic_specification();
    Control control;
    const auto heats = race(data, {svm_with("poly(degree=500, coef0=100)", "1"), svm_with("linear", "1")},
                            {Task::classification, "accuracy", automatic}, control);
    ASSERT_EQ(heats.size(), 2U);
    const Heat& first = heats.front();
    ASSERT_EQ(first.proposals.size(), 2U);
    for (std::size_t p = 0; p < 2; ++p)
        EXPECT_EQ(first.failures[p].empty(), first.proposals[p].candidate.kernel == "linear")
            << first.failures[p];
    for (const Proposal& proposal : heats.back().proposals) EXPECT_EQ(proposal.candidate.kernel, "linear");
}

TEST(Race, KeepsWhatIsWithinTwoStandardErrorsOfTheBest) {
    Dataset data = test::blobs(60, 2, 2, 2, 1);
    const MachineSpecification automatic = automatic_specification();
    Control control;
    const auto heats =
        race(data, {svm_with("linear", "1"), svm_with("linear", "2"), svm_with("linear", "1e-9")},
             {Task::classification, "accuracy", automatic}, control);
    const Heat& first = heats.front();
    for (std::size_t p = 0; p < first.proposals.size(); ++p) {
        const bool stays =
            std::ranges::find(heats.back().proposals, first.proposals[p]) != heats.back().proposals.end();
        const double behind = first.scores[first.best].rank("accuracy") - first.scores[p].rank("accuracy");
        EXPECT_TRUE(stays || behind > 1e-12) << "as good as the best";
    }
}

TEST(Race, LeavesOutRowsOfClassesThatNoFoldCanLearnAndJudge) {
    Dataset data = test::blobs(20, 2, 2, 2, 1);
    Labels labels = *data.labels;
    labels.values.push_back(9);
    labels.of_rows[3] = 2;
    data.labels = labels;
    EXPECT_EQ(without_single_rows(data, Task::classification).rows(), data.rows() - 1);
    EXPECT_EQ(without_single_rows(data, Task::regression).rows(), data.rows());
}

}  // namespace
}  // namespace dk::race_test

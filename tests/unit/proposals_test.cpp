// SPDX-License-Identifier: Apache-2.0
#include "pipeline/choice/proposals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/automatic.hpp"
#include "trained.hpp"

namespace dk::proposals_test {
namespace {

/// One column of values, and classes that do not follow it.
Dataset many_rows(Index rows) {
    DenseMatrix column{rows, 1, std::vector<double>(rows)};
    Labels labels{.of_rows = std::vector<Index>(rows), .values = {1, 2}};
    for (Index i = 0; i < rows; ++i) {
        column.row(i)[0] = static_cast<double>(i % 1009);
        labels.of_rows[i] = i % 2;
    }
    Dataset data(std::move(column));
    data.labels = std::move(labels);
    return data;
}

MachineSpecification automatic_with(const std::string& key, const std::string& value) {
    MachineSpecification automatic = automatic_specification();
    if (!key.empty()) set_parameter(automatic, key, value);
    return automatic;
}

TEST(Proposals, OfClassesOfVeryManyRowsAreOfLandmarks) {
    constexpr Index most = 250000;
    const Dataset few = many_rows(most);
    Dataset many = many_rows(most + 1);
    const auto machine_with = [&](const std::string& key, const std::string& value) {
        return machine_for(many, Task::classification, automatic_with(key, value));
    };
    EXPECT_EQ(machine_for(few, Task::classification, automatic_specification()), "svm");
    EXPECT_EQ(machine_with("", ""), "kelm");
    EXPECT_EQ(machine_with("C", "auto"), "kelm");
    // What somebody asks of an svm, or landmarks cannot do, an svm does.
    EXPECT_EQ(machine_with("loss", "logistic"), "svm");
    EXPECT_EQ(machine_with("C", "3"), "svm");
    EXPECT_EQ(machine_with("kernel", "linear"), "svm");  // C is 1 then.
    EXPECT_EQ(machine_with("updatable", "yes"), "svm");
    EXPECT_EQ(machine_with("spectrum", "shift"), "svm");
    many.sample_weights.assign(most + 1, 1.0);
    EXPECT_EQ(machine_with("", ""), "svm");
}

TEST(Proposals, OfLandmarksChooseTheirCOnAllRows) {
    const MachineSpecification automatic = automatic_specification();
    const auto all = proposals(many_rows(1000), "kelm", automatic);
    EXPECT_FALSE(all.empty());
    for (const Proposal& one : all) {
        EXPECT_EQ(one.machine, "kelm");
        const Parameters parameters = specification_of(one, automatic).parameters;
        EXPECT_EQ(parameters.text("select_C"), "yes");
        EXPECT_EQ(parameters.text("solver"), "auto");
        // No two are the same: there is one for each kernel and scale.
        EXPECT_EQ(std::ranges::count(all, one), 1);
    }
}

}  // namespace
}  // namespace dk::proposals_test

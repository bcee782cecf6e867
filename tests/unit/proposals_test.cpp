// SPDX-License-Identifier: Apache-2.0
#include "pipeline/choice/proposals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/automatic.hpp"
#include "trained.hpp"

namespace dk {
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
    const auto machines_of = [](Index rows, const std::string& key = "", const std::string& value = "") {
        std::vector<std::string> machines;
        for (const Proposal& one :
             proposals(many_rows(rows), Task::classification, automatic_with(key, value)))
            machines.push_back(one.machine);
        EXPECT_FALSE(machines.empty());
        std::ranges::sort(machines);
        machines.erase(std::ranges::unique(machines).begin(), machines.end());
        return machines;
    };
    const std::vector<std::string> svm{"svm"};
    EXPECT_EQ(machines_of(most), svm);
    EXPECT_EQ(machines_of(most + 1), std::vector<std::string>{"kelm"});
    // What somebody asks of an svm alone, it does.
    EXPECT_EQ(machines_of(most + 1, "loss", "logistic"), svm);
    EXPECT_EQ(machines_of(most + 1, "C", "3"), svm);
    EXPECT_EQ(machines_of(most + 1, "updatable", "yes"), svm);
    EXPECT_EQ(machines_of(most + 1, "C", "auto"), std::vector<std::string>{"kelm"});
}

TEST(Proposals, OfLandmarksChooseTheirCOnAllRows) {
    const MachineSpecification automatic = automatic_specification();
    const auto all = proposals(many_rows(250001), Task::classification, automatic);
    for (const Proposal& one : all) {
        const Parameters parameters = specification_of(one, automatic).parameters;
        EXPECT_EQ(parameters.text("select_C"), "yes");
        EXPECT_EQ(parameters.text("solver"), "auto");
    }
    // No two are the same: there is one for each kernel and scale.
    for (std::size_t p = 0; p < all.size(); ++p) EXPECT_EQ(std::ranges::count(all, all[p]), 1);
}

}  // namespace
}  // namespace dk

// SPDX-License-Identifier: Apache-2.0
// Targets that are all alike, or within the tube, make a regression that predicts them. Its function has no
// coefficients, and both of its prototypes lie at the origin of feature space.
#include <algorithm>
#include <cmath>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"
#include "structures.hpp"

namespace dk_test::constant_targets_test {
namespace {

class ConstantTargets : public testing::TestWithParam<const char*> {
  protected:
    static Data rows_with(const std::vector<double>& targets) {
        Data data = unlabelled(make_problem(static_cast<int64_t>(targets.size()), 3, 2, 1.0, 5));
        check(dk_data_set_targets(data.get(), targets.data(), static_cast<int64_t>(targets.size())));
        return data;
    }
};

TEST_P(ConstantTargets, ArePredicted) {
    for (const double target : {0.0, 3.25, -1e6, 1e-9}) {
        for (const char* kernel : {"rbf(gamma=1)", "linear", "lowrank(rbf(gamma=1), rank=4)"}) {
            const Data data = rows_with(std::vector<double>(30, target));
            const Model model = train(data, GetParam(), std::string("kernel=") + kernel);
            for (const double predicted : decisions(model, data))
                EXPECT_NEAR(predicted, target, 1e-9 * std::abs(target)) << kernel;
            const Model read = read_model(bytes_of(model.get()));
            EXPECT_TRUE(same_bits(decisions(read, data), decisions(model, data)));
        }
    }
}

// Equation (7) holds for the prototypes: what they say of a row adds up to its decision less S / (2 t).
TEST_P(ConstantTargets, AreWhatPrototypesSay) {
    const Data data = rows_with(std::vector<double>(30, 4.0));
    const Model model = train(data, GetParam(), "kernel=rbf(gamma=1)");
    const int64_t prototypes = dk_model_prototype_count(model.get());
    const int64_t functions = prototypes / 2;
    const auto said = values_of<double>(30 * prototypes, dk_explain, model.get(), data.get(), nullptr);
    std::vector<double> shifts(static_cast<std::size_t>(functions));
    std::vector<double> offsets(static_cast<std::size_t>(functions));
    check(dk_model_prototype_offsets(shifts.data(), offsets.data(), functions, model.get()));
    const auto found = decisions(model, data);
    for (int64_t i = 0; i < 30; ++i) {
        for (int64_t f = 0; f < functions; ++f) {
            const auto at = static_cast<std::size_t>(i * prototypes + 2 * f);
            EXPECT_NEAR(said[at] + said[at + 1] + offsets[static_cast<std::size_t>(f)],
                        found[static_cast<std::size_t>(i * functions + f)], 1e-12);
        }
    }
    for (const double coefficient :
         values_of<double>(30 * prototypes, dk_model_prototype_coefficients, model.get()))
        EXPECT_EQ(coefficient, 0);
}

INSTANTIATE_TEST_SUITE_P(Machines, ConstantTargets,
                         testing::Values("svr", "nu_svr", "rvr", "quantile_regression"));

// LIBSVM writes a constant regression without support vectors, which leaves no row to tell what rows are.
TEST(ConstantModelsOfOtherPrograms, AreRefused) {
    const TemporaryDirectory folder;
    const std::string path =
        folder.write("constant.model",
                     "svm_type epsilon_svr\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 0\nrho -4\nSV\n");
    dk_model* none = nullptr;
    EXPECT_NE(dk_model_import(&none, path.c_str(), "libsvm", nullptr), DK_OK);
    EXPECT_NE(dk_last_error(), std::string());
    EXPECT_EQ(none, nullptr);
}

TEST(TargetsWithinTheTube, ArePredictedByOneValue) {
    Data data = unlabelled(make_problem(40, 3, 2, 1.0, 6));
    std::vector<double> targets(40);
    for (std::size_t i = 0; i < 40; ++i) targets[i] = 5 + 0.1 * std::sin(static_cast<double>(i));
    check(dk_data_set_targets(data.get(), targets.data(), 40));
    const Model model = train(data, "svr", "kernel=rbf(gamma=1) epsilon=0.5 C=1");
    const auto found = decisions(model, data);
    for (const double value : found) {
        EXPECT_EQ(value, found.front());
        EXPECT_LE(std::abs(value - 5), 0.6);
    }
}

}  // namespace
}  // namespace dk_test::constant_targets_test

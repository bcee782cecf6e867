// SPDX-License-Identifier: Apache-2.0
// nu_svm where classes nearly meet in feature space, so that the margin is smaller than the tolerance.
#include <nlohmann/json.hpp>

#include "expectations.hpp"

namespace dk_test::small_margin_test {
namespace {

Problem points(std::vector<double> x, std::vector<int64_t> labels) {
    const auto rows = static_cast<int64_t>(x.size());
    return {rows, 1, std::move(x), std::move(labels)};
}

/// The coefficients of each class have the sum nu n / 2 = 1/2, which the nearest rows can take alone, and are
/// free: the normal is half of their difference d = 0.01, and rho is half of its product with d. The start
/// has the farther rows, and violates no condition by more than 2e-4.
TEST(SmallMargin, IsFoundBelowTheTolerance) {
    const Data data = dense(points({0, 0.01, 0.03, 0.02}, {0, 0, 1, 1}));
    const Model model = train(data, "nu_svm", "nu=0.25 kernel=linear");
    const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
    const auto& found = info.at("training").at("functions").at(0);
    EXPECT_NEAR(found.at("rho").get<double>(), 2.5e-5, 1e-12);
    EXPECT_LT(found.at("gap").get<double>(), 1);  // in units of rho
    EXPECT_TRUE(found.at("converged").get<bool>());
    EXPECT_EQ(values_of<double>(4, dk_predict, model.get(), data.get(), nullptr),
              (std::vector<double>{0, 0, 1, 1}));
}

/// Kernel values of 3e18 leave a rho of 75,000 to be seen.
TEST(SmallMargin, FarFromTheOriginIsFound) {
    std::vector<double> x;
    std::vector<int64_t> labels;
    for (int row = 0; row < 20; ++row) {
        x.push_back(1.7e9 + 10 * (row < 10 ? row : row + 10));
        labels.push_back(row < 10 ? 0 : 1);
    }
    const Data data = dense(points(x, labels));
    const Model model = train(data, "nu_svm", "kernel=linear");
    const auto predicted = values_of<double>(20, dk_predict, model.get(), data.get(), nullptr);
    EXPECT_EQ(predicted, std::vector<double>(labels.begin(), labels.end()));
}

TEST(SmallMargin, OfClassesWithOneMeanIsNone) {
    const Data data = dense(points({0.3, 0.7, 0.1, 0.9}, {0, 0, 1, 1}));
    for (const char* kernel : {"nu=1 kernel=linear", "nu=0.5 kernel=linear"}) {
        expect_no_handle<dk_model>(
            [&](dk_model** out) {
                return dk_train(out, data.get(), parameters("nu_svm", kernel).get(), nullptr);
            },
            DK_ERR_NUMERICAL, {"rho"});
    }
}

}  // namespace
}  // namespace dk_test::small_margin_test

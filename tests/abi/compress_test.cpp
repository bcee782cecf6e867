// SPDX-License-Identifier: Apache-2.0
// These tests expect that any model becomes one of few prototypes that decides alike.
#include <nlohmann/json.hpp>

#include "expectations.hpp"

namespace dk_test {
namespace {

Model compressed(const dk_model* model, const dk_data* data, const std::string& settings) {
    return create<Model>(dk_compress, model, data, parameters("super_sparse", settings).get(), nullptr);
}

nlohmann::json report_of(const dk_model* model) {
    return nlohmann::json::parse(text_of(dk_model_info, model)).at("training").at("compressed").at(0);
}

TEST(Compress, ModelsOfEveryMachine) {
    const Data data = dense(make_problem(200, 3, 3, 2.5, 61));
    for (const char* machine :
         {"svm", "cvm", "mcvm", "kelm", "fisher", "mean_of_class", "rvm", "imkpl", "super_sparse"}) {
        const Model model = create<Model>(
            dk_train, data.get(), parameters(machine, "scale=standard kernel=rbf(gamma=0.3)").get(), nullptr);
        const Model small = compressed(model.get(), data.get(), "prototypes=15 max_iterations=60");
        EXPECT_EQ(dk_model_prototype_count(small.get()), 15) << machine;
        EXPECT_EQ(dk_model_decision_count(small.get()), dk_model_decision_count(model.get()));
        EXPECT_GE(report_of(small.get()).at("agreement").get<double>(), 0.85) << machine;
        const auto bytes = bytes_of(small.get());
        const Model again =
            create<Model>(dk_model_read, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
        EXPECT_TRUE(same_bits(values_of<double>(200, dk_predict, again.get(), data.get(), nullptr),
                              values_of<double>(200, dk_predict, small.get(), data.get(), nullptr)));
    }
}

TEST(Compress, PrototypesHaveCoordinatesInTheDatasUnits) {
    const Data data = dense(make_problem(120, 3, 2, 2.5, 62));
    const Model model = create<Model>(
        dk_train, data.get(), parameters("svm", "scale=standard kernel=rbf(gamma=0.3)").get(), nullptr);
    const Model small = compressed(model.get(), data.get(), "prototypes=4 move=no");
    // Prototypes that were not moved are training rows.
    const auto coefficients = values_of<double>(4 * 120, dk_model_prototype_coefficients, small.get());
    const auto coordinates = values_of<double>(4 * 3, dk_model_prototype_coordinates, small.get());
    const Problem problem = make_problem(120, 3, 2, 2.5, 62);
    for (std::size_t p = 0; p < 4; ++p) {
        const auto first = coefficients.begin() + static_cast<std::ptrdiff_t>(120 * p);
        const auto row = static_cast<std::size_t>(std::find(first, first + 120, 1.0) - first);
        ASSERT_LT(row, 120U);
        for (std::size_t j = 0; j < 3; ++j)
            EXPECT_NEAR(coordinates[3 * p + j], problem.x[3 * row + j], 1e-12);
    }
}

TEST(Compress, MistakesAreNamed) {
    const Data data = dense(make_problem(60, 3, 2, 2.5, 63));
    const Model model = create<Model>(dk_train, data.get(), parameters("svm").get(), nullptr);
    const Params params = parameters("super_sparse", "prototypes=3");
    const auto refused = [&](dk_status status, const Words& words, const dk_model* m, const dk_data* d,
                             const dk_params* p) {
        expect_no_handle<dk_model>([&](dk_model** out) { return dk_compress(out, m, d, p, nullptr); }, status,
                                   words);
    };
    refused(DK_ERR_INVALID_ARGUMENT, {"model"}, nullptr, data.get(), params.get());
    refused(DK_ERR_INVALID_ARGUMENT, {"data"}, model.get(), nullptr, params.get());
    refused(DK_ERR_INVALID_ARGUMENT, {"params"}, model.get(), data.get(), nullptr);
    refused(DK_ERR_INVALID_PARAMETER, {"super_sparse", "svm"}, model.get(), data.get(),
            parameters("svm").get());
    const Data other = dense(make_problem(60, 4, 2, 2.5, 64));
    refused(DK_ERR_DIMENSION, {"3", "4"}, model.get(), other.get(), params.get());
    expect_failure([&] { return dk_compress(nullptr, model.get(), data.get(), params.get(), nullptr); },
                   DK_ERR_INVALID_ARGUMENT, {"out"});
    EXPECT_EQ(dk_model_prototype_pairs(nullptr), -1);
    EXPECT_EQ(dk_model_prototype_pairs(model.get()), 1);
}

}  // namespace
}  // namespace dk_test

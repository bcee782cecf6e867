// SPDX-License-Identifier: Apache-2.0
// These tests expect that any model becomes one of few prototypes that decides alike.
#include <nlohmann/json.hpp>

#include <algorithm>

#include "expectations.hpp"
#include "structures.hpp"

namespace dk_test::compress_test {
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

TEST(Compress, PrototypesThatMovedAreMadeOfNoRow) {
    const Data data = dense(make_problem(120, 3, 2, 2.5, 65));
    const Model model = create<Model>(
        dk_train, data.get(), parameters("svm", "scale=standard kernel=rbf(gamma=0.3)").get(), nullptr);
    const Model small = compressed(model.get(), data.get(), "prototypes=4");
    EXPECT_EQ(values_of<double>(4 * 120, dk_model_prototype_coefficients, small.get()),
              std::vector<double>(4 * 120, 0.0));
    // Each of a machine's two prototypes is made of the support vectors of its side.
    const auto of_machine = values_of<double>(2 * 120, dk_model_prototype_coefficients, model.get());
    const auto support_vectors = std::ranges::count_if(of_machine, [](double c) { return c != 0; });
    EXPECT_DOUBLE_EQ(report_of(small.get()).at("speed_up").get<double>(),
                     static_cast<double>(support_vectors) / 4);
}

TEST(Compress, TheSameBytesForAnyNumberOfThreads) {
    const Data data = dense(make_problem(300, 5, 3, 2.5, 66));
    const Model model = create<Model>(
        dk_train, data.get(), parameters("svm", "scale=standard kernel=rbf(gamma=0.3)").get(), nullptr);
    const Params params = parameters("super_sparse", "prototypes=9 max_iterations=30");
    const auto bytes = [&](int32_t threads) {
        return bytes_of(
            create<Model>(dk_compress, model.get(), data.get(), params.get(), control_with(threads).get())
                .get());
    };
    const auto expected = bytes(1);
    for (const int32_t threads : {2, 3}) EXPECT_EQ(bytes(threads), expected) << threads << " threads";
}

TEST(Compress, LabelsAreNotAsked) {
    Problem problem = make_problem(120, 3, 2, 2.5, 67);
    const Data data = dense(problem);
    const Model model = create<Model>(
        dk_train, data.get(), parameters("svm", "scale=standard kernel=rbf(gamma=0.3)").get(), nullptr);
    std::ranges::reverse(problem.labels);
    const Data others = dense(problem);
    ASSERT_NE(others.get(), nullptr);
    EXPECT_EQ(bytes_of(compressed(model.get(), others.get(), "prototypes=4 max_iterations=20").get()),
              bytes_of(compressed(model.get(), data.get(), "prototypes=4 max_iterations=20").get()));
}

void expect_rows(const dk_model* small) {
    const auto coefficients = values_of<double>(5 * 60, dk_model_prototype_coefficients, small);
    for (std::size_t p = 0; p < 5; ++p) {
        const auto first = coefficients.begin() + static_cast<std::ptrdiff_t>(60 * p);
        EXPECT_EQ(std::count(first, first + 60, 1.0), 1) << "prototype " << p << " is a row";
        EXPECT_EQ(std::count(first, first + 60, 0.0), 59) << "prototype " << p;
    }
}

TEST(Compress, StringsStayRowsUnlessTheyMoveByEdits) {
    const Data data = strings(60, 3);
    const Model model = create<Model>(
        dk_train, data.get(), parameters("svm", "kernel=normalize(spectrum(length=2))").get(), nullptr);
    const Model still = compressed(model.get(), data.get(), "prototypes=5 move=no");
    expect_rows(still.get());
    const Model moved = compressed(model.get(), data.get(), "prototypes=5 max_iterations=20");
    EXPECT_LT(report_of(moved.get()).at("objective"), report_of(still.get()).at("objective"));
    EXPECT_EQ(report_of(moved.get()).at("prototype_texts").size(), 5U);
    // It is the same model after writing and reading, though its prototypes are no rows.
    const auto bytes = bytes_of(moved.get());
    const Model again =
        create<Model>(dk_model_read, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_TRUE(same_bits(values_of<double>(60, dk_predict, again.get(), data.get(), nullptr),
                          values_of<double>(60, dk_predict, moved.get(), data.get(), nullptr)));
}

TEST(Compress, GraphsStayRows) {
    const Data data = graphs(60, 3);
    const Model model =
        create<Model>(dk_train, data.get(), parameters("svm", "kernel=weisfeiler_lehman").get(), nullptr);
    const Model small = compressed(model.get(), data.get(), "prototypes=5 max_iterations=20");
    expect_rows(small.get());
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
}  // namespace dk_test::compress_test

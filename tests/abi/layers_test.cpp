// SPDX-License-Identifier: Apache-2.0
// Layers and scalings of rows, as a caller of the library sees them.
#include <cmath>
#include <nlohmann/json.hpp>

#include "expectations.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::layers_test {
namespace {

class Layers : public testing::Test {
  protected:
    const Problem problem = make_problem(60, 5, 2, 2.0, 81);
    const Data data = dense(problem);

    static nlohmann::json info_of(const Model& model) {
        return nlohmann::json::parse(text_of(dk_model_info, model.get()));
    }
};

TEST_F(Layers, AreToldWithWhatTheyLearned) {
    const Model model =
        train(data, "svm", "layers=[kernel_pca([rbf(gamma=1),linear],components=4),anova_f(2)]");
    const auto layers = info_of(model).at("layers");
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].at("layer"), "kernel_pca([rbf(gamma=1),linear],components=4)");
    EXPECT_EQ(layers[0].at("learned").at("kernels").size(), 2U);
    EXPECT_EQ(layers[0].at("learned").at("eigenvalues").size(), 4U);
    EXPECT_EQ(layers[1].at("learned").at("columns"), 2);
    EXPECT_EQ(layers[1].at("learned").at("kept").size(), 2U);
    EXPECT_EQ(dk_model_feature_count(model.get()), 5);
}

TEST_F(Layers, GiveTheirColumnsAsFeatures) {
    const Model model = train(data, "svm", "layers=anova_f(2)");
    ASSERT_EQ(dk_model_transform_count(model.get()), 2);
    const auto kept = info_of(model).at("layers")[0].at("learned").at("kept").get<std::vector<std::size_t>>();
    const auto features = values_of<double>(120, dk_transform, model.get(), data.get(), nullptr);
    for (std::size_t i = 0; i < 60; ++i) {
        for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(features[2 * i + k], problem.x[5 * i + kept[k]]);
    }
    EXPECT_EQ(dk_model_transform_count(train(data, "svm", "").get()), 0);
}

TEST_F(Layers, LeaveNoCoordinateOfAColumnThatTheyDrop) {
    const Model model =
        train(data, "mean_of_class", "kernel=linear layers=[anova_f(4),anova_f(2)] scale=standard");
    const auto points = values_of<double>(10, dk_model_prototype_coordinates, model.get());
    const auto first =
        info_of(model).at("layers")[0].at("learned").at("kept").get<std::vector<std::size_t>>();
    const auto second =
        info_of(model).at("layers")[1].at("learned").at("kept").get<std::vector<std::size_t>>();
    std::vector<bool> expected(5);
    for (const std::size_t k : second) expected[first[k]] = true;
    // The prototypes of mean_of_class are the means of the classes.
    std::vector<double> means(10);
    const auto labels = values_of<int64_t>(60, dk_data_labels, data.get());
    const auto classes = values_of<int64_t>(2, dk_model_prototype_classes, model.get());
    const auto known = values_of<int64_t>(2, dk_model_classes, model.get());
    for (std::size_t p = 0; p < 2; ++p) {
        double count = 0;
        for (std::size_t i = 0; i < 60; ++i) {
            if (labels[i] != known[static_cast<std::size_t>(classes[p])]) continue;
            count += 1;
            for (std::size_t j = 0; j < 5; ++j) means[5 * p + j] += problem.x[5 * i + j];
        }
        for (std::size_t j = 0; j < 5; ++j) {
            if (expected[j]) {
                EXPECT_NEAR(points[5 * p + j], means[5 * p + j] / count, 1e-12);
            } else {
                EXPECT_TRUE(std::isnan(points[5 * p + j]));
            }
        }
    }
}

TEST_F(Layers, OfComponentsLeaveNoCoordinates) {
    const Model model = train(data, "mean_of_class", "kernel=linear layers=kernel_pca(rbf)");
    std::vector<double> points(10);
    expect_failure([&] { return dk_model_prototype_coordinates(points.data(), 10, model.get()); },
                   DK_ERR_UNSUPPORTED, {"kernel_pca(rbf)"});
    const int64_t rows = dk_data_rows(data.get());
    std::vector<double> again(static_cast<std::size_t>(rows * dk_model_feature_count(model.get())));
    const auto length = static_cast<int64_t>(again.size());
    const auto reconstruct = [&](const Model& of) {
        return [&] { return dk_reconstruct(again.data(), length, of.get(), data.get(), nullptr); };
    };
    expect_failure(reconstruct(model), DK_ERR_UNSUPPORTED, {"kernel_pca"});
    const Model twice = train(data, "kernel_pca", "kernel=linear layers=kernel_pca(rbf)");
    expect_failure(reconstruct(twice), DK_ERR_UNSUPPORTED, {"kernel_pca(rbf)"});
}

TEST_F(Layers, TurnSeriesStringsAndGraphsIntoNumbers) {
    const std::string layers = "layers=kernel_pca(components=5) kernel=rbf";
    for (const Data& rows : {series(20, 2, 3), strings(20, 4), graphs(20, 5)}) {
        const Model model = train(rows, "svm", layers);
        EXPECT_EQ(decisions(model, rows).size(), 20U);
        EXPECT_LE(dk_model_transform_count(model.get()), 5);
    }
}

TEST_F(Layers, AreComparedByAGrid) {
    const Params params =
        parameters("svm",
                   "folds=3 kernel=rbf "
                   "grid=layers=anova_f(1):anova_f(3):[kernel_pca(rbf,components=6),anova_f(4)];C=1:10");
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    const auto candidates = info_of(model).at("cross_validation").at("candidates");
    EXPECT_EQ(candidates.size(), 6U);
    const Params kernels = parameters(
        "svm", "folds=3 layers=anova_f(3) kernel=[rbf(gamma=1/d),linear] grid=weights=[uniform,each]");
    const Model compared = create<Model>(dk_cross_validate, data.get(), kernels.get(), nullptr);
    // d is the number of columns that the layer keeps.
    EXPECT_NE(info_of(compared).at("cross_validation").dump().find("rbf(gamma=0.3333333333333333)"),
              std::string::npos);
}

TEST_F(Layers, GoWithACompressedModel) {
    const Model model = train(data, "svm", "kernel=rbf layers=kernel_pca(rbf,components=6)");
    const Model small = create<Model>(dk_compress, model.get(), data.get(),
                                      parameters("super_sparse", "prototypes=6").get(), nullptr);
    EXPECT_EQ(info_of(small).at("layers"), info_of(model).at("layers"));
    EXPECT_EQ(decisions(small, data).size(), 60U);
}

TEST_F(Layers, ModelsWithThemAreOfAVersionThatEarlierReadersRefuse) {
    const auto version = [&](const std::string& settings) {
        return static_cast<int>(bytes_of(train(data, "svm", settings).get()).at(8));
    };
    EXPECT_EQ(version("scale=standard"), 1);
    EXPECT_EQ(version("layers=anova_f(2)"), 2);
    EXPECT_EQ(version("scale_rows=l2"), 2);
    EXPECT_EQ(version("scale=ranks"), 3);
}

TEST_F(Layers, RefuseWeightsAndStrategiesThatTrainMachines) {
    const Data weighed = dense(problem);
    const std::vector<double> weights(60, 2.0);
    check(dk_data_set_sample_weights(weighed.get(), weights.data(), 60));
    dk_model* none = nullptr;
    const auto refused = [&](const Data& rows, const char* machine, const std::string& settings,
                             dk_status status, const Words& words) {
        const Params params = parameters(machine, settings);
        expect_failure([&] { return dk_train(&none, rows.get(), params.get(), nullptr); }, status, words);
    };
    refused(weighed, "svm", "layers=anova_f(2)", DK_ERR_UNSUPPORTED, {"weights"});
    refused(data, "svm", "layers=kernel_pca([rbf,linear],weights=gamkl)", DK_ERR_UNSUPPORTED, {"gamkl"});
    refused(data, "one_class_svm", "layers=anova_f(2)", DK_ERR_UNSUPPORTED, {"classes"});
    refused(data, "svm", "layers=kernel_pca(gram(0))", DK_ERR_UNSUPPORTED, {"gram"});
}

/// A row of each kind of scaling, worked out by hand.
TEST(ScaledRows, AreDividedBeforeColumnsAreLearned) {
    const std::vector<double> x{3, -4, 0, 0, 1, 1, -2, 2};
    const Data rows =
        create<Data>(dk_data_from_dense, x.data(), int64_t{4}, int64_t{2}, int64_t{2}, DK_ROW_MAJOR);
    label(rows, {1, 2, 1, 2});
    const auto scaled = [&](const std::string& how) {
        // Both columns are kept, and the features are what the machine is given.
        const Model model = train(rows, "svm", "kernel=linear layers=anova_f(2) " + how);
        return values_of<double>(8, dk_transform, model.get(), rows.get(), nullptr);
    };
    const double half = std::sqrt(0.5);
    const auto expect_near = [](const std::vector<double>& found, const std::vector<double>& expected) {
        for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
    };
    expect_near(scaled("scale_rows=l2"), {0.6, -0.8, 0, 0, half, half, -half, half});
    expect_near(scaled("scale_rows=l1"), {3.0 / 7, -4.0 / 7, 0, 0, 0.5, 0.5, -0.5, 0.5});
    expect_near(scaled("scale_rows=max"), {0.75, -1, 0, 0, 1, 1, -1, 1});
    expect_near(scaled("scale_rows=standard"), {1, -1, 0, 0, 0, 0, -1, 1});
    // Then the first column goes from -1 to 1, the second too.
    expect_near(scaled("scale_rows=standard scale=minmax"), {1, 0, 0.5, 0.5, 0.5, 0.5, 0, 1});
    expect_near(scaled("scale=symmetric"), {1, -1, -0.2, 1.0 / 3, 0.2, 2.0 / 3, -1, 1});
}

TEST(ScaledRows, OfSparseDataAreThoseOfDenseData) {
    const Problem problem = make_problem(40, 6, 2, 1.0, 82);
    const Data full = dense(problem);
    const Data thin = sparse(problem);
    for (const std::string how : {"l2", "l1", "max"}) {
        const Model one = train(full, "svm", "kernel=linear scale_rows=" + how);
        const Model other = train(thin, "svm", "kernel=linear scale_rows=" + how);
        const auto expected = decisions(one, full);
        const auto found = decisions(other, thin);
        for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << how;
    }
    const Params params = parameters("svm", "scale_rows=standard");
    dk_model* none = nullptr;
    expect_failure([&] { return dk_train(&none, thin.get(), params.get(), nullptr); }, DK_ERR_UNSUPPORTED,
                   {"scale_rows=standard", "sparse"});
}

}  // namespace
}  // namespace dk_test::layers_test

// SPDX-License-Identifier: Apache-2.0
// dk_transform gives the codes, similarities or features that a model decides by.
#include <cmath>

#include "expectations.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::transform_test {
namespace {

class Transform : public testing::Test {
  protected:
    const Problem problem = make_problem(60, 4, 3, 2.0, 71);
    const Data data = dense(problem);

    std::vector<double> transformed(const Model& model, const Data& rows,
                                    dk_control* control = nullptr) const {
        return values_of<double>(dk_data_rows(rows.get()) * dk_model_transform_count(model.get()),
                                 dk_transform, model.get(), rows.get(), control);
    }
};

TEST_F(Transform, CodesReconstructRowsAndAreTheExplanationsButForTheirLength) {
    for (const char* machine : {"iskpl", "imkpl"}) {
        const Model model = train(data, machine, "kernel=rbf(gamma=0.2) prototypes=5");
        const auto prototypes = static_cast<std::size_t>(dk_model_prototype_count(model.get()));
        ASSERT_EQ(dk_model_transform_count(model.get()), dk_model_prototype_count(model.get()));
        const auto codes = transformed(model, data);
        const auto shares = explanations(model, data);
        const auto coefficients = values_of<double>(dk_model_prototype_count(model.get()) * 60,
                                                    dk_model_prototype_coefficients, model.get());
        for (std::size_t row = 0; row < 60; ++row) {
            double sum = 0;
            std::vector<double> parts;
            for (std::size_t p = 0; p < prototypes; ++p) {
                double mass = 0;
                for (std::size_t i = 0; i < 60; ++i) mass += coefficients[60 * p + i];
                parts.push_back(codes[prototypes * row + p] * mass);
                sum += parts.back();
                EXPECT_GE(codes[prototypes * row + p], 0);
            }
            ASSERT_GT(sum, 0);
            for (std::size_t p = 0; p < prototypes; ++p)
                EXPECT_NEAR(parts[p] / sum, shares[prototypes * row + p], 1e-12);
        }
    }
}

TEST_F(Transform, FeaturesHaveTheKernelAsTheirProduct) {
    const Model model = train(data, "svm", "kernel=lowrank(rbf(gamma=0.2), rank=60)");
    const auto count = static_cast<std::size_t>(dk_model_transform_count(model.get()));
    const auto features = transformed(model, data);
    const auto kernel = values_of<double>(3600, dk_gram, data.get(), nullptr, "rbf(gamma=0.2)", nullptr);
    for (std::size_t i = 0; i < 60; ++i) {
        for (std::size_t j = 0; j < 60; ++j) {
            double product = 0;
            for (std::size_t f = 0; f < count; ++f)
                product += features[count * i + f] * features[count * j + f];
            EXPECT_NEAR(product, kernel[60 * i + j], 1e-6) << "of full rank the approximation is the kernel";
        }
    }
    EXPECT_EQ(dk_model_transform_count(train(data, "elm", "hidden=34").get()), 34)
        << "of pairs of a sine and a cosine";
}

TEST_F(Transform, SuperSparseModelsGiveSimilaritiesWithTheirPrototypes) {
    const Model model = train(data, "super_sparse", "kernel=rbf(gamma=0.2) prototypes=6 max_iterations=10");
    ASSERT_EQ(dk_model_transform_count(model.get()), 6);
    const auto similarities = transformed(model, data);
    const auto points = values_of<double>(6 * 4, dk_model_prototype_coordinates, model.get());
    for (std::size_t row = 0; row < 60; ++row) {
        for (std::size_t p = 0; p < 6; ++p) {
            double square = 0;
            for (std::size_t j = 0; j < 4; ++j)
                square += std::pow(problem.x[4 * row + j] - points[4 * p + j], 2);
            EXPECT_NEAR(similarities[6 * row + p], std::exp(-0.2 * square), 1e-10);
        }
    }
}

TEST_F(Transform, ARowIsTheSameAloneForAnyThreadsAndAfterSaving) {
    for (const std::string settings :
         {"imkpl kernel=[rbf(gamma=0.2),laplacian(gamma=0.3)]", "iskpl kernel=rbf precision=single",
          "super_sparse prototypes=5", "elm hidden=40", "svm kernel=lowrank(rbf, rank=9)"}) {
        const std::size_t blank = settings.find(' ');
        const Model model = train(data, settings.substr(0, blank).c_str(), settings.substr(blank + 1));
        const auto expected = transformed(model, data);
        EXPECT_TRUE(same_bits(transformed(model, data, control_with(3).get()), expected)) << settings;
        const auto bytes = bytes_of(model.get());
        const Model again =
            create<Model>(dk_model_read, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
        EXPECT_TRUE(same_bits(transformed(again, data), expected)) << settings;
        const auto count = dk_model_transform_count(model.get());
        for (const int64_t row : {int64_t{0}, int64_t{7}, int64_t{59}}) {
            const Data alone = create<Data>(dk_data_from_dense, &problem.x[static_cast<std::size_t>(4 * row)],
                                            int64_t{1}, int64_t{4}, int64_t{4}, DK_ROW_MAJOR);
            const auto first = expected.begin() + static_cast<std::ptrdiff_t>(row * count);
            EXPECT_TRUE(same_bits(transformed(model, alone), std::vector<double>(first, first + count)))
                << settings << ", row " << row;
        }
    }
}

TEST_F(Transform, WorksOnStrings) {
    const Data texts = strings(30, 3);
    const Model model = train(texts, "iskpl", "kernel=spectrum(length=2) prototypes=4");
    EXPECT_EQ(transformed(model, texts).size(),
              30U * static_cast<std::size_t>(dk_model_transform_count(model.get())));
}

TEST_F(Transform, OtherModelsHaveNoFeatures) {
    const Model model = train(data, "svm");
    EXPECT_EQ(dk_model_transform_count(model.get()), 0);
    EXPECT_EQ(dk_model_transform_count(nullptr), -1);
    double out[60];
    expect_failure([&] { return dk_transform(out, 60, model.get(), data.get(), nullptr); },
                   DK_ERR_UNSUPPORTED, {"svm", "lowrank"});
    expect_failure([&] { return dk_transform(out, 0, model.get(), data.get(), nullptr); },
                   DK_ERR_UNSUPPORTED);
}

TEST_F(Transform, AsksForTheMemoryOfTheFeatures) {
    const Model model = train(data, "elm", "hidden=40");
    const Data many = dense(make_problem(20000, 4, 3, 2.0, 73));
    std::vector<double> out(20000 * 40);
    const Control control = control_with(1);
    check(dk_control_set_memory(control.get(), 4));
    expect_failure([&] { return dk_transform(out.data(), 800000, model.get(), many.get(), control.get()); },
                   DK_ERR_MEMORY_BUDGET, {"7 MB"});
    check(dk_control_set_memory(control.get(), 64));
    check(dk_transform(out.data(), 800000, model.get(), many.get(), control.get()));
}

TEST_F(Transform, BadArguments) {
    const Model model = train(data, "elm", "hidden=4");
    std::vector<double> out(240);
    const auto refused = [&](double* o, int64_t length, const dk_model* m, const dk_data* d, dk_status status,
                             const Words& words) {
        expect_failure([&] { return dk_transform(o, length, m, d, nullptr); }, status, words);
    };
    refused(out.data(), 240, nullptr, data.get(), DK_ERR_INVALID_ARGUMENT, {"model"});
    refused(out.data(), 240, model.get(), nullptr, DK_ERR_INVALID_ARGUMENT, {"data"});
    refused(nullptr, 240, model.get(), data.get(), DK_ERR_INVALID_ARGUMENT, {"out"});
    refused(out.data(), 239, model.get(), data.get(), DK_ERR_INVALID_ARGUMENT, {"239", "240"});
    refused(out.data(), 240, model.get(), dense(make_problem(60, 5, 3, 2.0, 72)).get(), DK_ERR_DIMENSION,
            {"5", "4"});
    const Control control = control_with(1);
    check(dk_control_cancel(control.get()));
    expect_failure([&] { return dk_transform(out.data(), 240, model.get(), data.get(), control.get()); },
                   DK_ERR_CANCELLED);
}

}  // namespace
}  // namespace dk_test::transform_test

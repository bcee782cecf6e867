// SPDX-License-Identifier: Apache-2.0
// One number of a model file is so large that what is computed of it overflows, while the file itself holds
// finite numbers alone: every question is answered by finite numbers, or by an error, and soon.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"
#include "model_bytes.hpp"

namespace dk_test::overflowing_models_test {
namespace {

struct Overflowing {
    std::string name, machine, settings;

    friend void PrintTo(const Overflowing& one, std::ostream* out) { *out << one.name; }
};

/// The places of numbers of usual size among the blocks of a model, some of them where there are many.
std::vector<std::size_t> places_of_numbers(const Bytes& bytes) {
    constexpr std::size_t most = 40;
    std::vector<std::size_t> places;
    for (std::size_t at = description_at + number_at(bytes, payload_at, 8); at + 8 <= bytes.size(); at += 8) {
        const double size = std::abs(std::bit_cast<double>(number_at(bytes, at, 8)));
        if (size > 1e-6 && size < 1e6) places.push_back(at);
    }
    std::vector<std::size_t> some;
    const std::size_t step = places.size() / most + 1;
    for (std::size_t k = 0; k < places.size(); k += step) some.push_back(places[k]);
    return some;
}

class OverflowingModel : public testing::TestWithParam<Overflowing> {
  protected:
    static constexpr int64_t rows = 16;
    const Data data = make_data();
    const Bytes bytes = bytes_of(train(data, GetParam().machine.c_str(), GetParam().settings).get());
    const TemporaryDirectory directory;

    static Data make_data() {
        const Problem problem = make_problem(rows, 2, 2, 3.0, 9);
        Data made = dense(problem);
        check(dk_data_set_targets(made.get(), problem.x.data(), rows));
        return made;
    }

    template <typename Function>
    void ask(const char* name, int64_t width, const Model& model, Function function) const {
        if (width < 1) return;
        std::vector<double> values(static_cast<std::size_t>(rows * width), 0.0);
        const dk_status status = function(values.data(), rows * width, model.get(), data.get(), nullptr);
        EXPECT_NE(status, DK_ERR_INTERNAL) << name << ": " << dk_last_error();
        if (status == DK_OK) {
            EXPECT_TRUE(all_finite(values)) << name;
        }
    }

    void ask_everything(const Model& model) const {
        const dk_model* m = model.get();
        ask("predict", 1, model, dk_predict);
        ask("decision", dk_model_decision_count(m), model, dk_decision);
        ask("probability", dk_model_class_count(m), model, dk_probability);
        ask("explain", dk_model_prototype_count(m), model, dk_explain);
        ask("transform", dk_model_transform_count(m), model, dk_transform);
        ask("reconstruct", dk_model_feature_count(m), model, dk_reconstruct);
        for (const char* metric : {"accuracy", "auc", "eer", "nauc", "mae", "rmse", "r2"}) {
            double value = 0;
            const dk_status status = dk_score(&value, m, data.get(), metric, nullptr);
            EXPECT_TRUE(status != DK_OK || std::isfinite(value)) << metric << " is " << value;
        }
        const std::string page = directory.path("page.html");
        EXPECT_NE(dk_report(page.c_str(), &m, 1, data.get(), data.get(), nullptr, nullptr), DK_ERR_INTERNAL)
            << dk_last_error();
    }
};

TEST_P(OverflowingModel, AnswersByFiniteNumbersOrAnError) {
    const auto places = places_of_numbers(bytes);
    ASSERT_FALSE(places.empty());
    for (const std::size_t at : places) {
        Bytes changed = bytes;
        put(changed, at, std::bit_cast<uint64_t>(1e300), 8);
        const Bytes file = sealed(changed);
        dk_model* out = nullptr;
        const dk_status status = dk_model_read(&out, file.data(), static_cast<int64_t>(file.size()), nullptr);
        const Model model(out);
        ASSERT_TRUE(status == DK_OK || status == DK_ERR_MODEL_FORMAT) << dk_last_error();
        if (model) ask_everything(model);
        if (HasFailure()) FAIL() << "the number at byte " << at;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Models, OverflowingModel,
    testing::Values(Overflowing{"svm", "svm", "kernel=rbf(gamma=1)"},
                    Overflowing{"linear", "svm", "kernel=linear scale=standard"},
                    Overflowing{"ridge", "kernel_ridge", "kernel=rbf(gamma=1)"},
                    Overflowing{"codes", "iskpl", "kernel=rbf(gamma=1) prototypes=2"},
                    Overflowing{"selection", "prototype_selection", "kernel=rbf(gamma=1)"},
                    Overflowing{"reconstruction", "mkldpl", "kernel=rbf(gamma=1) atoms=2"},
                    Overflowing{"free", "super_sparse", "kernel=rbf(gamma=1) prototypes=3 max_iterations=3"},
                    Overflowing{"clusters", "kernel_k_means", "kernel=rbf(gamma=1) clusters=2"},
                    Overflowing{"components", "kernel_pca", "kernel=rbf(gamma=1) components=2"},
                    Overflowing{"neighbours", "nearest_neighbours", "kernel=rbf(gamma=1)"}),
    [](const auto& information) { return information.param.name; });

}  // namespace
}  // namespace dk_test::overflowing_models_test

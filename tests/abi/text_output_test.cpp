// SPDX-License-Identifier: Apache-2.0
// These tests check the buffer protocol of every function that writes text or bytes: ask for the size, the
// exact size, one byte too few.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::text_output_test {
namespace {

using Output = std::function<dk_status(char*, int64_t, int64_t*)>;

class TextOutput : public testing::Test {
  protected:
    Data data = dense(make_problem(8, 2, 2, 3.0, 1));
    Params params = parameters("svm");
    Model model = train(data, "svm");
    const std::vector<std::pair<const char*, Output>> texts{
        {"describe", [](char* o, int64_t c, int64_t* n) { return dk_describe(o, c, n); }},
        {"feature",
         [this](char* o, int64_t c, int64_t* n) { return dk_data_feature_name(o, c, n, data.get(), 1); }},
        {"get",
         [this](char* o, int64_t c, int64_t* n) { return dk_params_get(o, c, n, params.get(), "kernel"); }},
        {"info", [this](char* o, int64_t c, int64_t* n) { return dk_model_info(o, c, n, model.get()); }},
        {"class",
         [this](char* o, int64_t c, int64_t* n) { return dk_model_class_name(o, c, n, model.get(), 0); }},
        {"kernel",
         [this](char* o, int64_t c, int64_t* n) { return dk_model_kernel_name(o, c, n, model.get(), 0); }}};
    const Output bytes = [this](char* o, int64_t c, int64_t* n) {
        return dk_model_write(o, c, n, model.get());
    };

    std::vector<std::pair<const char*, Output>> all() const {
        auto outputs = texts;
        outputs.emplace_back("write", bytes);
        return outputs;
    }

    static int64_t needed_by(const Output& output) {
        int64_t needed = -1;
        EXPECT_EQ(output(nullptr, 0, &needed), DK_OK) << "asking is no failure: " << dk_last_error();
        return needed;
    }
};

constexpr char untouched = '\x5a';

TEST_F(TextOutput, ExactSizeIsFilledAndNothingBehindIt) {
    for (const auto& [name, output] : all()) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, name);
        const int64_t size = needed_by(output);
        ASSERT_GT(size, 1);
        for (const int64_t capacity : {size, size + 100}) {
            std::vector<char> buffer(static_cast<std::size_t>(size) + 200, untouched);
            int64_t needed = -1;
            EXPECT_EQ(output(buffer.data(), capacity, &needed), DK_OK) << dk_last_error();
            EXPECT_EQ(needed, size);
            EXPECT_TRUE(
                std::all_of(buffer.begin() + size, buffer.end(), [](char c) { return c == untouched; }));
        }
    }
}

TEST_F(TextOutput, TextsEndWithOneZero) {
    for (const auto& [name, output] : texts) {
        const int64_t size = needed_by(output);
        std::vector<char> buffer(static_cast<std::size_t>(size), untouched);
        int64_t needed = -1;
        check(output(buffer.data(), size, &needed));
        EXPECT_EQ(std::strlen(buffer.data()) + 1, buffer.size()) << name;
    }
}

TEST_F(TextOutput, OneByteTooFewWritesNothing) {
    for (const auto& named : all()) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, named.first);
        const auto& output = named.second;
        const int64_t size = needed_by(output);
        for (const int64_t capacity : {size - 1, int64_t{1}, int64_t{0}}) {
            std::vector<char> buffer(static_cast<std::size_t>(size), untouched);
            int64_t needed = -1;
            expect_failure([&] { return output(buffer.data(), capacity, &needed); }, DK_ERR_BUFFER_TOO_SMALL,
                           {std::to_string(capacity), std::to_string(size)});
            EXPECT_EQ(needed, size);
            EXPECT_TRUE(std::all_of(buffer.begin(), buffer.end(), [](char c) { return c == untouched; }));
        }
    }
}

TEST_F(TextOutput, BadPointersAndCapacities) {
    for (const auto& named : all()) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, named.first);
        const auto& output = named.second;
        std::vector<char> buffer(static_cast<std::size_t>(needed_by(output)), untouched);
        int64_t needed = -1;
        for (const int64_t capacity : {int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
            expect_failure([&] { return output(buffer.data(), capacity, &needed); }, DK_ERR_INVALID_ARGUMENT,
                           {"capacity", std::to_string(capacity)});
            expect_failure([&] { return output(nullptr, capacity, &needed); }, DK_ERR_INVALID_ARGUMENT);
        }
        expect_failure([&] { return output(nullptr, 10, &needed); }, DK_ERR_INVALID_ARGUMENT, {"out"});
        expect_failure([&] { return output(buffer.data(), 10, nullptr); }, DK_ERR_INVALID_ARGUMENT,
                       {"needed"});
        expect_failure([&] { return output(nullptr, 0, nullptr); }, DK_ERR_INVALID_ARGUMENT, {"needed"});
        EXPECT_TRUE(std::all_of(buffer.begin(), buffer.end(), [](char c) { return c == untouched; }));
    }
}

TEST_F(TextOutput, DescriptionNamesWhatThereIs) {
    const auto description = nlohmann::json::parse(text_of(dk_describe));
    EXPECT_EQ(description.at("libdk"), dk_version_string());
    const auto names = [&](const char* list) {
        std::vector<std::string> found;
        for (const auto& entry : description.at(list)) {
            found.push_back(entry.at("name"));
            EXPECT_FALSE(entry.at("doc").get<std::string>().empty()) << found.back();
        }
        return found;
    };
    const auto expect_named = [&](const char* list, const std::vector<std::string>& expected) {
        const auto found = names(list);
        for (const std::string& name : expected) {
            EXPECT_NE(std::find(found.begin(), found.end(), name), found.end()) << name << " in " << list;
        }
    };
    expect_named("machines", {"svm", "fisher", "mean_of_class"});
    expect_named("kernels", {"linear", "poly", "rbf", "laplacian", "sigmoid", "arccos", "gram"});
    expect_named("weights", {"uniform", "fixed", "dimkl1", "dimkl2", "dimkl3", "dimkl4", "dimkl5"});
    expect_named("metrics", {"accuracy", "precision", "recall", "f1", "auc", "mae"});
    expect_named("common",
                 {"kernel", "weights", "scale", "precision", "memory_mb", "seed", "folds", "repeats"});
}

TEST_F(TextOutput, EveryMachineAndMetricDescribedExists) {
    const auto description = nlohmann::json::parse(text_of(dk_describe));
    for (const auto& machine : description.at("machines")) {
        EXPECT_NE(parameters(machine.at("name").get<std::string>().c_str()), nullptr);
        EXPECT_TRUE(machine.at("prototypes").get<std::string>().ends_with('.')) << machine.at("name");
    }
    for (const auto& metric : description.at("metrics")) {
        double score = 0.0;
        const auto name = metric.at("name").get<std::string>();
        const auto of = metric.at("of").get<std::vector<std::string>>();
        const bool of_classes = std::ranges::find(of, "classes") != of.end();
        EXPECT_EQ(of_classes, name != "rmse" && name != "r2" && name != "pinball" && name != "micro_f1" &&
                                  name != "hamming_loss" && name != "jaccard" && name != "label_ranking");
        const bool unsupported = !of_classes || metric.at("needs_probabilities").get<bool>();
        EXPECT_EQ(dk_score(&score, model.get(), data.get(), name.c_str(), nullptr),
                  unsupported ? DK_ERR_UNSUPPORTED : DK_OK)
            << name << dk_last_error();
    }
}

TEST_F(TextOutput, ModelInfoAgreesWithTheCounts) {
    const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
    EXPECT_EQ(info.at("libdk"), dk_version_string());
    EXPECT_EQ(info.at("machine"), "svm");
    EXPECT_EQ(info.at("features"), dk_model_feature_count(model.get()));
    EXPECT_EQ(info.at("training_rows"), dk_model_training_rows(model.get()));
    EXPECT_EQ(info.at("decisions"), dk_model_decision_count(model.get()));
    EXPECT_EQ(info.at("prototypes").at("count"), dk_model_prototype_count(model.get()));
    EXPECT_EQ(info.at("prototypes").at("neighbours"), dk_model_prototype_neighbours(model.get()));
    EXPECT_EQ(info.at("classes"), (std::vector<std::string>{"-2", "3"}));
    ASSERT_EQ(static_cast<int64_t>(info.at("kernels").size()), dk_model_kernel_count(model.get()));
    EXPECT_EQ(info.at("kernels").at(0).at("kernel"), text_of(dk_model_kernel_name, model.get(), int64_t{0}));
    EXPECT_EQ(info.at("parameters").at("C"), "1");
    const auto& function = info.at("training").at("functions").at(0);
    EXPECT_EQ(function.at("positive"), "3");
    EXPECT_EQ(function.at("negative"), "-2");
    EXPECT_TRUE(function.at("converged").get<bool>());
    EXPECT_FALSE(info.contains("cross_validation"));
}

TEST_F(TextOutput, CrossValidationReportsEveryFold) {
    const Data more = dense(make_problem(40, 2, 2, 3.0, 1));
    const Model validated =
        create<Model>(dk_cross_validate, more.get(), parameters("svm", "folds=4 repeats=3").get(), nullptr);
    const auto info = nlohmann::json::parse(text_of(dk_model_info, validated.get()));
    const auto& report = info.at("cross_validation");
    EXPECT_EQ(report.at("folds"), 4);
    EXPECT_EQ(report.at("repeats"), 3);
    const auto& accuracy = report.at("metrics").at("accuracy");
    ASSERT_EQ(accuracy.at("folds").size(), 12U);
    double sum = 0.0;
    for (const auto& fold : accuracy.at("folds")) sum += fold.get<double>();
    EXPECT_NEAR(accuracy.at("mean").get<double>(), sum / 12.0, 1e-12);
    EXPECT_TRUE(same_bits(decisions(validated, more), decisions(train(more, "svm"), more)))
        << "the model is that of all rows";
}

}  // namespace
}  // namespace dk_test::text_output_test

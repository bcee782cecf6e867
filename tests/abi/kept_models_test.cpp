// SPDX-License-Identifier: Apache-2.0
// These tests expect that models that earlier versions wrote are read and decide as they did then.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "handles.hpp"

namespace dk_test::kept_models_test {
namespace {

const std::filesystem::path folder = std::filesystem::path(DK_ABI_TEST_DIR) / ".." / "data" / "models";

/// This is a line of models.tsv.
struct KeptModel {
    std::string name, machine, rows, parameters;

    friend void PrintTo(const KeptModel& one, std::ostream* out) { *out << one.name; }
};

std::vector<KeptModel> kept_models() {
    std::ifstream table(folder / "models.tsv");
    std::vector<KeptModel> models;
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::istringstream fields(line);
        KeptModel one;
        std::getline(fields, one.name, '\t');
        std::getline(fields, one.machine, '\t');
        std::getline(fields, one.rows, '\t');
        std::getline(fields, one.parameters);
        models.push_back(one);
    }
    return models;
}

std::vector<double> numbers_of(const std::string& line) {
    std::istringstream words(line);
    std::vector<double> numbers;
    for (double number = 0; words >> number;) numbers.push_back(number);
    return numbers;
}

/// Decisions are what a model decided when it was written.
struct Decisions {
    std::vector<double> sizes;  // the sum of the absolute coefficients of each function
    std::vector<double> values;
};

Decisions decisions_then(const std::string& name) {
    std::ifstream file(folder / (name + ".decisions"));
    std::string line;
    std::getline(file, line);
    Decisions decisions{numbers_of(line), {}};
    while (std::getline(file, line)) {
        for (const double value : numbers_of(line)) decisions.values.push_back(value);
    }
    return decisions;
}

class KeptModels : public testing::TestWithParam<KeptModel> {};

TEST_P(KeptModels, DecideAsTheyDidWhenTheyWereWritten) {
    const KeptModel& kept = GetParam();
    const Model model =
        create<Model>(dk_model_load, (folder / (kept.name + ".model")).string().c_str(), nullptr);
    const char* options = kept.rows == "strings.csv" ? "format=strings" : nullptr;
    const Data rows = create<Data>(dk_data_from_file_like, (folder / kept.rows).string().c_str(), options,
                                   model.get(), nullptr);
    const Decisions then = decisions_then(kept.name);
    const int64_t functions = dk_model_decision_count(model.get());
    ASSERT_EQ(static_cast<int64_t>(then.sizes.size()), functions);
    const int64_t count = functions * dk_data_rows(rows.get());
    ASSERT_EQ(static_cast<int64_t>(then.values.size()), count);
    const auto now = values_of<double>(count, dk_decision, model.get(), rows.get(), nullptr);
    const bool single = kept.parameters.find("precision=single") != std::string::npos;
    const double accuracy = single ? 1e-5 : 1e-12;
    for (std::size_t e = 0; e < now.size(); ++e) {
        const double size = then.sizes[e % then.sizes.size()];
        EXPECT_NEAR(now[e], then.values[e], accuracy * size) << "decision " << e;
    }
}

TEST_P(KeptModels, TellOfTheirTrainingAndKeepItWhenTheyAreWrittenAnew) {
    const KeptModel& kept = GetParam();
    const Model model =
        create<Model>(dk_model_load, (folder / (kept.name + ".model")).string().c_str(), nullptr);
    const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
    EXPECT_EQ(info.at("machine"), kept.machine);
    EXPECT_TRUE(info.at("training").is_object());
    const auto bytes = bytes_of(model.get());
    const Model again =
        create<Model>(dk_model_read, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_EQ(text_of(dk_model_info, again.get()), text_of(dk_model_info, model.get()));
    EXPECT_EQ(bytes_of(again.get()), bytes);
}

INSTANTIATE_TEST_SUITE_P(Written, KeptModels, testing::ValuesIn(kept_models()),
                         [](const auto& information) { return information.param.name; });

}  // namespace
}  // namespace dk_test::kept_models_test

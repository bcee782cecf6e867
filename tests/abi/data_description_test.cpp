// SPDX-License-Identifier: Apache-2.0
// These tests look at what dk_data_describe says of small data whose facts are known by hand, and at names of
// rows from the data to explanations and pages.
#include <nlohmann/json.hpp>

#include "expectations.hpp"
#include "files.hpp"

namespace dk_test::data_description_test {
namespace {

using nlohmann::json;

json description_of(const Data& data) {
    return json::parse(text_of(dk_data_describe, data.get(), nullptr));
}

bool warns(const json& description, const std::string& words) {
    return std::ranges::any_of(description.at("warnings"), [&](const json& sentence) {
        return sentence.get<std::string>().find(words) != std::string::npos;
    });
}

class DataDescription : public testing::Test {
  protected:
    Data read(const std::string& content, const char* options = nullptr) const {
        const std::string path = directory.write("data.csv", content);
        return create<Data>(dk_data_from_file, path.c_str(), options, nullptr);
    }

    TemporaryDirectory directory;
};

TEST_F(DataDescription, FactsOfColumnsByHand) {
    const json told = description_of(
        read("height,colour,same,class\n1,red,5,a\n2,green,5,b\n?,red,5,a\n6,red,5,b\n", "missing=keep"));
    EXPECT_EQ(told.at("rows"), 4);
    EXPECT_EQ(told.at("kind"), "dense");
    EXPECT_EQ(told.at("answers").at("classes"),
              json::parse(R"([{"name": "a", "rows": 2}, {"name": "b", "rows": 2}])"));
    const json& height = told.at("columns").at(0);
    EXPECT_EQ(height.at("name"), "height");
    EXPECT_EQ(height.at("kind"), "integers");
    EXPECT_EQ(height.at("missing"), 1);
    EXPECT_EQ(height.at("distinct"), 3);
    EXPECT_EQ(height.at("least"), 1);
    EXPECT_EQ(height.at("mean"), 3);
    EXPECT_EQ(height.at("largest"), 6);
    EXPECT_NEAR(height.at("deviation").get<double>(), std::sqrt(14.0 / 3), 1e-12);  // 4, 1 and 9 in the mean
    const json& colour = told.at("columns").at(1);
    EXPECT_EQ(colour.at("kind"), "texts");
    EXPECT_EQ(colour.at("levels"),
              json::parse(R"([{"name": "red", "rows": 3}, {"name": "green", "rows": 1}])"));
    EXPECT_EQ(told.at("columns").at(2).at("kind"), "constant");
    EXPECT_TRUE(warns(told, "same value in same"));
    EXPECT_TRUE(warns(told, "a (2), b (2)"));
}

TEST_F(DataDescription, TargetsByHand) {
    const json told = description_of(read("x,y\n1,0.5\n2,1.5\n3,4\n"));
    const json& targets = told.at("answers").at("targets");
    EXPECT_EQ(targets.at("least"), 0.5);
    EXPECT_EQ(targets.at("mean"), 2);
    EXPECT_EQ(targets.at("largest"), 4);
    EXPECT_FALSE(told.at("answers").contains("classes"));
}

/// Twenty-four rows of two classes; `sorted` is below 12 in the first class and above in the other.
std::string sorted_rows() {
    std::string content = "sorted,noise,twin,wide,class\n";
    for (int i = 0; i < 24; ++i) {
        const int noise = (7 * i) % 24;
        content += std::to_string(i) + "," + std::to_string(noise) + "," + std::to_string(noise) + "," +
                   std::to_string(1000 * ((5 * i) % 24)) + "," + (i < 12 ? "low" : "high") + "\n";
    }
    return content;
}

TEST_F(DataDescription, WhatLooksWrongIsTold) {
    const json told = description_of(read(sorted_rows()));
    EXPECT_TRUE(warns(told, "A single column tells the class: sorted;")) << told.at("warnings");
    EXPECT_TRUE(warns(told, "twin (as noise)"));
    EXPECT_TRUE(warns(told, "wide spreads by"));
    EXPECT_FALSE(warns(told, "the copy of an earlier one"));
    EXPECT_FALSE(warns(told, "same value"));
    EXPECT_FALSE(warns(told, "fewer than 5 rows"));
}

TEST_F(DataDescription, CopiesOfRowsAreCounted) {
    const json told = description_of(read("x,z,class\n1,2,a\n1,2,a\n1,2,b\n3,4,b\n"));
    EXPECT_TRUE(warns(told, "2 rows are the copy of an earlier one")) << told.at("warnings");
    EXPECT_TRUE(warns(told, "1 of them have another class"));
}

TEST_F(DataDescription, SparseRowsHaveTheFactsOfDenseOnes) {
    const Problem problem{4, 3, {0, 2, 0, 1, 0, 0, 3, 0, 5, 0, 0, 0}, {0, 1, 0, 1}};
    const json of_dense = description_of(dense(problem));
    const json of_sparse = description_of(compressed(problem));
    EXPECT_EQ(of_sparse.at("columns"), of_dense.at("columns"));
    EXPECT_EQ(of_sparse.at("warnings"), of_dense.at("warnings"));
}

TEST_F(DataDescription, ModelsTellHowTheirFileWasRead) {
    std::string content = "Id;length;Species\n";
    for (int i = 0; i < 30; ++i)
        content += std::to_string(i + 1) + ";" + std::to_string((i * 7) % 10) + ",5;" +
                   ((i * 7) % 10 < 5 ? "small" : "large") + "\n";
    const Data data = read(content, "label=Species");
    const Model model = train(data, "svm", "");
    const json info = json::parse(text_of(dk_model_info, model.get()));
    const std::string understood = info.at("understood").dump();
    EXPECT_NE(understood.find("The label is in column Species."), std::string::npos) << understood;
    EXPECT_NE(understood.find("Left out: Id;"), std::string::npos) << understood;
    EXPECT_NE(understood.find("Numbers have a comma before the decimals."), std::string::npos) << understood;
    EXPECT_EQ(description_of(data).at("understood"), info.at("understood"));
}

TEST_F(DataDescription, NamesOfRowsAreAColumnAndNoFeature) {
    std::string content = "patient,x,class\n";
    for (int i = 0; i < 12; ++i)
        content +=
            "P" + std::to_string(i) + "," + std::to_string(i % 4) + "," + (i % 4 < 2 ? "a" : "b") + "\n";
    const Data data = read(content, "id=patient");
    EXPECT_EQ(dk_data_cols(data.get()), 1);
    EXPECT_EQ(text_of(dk_data_row_name, data.get(), int64_t{3}), "P3");
    const Model model = train(data, "svm", "");
    const auto read_like = [&](const std::string& rows) {
        const std::string path = directory.write("new.csv", rows);
        return create<Data>(dk_data_from_file_like, path.c_str(), nullptr, model.get(), nullptr);
    };
    const Data named = read_like("x,patient\n3,Q7\n0,Q8\n");
    EXPECT_EQ(text_of(dk_data_row_name, named.get(), int64_t{1}), "Q8");
    const Data unnamed = read_like("x\n3\n0\n");
    EXPECT_EQ(text_of(dk_data_row_name, unnamed.get(), int64_t{0}), "");
    EXPECT_EQ(values_of<double>(2, dk_predict, model.get(), named.get(), nullptr),
              values_of<double>(2, dk_predict, model.get(), unnamed.get(), nullptr));
}

TEST(RowNames, GoWithTheirRows) {
    const Data data = dense(make_problem(3, 2, 2, 1.0, 4));
    EXPECT_EQ(text_of(dk_data_row_name, data.get(), int64_t{0}), "");
    const std::vector<const char*> names{"Ada", "Blaise", "Carl"};
    check(dk_data_set_row_names(data.get(), names.data(), 3));
    const std::vector<int64_t> chosen{2, 0};
    const Data some = create<Data>(dk_data_select, data.get(), chosen.data(), 2);
    EXPECT_EQ(text_of(dk_data_row_name, some.get(), int64_t{0}), "Carl");
    EXPECT_EQ(text_of(dk_data_row_name, some.get(), int64_t{1}), "Ada");
}

TEST(RowNames, StandInExplanations) {
    const Data data = dense(make_problem(20, 2, 2, 1.0, 4));
    std::vector<std::string> texts;
    for (int i = 0; i < 20; ++i) texts.push_back("patient " + std::to_string(100 + i));
    std::vector<const char*> names;
    for (const std::string& one : texts) names.push_back(one.c_str());
    check(dk_data_set_row_names(data.get(), names.data(), 20));
    const Model model = train(data, "svm", "scale=standard");
    const json told =
        json::parse(text_of(dk_explain_row, model.get(), data.get(), int64_t{7}, data.get(), nullptr));
    EXPECT_EQ(told.at("name"), "patient 107");
    for (const json& pull : told.at("training_rows").at("pulls"))
        EXPECT_EQ(pull.at("name"), texts[pull.at("row").get<std::size_t>()]);
}

TEST(RowNames, WrongOnesAreRefused) {
    const Data data = dense(make_problem(3, 2, 2, 1.0, 4));
    const std::vector<const char*> names{"Ada", "", "Carl"};
    EXPECT_EQ(dk_data_set_row_names(data.get(), names.data(), 3), DK_ERR_INVALID_DATA);
    EXPECT_EQ(dk_data_set_row_names(data.get(), names.data(), 2), DK_ERR_INVALID_ARGUMENT);
    EXPECT_EQ(dk_data_set_row_names(data.get(), nullptr, 3), DK_ERR_INVALID_ARGUMENT);
    EXPECT_EQ(dk_data_set_row_names(nullptr, names.data(), 3), DK_ERR_INVALID_ARGUMENT);
    int64_t needed = 0;
    EXPECT_EQ(dk_data_row_name(nullptr, 0, &needed, data.get(), 3), DK_ERR_INVALID_ARGUMENT);
    EXPECT_EQ(dk_data_row_name(nullptr, 0, &needed, data.get(), -1), DK_ERR_INVALID_ARGUMENT);
    EXPECT_EQ(dk_data_describe(nullptr, 0, &needed, nullptr, nullptr), DK_ERR_INVALID_ARGUMENT);
    EXPECT_EQ(dk_data_describe(nullptr, 0, nullptr, data.get(), nullptr), DK_ERR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace dk_test::data_description_test

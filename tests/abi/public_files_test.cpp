// SPDX-License-Identifier: Apache-2.0
// Public files that people begin with, a few rows of each in its format: they are read without an option, or
// with those that the error names.
#include <cmath>

#include "answers.hpp"
#include "read_files.hpp"

namespace dk_test::public_files_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Labels = std::vector<int64_t>;

class PublicFiles : public ReadFiles {
  protected:
    static std::string number(int value) { return std::to_string(value); }
};

TEST_F(PublicFiles, HorseColicHasBlanksAndQuestionMarks) {
    // A hospital number, a pulse of which every fourth lacks, a code with zeros before it, and the outcome.
    std::string content;
    for (int row = 0; row < 20; ++row) {
        content += number(1 + row % 4) + "   53" + number(1000 + row) + " 38.50 " +
                   (row % 4 == 0 ? "?" : number(60 + row)) + " 0" + number(row % 3) + "200  " +
                   number(1 + row / 7) + " \n";
    }
    expect_refused_as("horse-colic.data", content, nullptr, {"line 1", "field 4", "5 rows", "missing=keep"});
    const Data data = read_named("horse-colic.data", content, "missing=keep");
    EXPECT_EQ(dk_data_rows(data.get()), 20);
    EXPECT_EQ(labels_of(data)[19], 3);
    const Numbers read_values = values(data);
    EXPECT_TRUE(std::isnan(read_values[3]));
    EXPECT_EQ(Numbers(read_values.begin() + 5, read_values.begin() + 10),
              (Numbers{2, 531001, 38.5, 61, 1200}));
}

TEST_F(PublicFiles, AdultHasTextsAndTheLabelLast) {
    std::string content;
    for (int row = 0; row < 12; ++row) {
        content += number(20 + row) + ", " + (row % 3 == 0 ? "State-gov" : "Private") + ", " +
                   number(70000 + row) + ", " + (row % 2 == 0 ? "Male" : "Female") + ", " +
                   (row % 4 < 2 ? "<=50K" : ">50K") + "\n";
    }
    const Data data = read_named("adult.data", content + "\n");
    EXPECT_EQ(names(data), (Names{"f1", "f2=Private", "f2=State-gov", "f3", "f4=Female", "f4=Male"}));
    EXPECT_EQ(labels_of(data), (Labels{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
    const Model model = train(data, "svm", "kernel=linear");
    const Data more =
        read_named_like(model, "adult.new", "50, Private, 1, Female\n51, Never-worked, 2, Male\n");
    EXPECT_EQ(values(more), (Numbers{50, 1, 0, 1, 1, 0, 51, 0, 0, 2, 0, 1}));
    expect_refused_as("adult.data", content + "40, ?, 7, Male, >50K\n", nullptr,
                      {"line 13", "field 2", "missing=keep"});
}

TEST_F(PublicFiles, AirQualityHasDecimalCommasAndDelimitersAtTheEnd) {
    std::string content = "Date;Time;CO(GT);NOx;T;;\r\n";
    for (int row = 0; row < 5; ++row)
        content += "10/03/2004;1" + number(row) + ".00.00;" + number(row) + ",6;" +
                   (row == 2 ? "-200" : "166") + ";13,6;;\r\n";
    content += ";;;;;;\r\n;;;;;;\r\n";
    expect_refused_as("AirQualityUCI.csv", content, nullptr, {"Date", "ignore=Date", "month"});
    const Data data = read_named("AirQualityUCI.csv", content, "ignore=Date,Time missing=keep,-200");
    EXPECT_EQ(names(data), (Names{"CO(GT)", "NOx", "T"}));
    const Numbers read_values = values(data);
    ASSERT_EQ(read_values.size(), 15U);
    EXPECT_EQ(Numbers(read_values.begin() + 9, read_values.end()), (Numbers{3.6, 166, 13.6, 4.6, 166, 13.6}));
    EXPECT_TRUE(std::isnan(read_values[7]));
}

TEST_F(PublicFiles, WineQualityHasSemicolonsAndQuotedNames) {
    std::string content = "\"fixed acidity\";\"pH\";\"quality\"\n";
    for (int row = 0; row < 10; ++row) content += "7." + number(row) + ";3.51;" + number(5 + row % 2) + "\n";
    const Data data = read_named("winequality-red.csv", content, "label=quality");
    EXPECT_EQ(names(data), (Names{"fixed acidity", "pH"}));
    EXPECT_EQ(labels_of(data), (Labels{5, 6, 5, 6, 5, 6, 5, 6, 5, 6}));
    const Params params = create<Params>(dk_params_create, "svm");
    const Data unlabelled = read_named("winequality-red.csv", content);
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, unlabelled.get(), params.get(), nullptr); },
        DK_ERR_INVALID_DATA, {"label=", "quality"});
}

TEST_F(PublicFiles, EcoliHasNamesOfRowsAndSeveralBlanks) {
    std::string content;
    for (int row = 0; row < 24; ++row) {
        content += (row % 2 == 0 ? "AAT" : "ACEKX") + number(row) + "_ECOLI   0.49  0." + number(10 + row) +
                   "  0.48   " + (row % 3 == 0 ? "cp" : "imU") + "\n";
    }
    const Data data = read_named("ecoli.data", content);
    ASSERT_EQ(dk_data_cols(data.get()), 3);
    EXPECT_EQ(values(data)[1], 0.10);
    EXPECT_EQ(labels_of(data)[0], 0);
    EXPECT_EQ(labels_of(data)[1], 1);
    const Model model = train(data, "svm", "kernel=linear");
    EXPECT_EQ(values(read_named_like(model, "more.data", "XYZ_ECOLI  0.1 0.2  0.3 cp\n")),
              (Numbers{0.1, 0.2, 0.3}));
    EXPECT_EQ(values(read_named_like(model, "more.data", "0.1 0.2  0.3\n")), (Numbers{0.1, 0.2, 0.3}));
}

TEST_F(PublicFiles, TitanicHasNamesWithCommasAndMissingAges) {
    std::string content = "PassengerId,Survived,Pclass,Name,Sex,Age,Cabin\n";
    for (int row = 0; row < 22; ++row) {
        content += number(row + 1) + "," + number(row % 2) + "," + number(1 + row % 3) + ",\"Doe, Mr. " +
                   number(row) + " (\"\"Jack\"\")\"," + (row % 2 == 0 ? "male" : "female") + "," +
                   (row % 5 == 1 ? "" : number(20 + row)) + "," + (row % 4 == 0 ? "C85" : "") + "\n";
    }
    expect_refused_as("train.csv", content, nullptr,
                      {"Name", "Age", "Cabin", "ignore=Name missing=keep", "label=", "Survived"});
    const Data data = read_named("train.csv", content, "ignore=Name missing=keep label=Survived");
    EXPECT_EQ(names(data), (Names{"Pclass", "Sex=female", "Sex=male", "Age", "Cabin=C85"}));
    const Model model = train(data, "svm", "kernel=linear impute=mean");
    const Data test = read_named_like(
        model, "test.csv", "PassengerId,Pclass,Name,Sex,Age,Cabin\n892,3,\"Kelly, J\",male,34.5,\n");
    const Numbers row = values(test);
    EXPECT_EQ(Numbers(row.begin(), row.begin() + 4), (Numbers{3, 0, 1, 34.5}));
    EXPECT_TRUE(std::isnan(row[4]));
}

TEST_F(PublicFiles, GlassCountsItsRows) {
    // The kinds of glass stand one after the other, so that a counter tells them.
    std::string content;
    for (int row = 0; row < 30; ++row)
        content += number(row + 1) + ",1.5" + number(row * 7 % 10) + "," + number(1 + row / 10) + "\n";
    const Data data = read_named("glass.data", content);
    EXPECT_EQ(dk_data_cols(data.get()), 1);
    EXPECT_EQ(labels_of(data)[29], 3);
    EXPECT_EQ(dk_data_cols(read_named("glass.data", content, "ignore=none").get()), 2);
    const Model model = train(data, "svm", "kernel=linear");
    EXPECT_EQ(values(read_named_like(model, "more.data", "7,1.25,3\n9,1.75,1\n")), (Numbers{1.25, 1.75}));
}

TEST_F(PublicFiles, NamesWithCommasUnderSemicolons) {
    const Data data = read("\"size, cm\";\"weight, kg\";class\n0.134;0.847;a\n0.764;0.255;b\n");
    EXPECT_EQ(names(data), (Names{"size, cm", "weight, kg"}));
    EXPECT_EQ(values(data), (Numbers{0.134, 0.847, 0.764, 0.255}));
    EXPECT_EQ(labels_of(data), (Labels{0, 1}));
}

}  // namespace
}  // namespace dk_test::public_files_test

// SPDX-License-Identifier: Apache-2.0
// Files are read as people write them: markers of missing values, marks of numbers, dates, counters of rows
// and codes as labels. What was understood of a training file holds for the files that its model predicts.
#include <cmath>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"
#include "read_files.hpp"
#include "structures.hpp"

namespace dk_test::file_notation_test {
namespace {

using Numbers = std::vector<double>;

class FileNotation : public ReadFiles {
  protected:
    void expect_refused(const std::string& content, const char* options, dk_status status, const Words& words,
                        Place where = Place::current()) const {
        const std::string path = directory.write("refused.csv", content);
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), options, nullptr); }, status,
            words, where);
    }
    static std::string class_name(const Model& model, int64_t position) {
        return text_of(dk_model_class_name, model.get(), position);
    }
};

TEST_F(FileNotation, AMarkerOfAMissingValueIsNoName) {
    for (const std::string marker : {"NA", "?", "nan", "N/A", "NULL", "None", "-", ""}) {
        const Data data = read("5.1," + marker + ",1\n4.9,3,1\n6.2,3.4,2\n", "missing=keep label=-1");
        EXPECT_EQ(dk_data_rows(data.get()), 3) << marker;
        EXPECT_TRUE(std::isnan(values(data)[1])) << marker;
    }
    // A text above a missing value says nothing either; the first value below it does.
    EXPECT_EQ(dk_data_rows(read("1,red\n2,?\n3,red\n", "missing=keep").get()), 3);
    EXPECT_EQ(dk_data_rows(read("size,age\nNA,1\n2,?\n3,2\n", "missing=keep").get()), 3);
}

TEST_F(FileNotation, OtherWordsCanSayThatAValueIsMissing) {
    const std::string content = "a,b\n1,-999\n2,unknown\n3,4\nNA,5\n";
    const Data data = read(content, "missing=keep,-999,unknown");
    EXPECT_TRUE(std::isnan(values(data)[1]));
    EXPECT_TRUE(std::isnan(values(data)[3]));
    EXPECT_TRUE(std::isnan(values(data)[6]));
    expect_refused(content, "missing=only,-999,unknown", DK_ERR_INVALID_DATA, {"line 5", "NA"});
    const Data texts = read("a,colour\n1,None\n2,red\n3,None\n", "missing=only,-999");
    EXPECT_EQ(name(texts, 1), "colour=None");
    const Model model = train(read("a,y\n1,1\n-999,2\n3,1\n4,2\n", "missing=keep,-999 label=y"), "svm",
                              "impute=mean kernel=linear");
    EXPECT_TRUE(std::isnan(values(read_like(model, "a\n-999\n5\n"))[0]));
}

TEST_F(FileNotation, NumbersAreReadAsTheyAreWritten) {
    EXPECT_EQ(values(read("1,5;2,25\n1,7;2,5\n")), (Numbers{1.5, 2.25, 1.7, 2.5}));
    EXPECT_EQ(values(read("a;b\n1.234,5;2\n-7,25;3\n")), (Numbers{1234.5, 2, -7.25, 3}));
    EXPECT_EQ(values(read("a,b\n\"1,200\",1\n\"13,400.5\",2\n900,3\n")),
              (Numbers{1200, 1, 13400.5, 2, 900, 3}));
    EXPECT_EQ(values(read("a,b,c\n20 %,$1.50,1_000\n5%,-$2,12_345_678\n")),
              (Numbers{20, 1.5, 1000, 5, -2, 12345678}));
    EXPECT_EQ(values(read("a,b\n\u22121.5,1.5D+02\n2,1d0\n")), (Numbers{-1.5, 150, 2, 1}));
    EXPECT_EQ(values(read("a;b\n1,5;2\n1;2\n", "decimal=,")), (Numbers{1.5, 2, 1, 2}));
    // Where a column does not agree, nothing is guessed.
    expect_refused("a,b\n1,20 %\n2,3\n3,red\n", nullptr, DK_ERR_INVALID_DATA, {"line", "field 2"});
}

TEST_F(FileNotation, AModelReadsNumbersAsItsTrainingFileWasRead) {
    const Model model =
        train(read("a;b;class\n1,5;2,25;x\n1,7;2,5;x\n3,5;0,5;y\n3,7;0,25;y\n"), "svm", "kernel=linear");
    // By itself 1,500 in a file with commas would be 1500.
    EXPECT_EQ(values(read_like(model, "a,b\n\"1,500\",\"2,3\"\n")), (Numbers{1.5, 2.3}));
    EXPECT_NE(text_of(dk_model_info, model.get()).find("\"decimal\":\",\""), std::string::npos);
}

TEST_F(FileNotation, DatesAreRefusedOrBecomeNumbers) {
    const std::string content = "when,x\n2020-01-01,1\n2020-03-01,2\n1970-01-02T12:00,3\n";
    expect_refused(content, nullptr, DK_ERR_INVALID_DATA,
                   {"when", "1970-01-02T12:00", "ignore=when", "dates="});
    EXPECT_EQ(values(read(content, "dates=days")), (Numbers{18262, 1, 18322, 2, 1.5, 3}));
    EXPECT_EQ(values(read(content, "dates=yearday")), (Numbers{1, 1, 61, 2, 2, 3}));
    EXPECT_EQ(values(read(content, "dates=weekday")), (Numbers{3, 1, 7, 2, 5, 3}));
    EXPECT_EQ(values(read("31.01.2020,1\n1.02.2020,2\n", "dates=yearday")), (Numbers{31, 1, 32, 2}));
    expect_refused("a,b\n1/2/2020,1\n2/2/2020,2\n", nullptr, DK_ERR_INVALID_DATA, {"year-month-day"});
    EXPECT_EQ(dk_data_cols(read(content, "dates=text").get()), 4);
}

TEST_F(FileNotation, CountersOfRowsAreNoFeatures) {
    for (const std::string first : {"", "Id", "index", "PassengerId", "row_id", "Unnamed: 0"}) {
        const std::string header = first + ",x,class\n";
        for (const std::string rows :
             {"0,5,a\n1,6,b\n2,7,a\n", "1,5,a\n2,6,b\n3,7,a\n", "9,5,a\n4,6,b\n7,7,a\n"}) {
            EXPECT_EQ(values(read(header + rows)), (Numbers{5, 6, 7})) << first;
            EXPECT_EQ(dk_data_cols(read(header + rows, "ignore=none").get()), 2) << first;
        }
        EXPECT_EQ(dk_data_cols(read(header + "1,5,a\n1,6,b\n2,7,a\n").get()), 2) << "it tells something";
    }
    EXPECT_EQ(values(read(",mpg\nMazda RX4,21\nDatsun,22\nHornet,18\n")), (Numbers{21, 22, 18}));
    EXPECT_EQ(values(read("a;b;\n1;2;\n3;4;\n")), (Numbers{1, 2, 3, 4}));
    const Model model = train(read("Id,x,class\n1,5,a\n2,6,b\n3,7,a\n"), "svm", "kernel=linear");
    EXPECT_EQ(values(read_like(model, "Id,x\n8,5\n8,6\n")), (Numbers{5, 6}));
    EXPECT_EQ(values(read_like(model, "x\n5\n")), (Numbers{5}));
}

TEST_F(FileNotation, TextColumnsWithoutNamesPredictNewFiles) {
    const std::string content = "red,1,stop\ngreen,2,go\nblue,3,wait\nred,4,stop\ngreen,5,go\nblue,6,wait\n";
    for (const char* options : {"label=-1", "label=guess"}) {
        const Model model = train(read(content, options), "svm", "kernel=linear");
        EXPECT_EQ(values(read_like(model, "green,2\nred,7\n")), (Numbers{0, 1, 0, 2, 0, 0, 1, 7})) << options;
        const Data labelled = read_like(model, "green,2,go\nred,7,stop\n");
        EXPECT_EQ(values(labelled), (Numbers{0, 1, 0, 2, 0, 0, 1, 7})) << options;
        EXPECT_EQ(labels_of(labelled), (std::vector<int64_t>{0, 1})) << options;
    }
}

TEST_F(FileNotation, LabelsOfManyDigitsAreToldApart) {
    const std::string rows =
        "1,100000000000000001\n5,100000000000000002\n2,100000000000000001\n6,100000000000000002\n";
    const std::vector<int64_t> labels{100000000000000001, 100000000000000002, 100000000000000001,
                                      100000000000000002};
    const Data data = read("x,class\n" + rows);
    EXPECT_EQ(labels_of(data), labels);
    Data set = create<Data>(dk_data_from_dense, Numbers{1, 5, 2, 6}.data(), int64_t{4}, int64_t{1},
                            int64_t{1}, DK_ROW_MAJOR);
    check(dk_data_set_labels(set.get(), labels.data(), 4));
    EXPECT_EQ(labels_of(set), labels);
    for (const Data* trained : {&data, static_cast<const Data*>(&set)}) {
        const Model model = train(*trained, "svm", "kernel=linear C=100");
        EXPECT_EQ(predictions(model, data), (Numbers{0, 1, 0, 1})) << "positions of names";
        EXPECT_EQ(class_name(model, 0), "100000000000000001");
        EXPECT_EQ(class_name(model, 1), "100000000000000002");
    }
}

TEST_F(FileNotation, CodesWithZerosBeforeThemAreTexts) {
    const Model model = train(read("x,class\n1,007\n5,7\n2,007\n6,7\n"), "svm", "kernel=linear");
    EXPECT_EQ(class_name(model, 0), "007");
    EXPECT_EQ(class_name(model, 1), "7");
}

TEST_F(FileNotation, TextsAreUtf8OrTheFileSaysWhatTheyAre) {
    const std::string content = "x,class\n1,wei\xdf\n2,rot\n3,wei\xdf\n4,rot\n";
    expect_refused(content, nullptr, DK_ERR_INVALID_DATA, {"line 2", "class", "encoding=latin1"});
    const Model model = train(read(content, "encoding=latin1"), "svm", "kernel=linear");
    EXPECT_EQ(class_name(model, 1), "wei\u00df");
    expect_refused(
        "gr\xf6\xdf"
        "e,y\n1,2\n",
        nullptr, DK_ERR_INVALID_DATA, {"line 1", "encoding=latin1"});
    EXPECT_EQ(name(read("gr\xf6\xdf"
                        "e,b\n1,2\n",
                        "encoding=latin1"),
                   0),
              "gr\u00f6\u00df"
              "e");
}

TEST_F(FileNotation, RowsWithoutALabelCanBeLeftOut) {
    const std::string content = "x,class\n1,a\n2,\n3,b\n4,?\n";
    expect_refused(content, nullptr, DK_ERR_INVALID_DATA, {"line 3", "unlabelled=skip"});
    EXPECT_EQ(values(read(content, "unlabelled=skip")), (Numbers{1, 3}));
}

TEST_F(FileNotation, DelimitersAreThoseThatAllLinesHave) {
    const Data quoted = read("\"size, cm\";\"weight, kg\"\n0.5;1\n2;3\n");
    EXPECT_EQ(name(quoted, 0), "size, cm");
    EXPECT_EQ(values(quoted), (Numbers{0.5, 1, 2, 3}));
    EXPECT_EQ(values(read("sep=;\na;b\n1;2\n")), (Numbers{1, 2}));
    EXPECT_EQ(values(read("a|b\n1|2\n")), (Numbers{1, 2}));
}

}  // namespace
}  // namespace dk_test::file_notation_test

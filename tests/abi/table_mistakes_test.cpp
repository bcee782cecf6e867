// SPDX-License-Identifier: Apache-2.0
// A table with several columns that cannot be read says so once, each with what to do, and the options that
// it names read the table.
#include <cmath>

#include "answers.hpp"
#include "read_files.hpp"

namespace dk_test::table_mistakes_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

class TableMistakes : public ReadFiles {
  protected:
    /// A table of 24 people: dates, names, ages of which some lack, and a class.
    static std::string people() {
        std::string content = "born,who,age,height,kind\n";
        for (int row = 0; row < 24; ++row) {
            const std::string number = std::to_string(row);
            content += "2001-02-" + std::to_string(1 + row % 9) + ",\"Doe, J" + number + "\"," +
                       (row % 4 == 1 ? "" : number) + ",1." + number + "," + (row % 2 == 0 ? "a" : "b") +
                       "\n";
        }
        return content;
    }
};

TEST_F(TableMistakes, AreToldTogetherWithTheOptionsThatAnswerThem) {
    expect_refused_as("people.csv", people(), nullptr,
                      {"3 columns", "born", "dates=days", "who", "24 rows", "line 3", "age", "6 rows",
                       "ignore=born,who missing=keep", "label=", "kind"});
    const Data data = read(people(), "ignore=born,who missing=keep label=kind");
    EXPECT_EQ(names(data), (Names{"age", "height"}));
    EXPECT_TRUE(std::isnan(values(data)[2]));
    expect_refused_as("people.csv", people(), "ignore=born label=kind",
                      {"who", "age", "ignore=born,who missing=keep"});
}

TEST_F(TableMistakes, OneAloneIsToldAsItIs) {
    expect_refused_as("a.csv", "a,b,class\n1,2,x\n3,,y\n", nullptr,
                      {"line 3", "field 2", "b", "missing=keep"});
    expect_refused_as("a.csv", "a,b\n1,2\n3,x\n", nullptr, {"line 3", "field 2", "x", "label="});
}

TEST_F(TableMistakes, OfTheLabelAreAmongThem) {
    expect_refused_as("a.csv", "a,b,class\n1,,x\n3,4,\n", nullptr,
                      {"2 columns", "line 2", "line 3", "missing=keep unlabelled=skip"});
    const Data data = read("a,b,class\n1,,x\n3,4,\n5,6,y\n", "missing=keep unlabelled=skip");
    EXPECT_EQ(dk_data_rows(data.get()), 2);
}

TEST_F(TableMistakes, NoMoreThanTenAreTold) {
    std::string header = "x0";
    std::string row = "1";
    std::string fault = "?";
    for (int column = 1; column < 30; ++column) {
        header += ",x" + std::to_string(column);
        row += ",1";
        fault += ",?";
    }
    expect_refused_as("wide.csv", header + "\n" + row + "\n" + fault + "\n", nullptr,
                      {"30 columns", "x0", "x9", "20 more", "missing=keep"});
}

TEST_F(TableMistakes, ColumnsWithBlanksInTheirNamesAreNamedByPosition) {
    std::string content = "x,full name,class\n";
    for (int row = 0; row < 21; ++row)
        content += "1,n" + std::to_string(row) + "," + (row % 2 == 0 ? "a\n" : "b\n");
    expect_refused_as("a.csv", content, nullptr, {"full name", "ignore=1"});
    EXPECT_EQ(names(read(content, "ignore=1")), (Names{"x"}));
}

TEST_F(TableMistakes, ColumnsThatAFileToPredictLacksAreAllNamed) {
    const Model model = train(read("a,b,c,class\n1,2,3,x\n4,5,7,y\n"), "svm", "kernel=linear");
    const std::string path = directory.write("less.csv", "b,d\n1,2\n");
    expect_no_handle<dk_data>(
        [&](dk_data** out) {
            return dk_data_from_file_like(out, path.c_str(), nullptr, model.get(), nullptr);
        },
        DK_ERR_DIMENSION, {"a", "c"});
}

class TableLayout : public ReadFiles {};

TEST_F(TableLayout, CommentsStandBeforeATable) {
    const Data data = read("# made today\n#\n# by hand, twice\na,b\n1,2\n3,4\n");
    EXPECT_EQ(names(data), (Names{"a", "b"}));
    EXPECT_EQ(values(data), (Numbers{1, 2, 3, 4}));
    // numpy writes names so.
    EXPECT_EQ(names(read("# a, b\n1,2\n3,4\n")), (Names{"a", "b"}));
    EXPECT_EQ(names(read("# some numbers\n1,2\n3,4\n")), (Names{"f1", "f2"}));
    // The Pokemon have this name for their numbers.
    EXPECT_EQ(names(read("#,Name,x\n1,a,3\n2,b,4\n3,a,5\n")), (Names{"Name=a", "Name=b", "x"}));
    EXPECT_EQ(dk_data_rows(read("#ff0000,1\n#00ff00,2\n#ff0000,3\n").get()), 3) << "colours are no comments";
    expect_refused_as("a.csv", "# a\n1,2\n3,x\n", nullptr, {"line 3", "x"});
}

TEST_F(TableLayout, DelimitersAtTheEndsOfLinesAreNoColumn) {
    const Numbers expected{1, 2, 3, 4, 5, 6};
    for (const char* content :
         {"a;b;\n1;2;\n3;4;\n5;6;\n", "a;b\n1;2;\n3;4;\n5;6;\n", "a;b;;\n1;2;;\n3;4;;\n5;6;;\n",
          "a;b;\n1;2\n3;4\n5;6\n", "a;b\n1;2\n3;4\n5;6\n;\n;\n", "sep=;\na;b\n1;2\n3;4\n5;6\n"}) {
        const Data data = read(content);
        EXPECT_EQ(values(data), expected) << content;
        EXPECT_EQ(names(data), (Names{"a", "b"})) << content;
    }
    expect_refused_as("a.csv", "a;b\n1;2;\n3;4\n", nullptr, {"line 3"});
}

TEST_F(TableLayout, NamesOfRowsHaveNoNameInFilesOfR) {
    const Data data = read("\"mpg\" \"cyl\"\n\"Mazda RX4\" 21 6\n\"Datsun 710\" 22.8 4\n\"Valiant\" 18 6\n");
    EXPECT_EQ(names(data), (Names{"mpg", "cyl"}));
    EXPECT_EQ(values(data), (Numbers{21, 6, 22.8, 4, 18, 6}));
    EXPECT_EQ(values(read("\"x\",\"z\"\n\"1\",5,6\n\"2\",7,8\n\"3\",9,1\n")), (Numbers{5, 6, 7, 8, 9, 1}));
}

}  // namespace
}  // namespace dk_test::table_mistakes_test

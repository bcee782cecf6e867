// SPDX-License-Identifier: Apache-2.0
//
// Files are read as they are meant: names of columns of text are no row, names of rows are no feature, and a
// model reads the files that it predicts as the one that it was trained on.
#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"
#include "read_files.hpp"
#include "structures.hpp"

namespace dk_test::file_reading_test {
namespace {

class FileReading : public ReadFiles {};

const std::string colours = "red,small,a\nblue,large,b\nred,large,a\nblue,small,b\n";

TEST_F(FileReading, NamesOfColumnsOfTextAreNoRow) {
    for (const char* options : {"label=kind", "label=2", "label=-1", "label=none", ""}) {
        const Data data = read("colour,size,kind\n" + colours, options);
        EXPECT_EQ(dk_data_rows(data.get()), 4) << options;
        EXPECT_EQ(name(data, 0), "colour=blue") << options;
        EXPECT_EQ(is_labelled(data),
                  std::string(options).starts_with("label=") && std::string(options) != "label=none")
            << options;
    }
    EXPECT_EQ(dk_data_rows(read("colour,size,kind\n" + colours, "header=no").get()), 5);
    // Two rows repeat nothing, but the label's name is there.
    EXPECT_EQ(dk_data_rows(read("colour,kind\nred,a\nblue,b\n", "label=kind").get()), 2);
}

TEST_F(FileReading, RowsOfTextAreNoNames) {
    EXPECT_EQ(dk_data_rows(read(colours).get()), 4);
    EXPECT_EQ(dk_data_rows(read("red,small\nblue,large\n").get()), 2);
}

TEST_F(FileReading, NamesOfRowsAreRefusedUntilTheyAreIgnored) {
    std::string content = "city,size,class\n";
    for (int row = 0; row < 21; ++row) {
        content +=
            "town" + std::to_string(row) + "," + std::to_string(row % 7) + "," + std::to_string(row % 2);
        content += "\n";
    }
    const std::string path = directory.write("towns.csv", content);
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); },
        DK_ERR_INVALID_DATA, {"city", "21", "ignore=city"});
    for (const char* options : {"ignore=city", "ignore=0", "ignore=-3"}) {
        const Data data = read(content, options);
        EXPECT_EQ(dk_data_cols(data.get()), 1) << options;
        EXPECT_EQ(name(data, 0), "size") << options;
    }
    const Data none = read(content, "ignore=city,class label=none");
    EXPECT_EQ(dk_data_cols(none.get()), 1);
    EXPECT_FALSE(is_labelled(none));
    const Model model = train(read(content, "ignore=0"), "svm", "kernel=rbf(gamma=1)");
    EXPECT_EQ(dk_data_cols(read_like(model, content).get()), 1);
    EXPECT_EQ(dk_data_cols(read_like(model, "size\n3\n").get()), 1);
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), "ignore=town", nullptr); },
        DK_ERR_INVALID_PARAMETER, {"town", "city"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), "ignore=size,9", nullptr); },
        DK_ERR_INVALID_PARAMETER, {"ignore", "9", "2"});
}

TEST_F(FileReading, AModelKnowsWhichColumnTheLabelWas) {
    const Model named =
        train(read("kind,x,y2\n1,1,5\n2,4,5\n1,2,6\n2,5,7\n", "label=kind"), "svm", "kernel=linear");
    const Data labelled = read_like(named, "y2,kind,x\n5,2,1\n");
    EXPECT_TRUE(is_labelled(labelled));
    EXPECT_EQ(values(labelled), (std::vector<double>{1, 5}));
    const Data unlabelled = read_like(named, "y2,x\n5,1\n");
    EXPECT_FALSE(is_labelled(unlabelled));
    EXPECT_EQ(values(unlabelled), (std::vector<double>{1, 5}));
    EXPECT_FALSE(is_labelled(read_like(named, "y2,kind,x\n5,2,1\n", "label=none")));

    const Model placed = train(read("1,1,5\n2,4,5\n1,2,6\n2,5,7\n", "label=0"), "svm", "kernel=linear");
    EXPECT_EQ(values(read_like(placed, "2,8,9\n")), (std::vector<double>{8, 9}));
    EXPECT_TRUE(is_labelled(read_like(placed, "2,8,9\n")));
    EXPECT_EQ(values(read_like(placed, "8,9\n")), (std::vector<double>{8, 9}));
    EXPECT_FALSE(is_labelled(read_like(placed, "8,9\n")));
    // Its bytes know it too.
    const auto bytes = bytes_of(placed.get());
    const Model read_back =
        create<Model>(dk_model_read, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_TRUE(is_labelled(read_like(read_back, "2,8,9\n")));
    EXPECT_EQ(bytes_of(read_back.get()), bytes);
}

TEST_F(FileReading, AModelOfColumnsOfTextFindsItsHeader) {
    const Model model = train(read("colour,size,kind\n" + colours, "label=kind"), "svm", "kernel=linear");
    for (const char* content : {"colour,size\nred,small\n", "size,colour,kind\nsmall,red,b\n"}) {
        const Data data = read_like(model, content);
        EXPECT_EQ(dk_data_rows(data.get()), 1) << content;
        EXPECT_EQ(values(data), (std::vector<double>{0, 1, 0, 1})) << content;
    }
}

TEST_F(FileReading, AModelThatFillsMissingValuesHasThemKept) {
    const std::string content = "x,y2,class\n1,5,1\n4,,2\n2,6,1\n5,7,2\n";
    const Model model = train(read(content, "missing=keep"), "svm", "kernel=linear impute=mean");
    EXPECT_TRUE(std::isnan(values(read_like(model, content))[3]));
    const std::string path = directory.write("refused.csv", content);
    expect_no_handle<dk_data>(
        [&](dk_data** out) {
            return dk_data_from_file_like(out, path.c_str(), "missing=refuse", model.get(), nullptr);
        },
        DK_ERR_INVALID_DATA, {"line 3", "missing=keep", "impute=mean"});
    // Data that were no file teach no options, but filling keeps missing values all the same.
    const Problem problem = make_problem(20, 2, 2, 1.0, 5);
    const Model other = train(dense(problem), "svm", "kernel=linear impute=median");
    EXPECT_TRUE(std::isnan(values(read_like(other, "1,\n2,3\n"))[1]));
}

}  // namespace
}  // namespace dk_test::file_reading_test

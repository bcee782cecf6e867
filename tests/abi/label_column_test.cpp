// SPDX-License-Identifier: Apache-2.0
// Which column has the labels where no name tells: the last one of a file without names, where it looks like
// classes, and otherwise the error of a training lists those that do.
#include "answers.hpp"
#include "read_files.hpp"

namespace dk_test::label_column_test {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<int64_t>;

class LabelColumn : public ReadFiles {
  protected:
    /// Writes so many lines, each of them made of its number.
    template <typename Line>
    static std::string lines(int count, Line line) {
        std::string content;
        for (int row = 0; row < count; ++row) content += line(row) + "\n";
        return content;
    }
    static std::string number(int value) { return std::to_string(value); }

    void expect_no_classifier(const Data& data, const Words& words, Place where = Place::current()) const {
        const Params params = create<Params>(dk_params_create, "svm");
        expect_no_handle<dk_model>(
            [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
            DK_ERR_INVALID_DATA, words, where);
    }
};

TEST_F(LabelColumn, TextsThatRepeatInTheLastColumnOfAFileWithoutNames) {
    const std::string content = "red,1,stop\ngreen,2,go\nblue,3,wait\nred,4,stop\ngreen,5,go\nblue,6,wait\n";
    const Data data = read(content);
    EXPECT_EQ(labels_of(data), (Labels{1, 0, 2, 1, 0, 2})) << "go, stop, wait";
    EXPECT_EQ(dk_data_cols(data.get()), 4);
    const Model model = train(data, "svm", "kernel=linear C=100");
    EXPECT_NE(text_of(dk_model_info, model.get()).find("\"label\":\"2\""), std::string::npos);
    for (const char* more : {"green,2\nblue,3\n", "green,2,go\nblue,3,wait\n", "green,2,?\nblue,3,?\n"}) {
        const Data rows = read_like(model, more);
        EXPECT_EQ(values(rows), (Numbers{0, 1, 0, 2, 1, 0, 0, 3})) << more;
        EXPECT_EQ(predictions(model, rows), (Numbers{0, 2})) << more;
    }
    EXPECT_FALSE(is_labelled(read(content, "label=none")));
    EXPECT_EQ(dk_data_cols(read(content, "label=none").get()), 7);
    EXPECT_FALSE(is_labelled(read("1,a\n2,b\n3,c\n"))) << "another text in each row is no class";
}

TEST_F(LabelColumn, FewIntegersInTheLastColumnOfAFileWithoutNames) {
    const auto row = [](int i) { return number(i) + ".5," + number(i * i) + "," + number(i % 3); };
    const Data data = read(lines(15, row));
    EXPECT_EQ(dk_data_cols(data.get()), 2);
    EXPECT_EQ(labels_of(data), (Labels{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
    const Model model = train(data, "svm", "kernel=linear");
    EXPECT_EQ(values(read_like(model, "7.5,49\n8.5,64\n")), (Numbers{7.5, 49, 8.5, 64}));
    EXPECT_EQ(values(read_like(model, "7.5,49,1\n")), (Numbers{7.5, 49}));
    EXPECT_FALSE(is_labelled(read(lines(14, row)))) << "there are no five rows of each";
    EXPECT_FALSE(is_labelled(read(lines(15, [](int i) { return number(i) + "," + number(i % 3) + ".5"; }))))
        << "they are no integers";
    EXPECT_EQ(labels_of(read(lines(15, [&](int i) { return row(i) + ".0"; })))[2], 2) << "they are integers";
    const auto many = [](int i) { return number(i) + ".5," + number(i % 21); };
    EXPECT_FALSE(is_labelled(read(lines(210, many)))) << "21 of them are many";
    EXPECT_EQ(labels_of(read(lines(15, [&](int i) { return row(i) + ","; }))).size(), 15U)
        << "a delimiter at the end of each line makes no last column";
}

TEST_F(LabelColumn, FilesThatMayHaveThemInTheFirstColumnLoseNoFeature) {
    // Letters and mushrooms have their class first.
    const auto letter = [](int i) {
        return std::string(i % 2 == 0 ? "T" : "I") + "," + number(i) + "," + number(i % 2);
    };
    EXPECT_FALSE(is_labelled(read(lines(20, letter))));
    const auto binary = [](int i) { return number(i % 2) + "," + number(i) + "," + number(i / 10); };
    EXPECT_FALSE(is_labelled(read(lines(20, binary))));
    const auto mushroom = [](int i) {
        return std::string(i % 2 == 0 ? "p,x," : "e,y,") + std::string(1, 'a' + i % 4);
    };
    const Data data = read(lines(20, mushroom));
    EXPECT_FALSE(is_labelled(data));
    expect_no_classifier(data, {"label=", "0, 1, 2"});
}

TEST_F(LabelColumn, AFileWithNamesLosesNoFeatureAndTheErrorListsCandidates) {
    const auto row = [](int i) {
        return number(i) + ".25," + number(i % 2) + "," + (i % 3 == 0 ? "setosa" : "versicolor");
    };
    const Data data = read("width,open,Species\n" + lines(20, row));
    EXPECT_EQ(names(data),
              (std::vector<std::string>{"width", "open", "Species=setosa", "Species=versicolor"}));
    expect_no_classifier(data, {"label=", "open", "Species", "guess"});
    EXPECT_EQ(labels_of(read("width,open,Species\n" + lines(3, row), "label=guess")), (Labels{0, 1, 1}));
    expect_no_classifier(read("x1,x2\n5.338,0.057\n-0.663,0.085\n"), {"label="});
}

TEST_F(LabelColumn, LinesOfAClassAndASeriesNameTheirFormat) {
    const auto row = [](int i) { return number(1 + i % 2) + "\t0.5\t1." + number(i) + "\t-2.25"; };
    expect_no_classifier(read(lines(20, row)), {"label=", "0", "format=ucr"});
}

TEST_F(LabelColumn, IdentifiersAreNoClasses) {
    const auto row = [](int i) { return number(i % 7) + ".5," + number(i); };
    const Data data = read("a,label\n" + lines(21, row));
    EXPECT_TRUE(is_labelled(data)) << "they may be targets";
    expect_no_classifier(data, {"21", "0", "20", "regression", "label="});
    EXPECT_EQ(predictions(train(data, "kernel_ridge", "kernel=linear"), data).size(), 21U);
}

TEST_F(LabelColumn, FilesToPredictMayHaveItEmpty) {
    const Model model = train(read("x,class\n1,a\n5,b\n2,a\n6,b\n"), "svm", "kernel=linear");
    const Data rows = read_like(model, "x,class\n1,\n5,\n");
    EXPECT_FALSE(is_labelled(rows));
    EXPECT_EQ(values(rows), (Numbers{1, 5}));
    const std::string path = directory.write("some.csv", "x,class\n1,a\n5,\n");
    expect_no_handle<dk_data>(
        [&](dk_data** out) {
            return dk_data_from_file_like(out, path.c_str(), nullptr, model.get(), nullptr);
        },
        DK_ERR_INVALID_DATA, {"line 3", "unlabelled=skip"});
}

}  // namespace
}  // namespace dk_test::label_column_test

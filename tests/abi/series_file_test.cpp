// SPDX-License-Identifier: Apache-2.0
// These tests read files of series, which have one line for each step, and of strings: columns, labels,
// compression, and mistakes with their line and field.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::series_file_test {
namespace {

constexpr dk_status bad_data = DK_ERR_INVALID_DATA;

using Labels = std::vector<int64_t>;
using Names = std::vector<std::string>;

class StructureFile : public testing::Test {
  protected:
    TemporaryDirectory directory;

    Data read(const std::string& content, const char* options = nullptr,
              const std::string& name = "data.csv") const {
        return create<Data>(dk_data_from_file, directory.write(name, content).c_str(), options, nullptr);
    }
    void expect_refused_in(const std::string& content, const std::vector<dk_status>& allowed,
                           const Words& words = {}, const char* options = nullptr,
                           Place where = Place::current()) const {
        const std::string path = directory.write("data.csv", content);
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), options, nullptr); }, allowed,
            words, where);
    }
    void expect_refused(const std::string& content, const Words& words = {}, const char* options = nullptr,
                        Place where = Place::current()) const {
        expect_refused_in(content, {bad_data}, words, options, where);
    }

    /// Takes two datasets for the same where a kernel that sees everything says so of their rows.
    static void expect_same(const Data& found, const Data& expected, const char* kernel,
                            Place where = Place::current()) {
        const testing::ScopedTrace trace(where.file_name(), where.line(), "compared here");
        ASSERT_EQ(dk_data_kind(found.get()), dk_data_kind(expected.get()));
        ASSERT_EQ(dk_data_rows(found.get()), dk_data_rows(expected.get()));
        ASSERT_EQ(dk_data_cols(found.get()), dk_data_cols(expected.get()));
        const int64_t rows = dk_data_rows(found.get());
        const auto across =
            values_of<double>(rows * rows, dk_gram, found.get(), expected.get(), kernel, nullptr);
        for (int64_t row = 0; row < rows; ++row) {
            EXPECT_NEAR(across[static_cast<std::size_t>(row * rows + row)], 1.0, 1e-12) << "row " << row;
        }
    }
    static void expect_series(const Data& found, const SeriesProblem& expected,
                              Place where = Place::current()) {
        expect_same(found, unlabelled(expected), "gak(sigma=0.3)", where);
        expect_same(found, unlabelled(expected), "dtw(gamma=100)", where);
    }
    static void expect_texts(const Data& found, const std::vector<std::string>& expected,
                             Place where = Place::current()) {
        expect_same(found, from_texts(expected), "edit(gamma=100)", where);
    }
    static Names names(const Data& data) {
        Names found;
        for (int64_t col = 0; col < dk_data_cols(data.get()); ++col) {
            found.push_back(text_of(dk_data_feature_name, data.get(), col));
        }
        return found;
    }
};

class SeriesFile : public StructureFile {
  protected:
    const std::string content =
        "series,t,label,x,y\n"
        "a,0,3,1,10\n"
        "a,1,3,2,20\n"
        "b,0,4,-5,50\n"
        "a,2,3,3,30\n"
        "c,0,3,7,70\n"
        "c,9,3,8,80\n";
    const SeriesProblem expected{2, {1, 10, 2, 20, 3, 30, -5, 50, 7, 70, 8, 80}, {3, 1, 2}, {3, 4, 3}};
};

TEST_F(SeriesFile, StepsAreCollectedBySeries) {
    for (const char* options : {static_cast<const char*>(nullptr), "format=series", "format=auto"}) {
        const Data data = read(content, options);
        EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_SERIES);
        expect_series(data, expected);
        EXPECT_EQ(labels_of(data), expected.labels);
        EXPECT_EQ(names(data), (Names{"x", "y"})) << "time is no channel";
    }
}

TEST_F(SeriesFile, CompressedAndUnderOtherNames) {
    for (const char* name : {"data.csv.gz", "data.gz", "data", "data.tsv"}) {
        const std::string path = directory.write_gzip(name, content);
        const Data data = create<Data>(dk_data_from_file, path.c_str(), nullptr, nullptr);
        expect_series(data, expected);
        EXPECT_EQ(labels_of(data), expected.labels) << name;
    }
}

TEST_F(SeriesFile, OtherDelimitersQuotesAndLineEnds) {
    const SeriesProblem small{1, {1.5, 2.5, 4}, {2, 1}, {}};
    for (const char* text :
         {"series,x\na,1.5\na,2.5\nb,4\n", "series;x\na;1.5\na;2.5\nb;4\n",
          "series\tx\na\t1.5\na\t2.5\nb\t4\n", "\"series\",\"x\"\n\"a\",1.5\n\"a\",2.5\n\"b\",\"4\"\n",
          "series,x\r\na,1.5\r\na,2.5\r\nb,4\r\n", "\xef\xbb\xbfseries,x\na,1.5\na,2.5\nb,4",
          "series,x\n1,1.5\n1,2.5\n2,4\n"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, text);
        const Data data = read(text);
        EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_SERIES);
        if (dk_data_kind(data.get()) == DK_KIND_SERIES) expect_series(data, small);
    }
}

TEST_F(SeriesFile, IsFoundByItsFirstColumnHoweverWritten) {
    for (const char* text : {"series x\na 1.5\na 2.5\nb 4\n", "\"series\";x\na;1.5\nb;4\n",
                             "\"series\"\tx\na\t1.5\nb\t4\n", "series ,x\na,1.5\nb,4\n"}) {
        const Data named = read(text, "format=series");
        EXPECT_EQ(dk_data_kind(named.get()), DK_KIND_SERIES) << text;
        EXPECT_EQ(dk_data_kind(read(text).get()), DK_KIND_SERIES) << text;
    }
}

TEST_F(SeriesFile, ColumnsInAnyOrder) {
    const Data data = read("x,label,time,series\n1,3,0,a\n2,3,1,a\n-5,4,0,b\n", "format=series");
    expect_series(data, {1, {1, 2, -5}, {2, 1}, {}});
    EXPECT_EQ(labels_of(data), (Labels{3, 4}));
    EXPECT_EQ(names(data), (Names{"x"}));
    const Data steps = read("series,STEP,x\na,5,1\na,4,2\n");
    expect_series(steps, {1, {1, 2}, {2}, {}});
    expect_series(read("Series,X\na,1\na,2\n", "format=series"), {1, {1, 2}, {2}, {}});
    EXPECT_EQ(dk_data_kind(read("x,series\n1,2\n").get()), DK_KIND_DENSE) << "series is not the first column";
}

TEST_F(SeriesFile, TimeMayBeText) {
    expect_series(read("series,time,x\na,2020-01-01,1\na,2020-01-02,2\nb,,3\n"), {1, {1, 2, 3}, {2, 1}, {}});
}

TEST_F(SeriesFile, LabelsOfAnyKind) {
    const Data named = read("series,x,class\na,1,up\na,2,up\nb,1,down\n");
    EXPECT_EQ(labels_of(named), (Labels{1, 0}));
    const Data chosen = read("series,x,kind\na,1,5\na,2,5\nb,1,6\n", "label=kind");
    EXPECT_EQ(labels_of(chosen), (Labels{5, 6}));
    EXPECT_EQ(dk_data_cols(chosen.get()), 1);
    const Data none = read("series,x,y\na,1,5\na,2,5\nb,1,6\n", "label=none");
    EXPECT_EQ(dk_data_cols(none.get()), 2);
    std::vector<int64_t> out(2);
    expect_failure([&] { return dk_data_labels(out.data(), 2, none.get()); }, bad_data);
}

TEST_F(SeriesFile, LabelsThatDifferWithinASeries) {
    expect_refused("series,x,label\na,1,3\nb,2,3\na,5,4\n", {"line", "4", "label"});
    expect_refused("series,x,label\na,1,3\na,2,\n", {"line", "3"});
    expect_refused("series,x,label\na,1,\na,2,3\n", {"line", "2"});
    expect_refused("series,x,label\na,1,red\na,2,Red\n", {"line", "3"});
}

TEST_F(SeriesFile, ValuesThatAreNoNumbersNameLineAndField) {
    for (const std::string field : {"", "NA", "nan", "inf", "x", "1e400", "?"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, field);
        expect_refused("series,t,x,y\na,0,1,2\na,1,3," + field + "\n", {"line", "3", "field", "4", "y"});
        expect_refused("series,t,x,y\na,0,1,2\na,1,3," + field + "\n", {"line", "3", "field", "4"},
                       "missing=keep");
    }
    expect_refused("series,x\na,1\n,2\n", {"line", "3", "series"});
}

TEST_F(SeriesFile, FilesThatAreNoSeries) {
    expect_refused("a,b\n1,2\n", {"series"}, "format=series");
    expect_refused("1,2\n3,4\n", {"series"}, "format=series");
    expect_refused("series\na\nb\n", {}, "format=series");
    expect_refused("series,t,label\na,1,2\n", {"channels"});
    expect_refused("series,x\n");
    expect_refused("", {}, "format=series");
    expect_refused("series,x\na,1\na,2,3\n", {"line", "3"});
}

TEST_F(SeriesFile, EndToEnd) {
    const auto file = [](const SeriesProblem& problem) {
        std::string text = "series,t,first,second,label\n";
        std::size_t at = 0;
        for (int64_t row = 0; row < problem.rows(); ++row) {
            for (int64_t step = 0; step < problem.lengths[static_cast<std::size_t>(row)]; ++step, at += 2) {
                text += "s" + std::to_string(row) + "," + std::to_string(step) + "," +
                        std::to_string(problem.values[at]) + "," + std::to_string(problem.values[at + 1]) +
                        "," + std::to_string(problem.labels[static_cast<std::size_t>(row)]) + "\n";
            }
        }
        return text;
    };
    const Data training = read(file(make_series(20, 2, 1)));
    const Model model = train(training, "svm", "kernel=each_channel(gak) weights=dimkl1");
    const std::string path = directory.write("test.csv", file(make_series(12, 2, 2)));
    const Data test = create<Data>(dk_data_from_file_like, path.c_str(), static_cast<const char*>(nullptr),
                                   static_cast<const dk_model*>(model.get()), nullptr);
    double accuracy = 0.0;
    check(dk_score(&accuracy, model.get(), test.get(), "accuracy", nullptr));
    EXPECT_EQ(accuracy, 1.0);
}

class StringFile : public StructureFile {};

TEST_F(StringFile, TheColumnOfTextsIsFoundByItsName) {
    const std::vector<std::string> expected{"gattaca", "", "ä b"};
    for (const std::string name : {"text", "string", "sequence", "Text", "SEQUENCE"}) {
        const Data data = read("n,label," + name + "\n1,5,gattaca\n2,6,\n3,5,ä b\n", "format=strings");
        EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_STRINGS) << name;
        expect_texts(data, expected);
        EXPECT_EQ(labels_of(data), (Labels{5, 6, 5})) << name;
    }
}

TEST_F(StringFile, TheOptionNamesIt) {
    const std::string content = "text,other,y\nred,left,0\nblue,right,1\n";
    expect_texts(read(content, "format=strings"), {"red", "blue"});
    expect_texts(read(content, "format=strings text=other"), {"left", "right"});
    expect_texts(read(content, "format=strings text=1"), {"left", "right"});
    expect_texts(read(content, "format=strings text=-2"), {"left", "right"});
    for (const std::string missing : {"colour", "3", "-4"}) {
        expect_refused_in(content, {bad_data, DK_ERR_INVALID_PARAMETER, DK_ERR_INVALID_ARGUMENT}, {missing},
                          ("format=strings text=" + missing).c_str());
    }
}

TEST_F(StringFile, AMistakeInTheOptionTextDoesNotBlameTheLabel) {
    const std::string path = directory.write("data.csv", "text,y\nred,0\n");
    dk_data* out = nullptr;
    EXPECT_EQ(dk_data_from_file(&out, path.c_str(), "format=strings text=7", nullptr),
              DK_ERR_INVALID_PARAMETER);
    EXPECT_TRUE(has_word(dk_last_error(), "text=7")) << dk_last_error();
    EXPECT_FALSE(has_word(dk_last_error(), "label")) << dk_last_error();
}

TEST_F(StringFile, OtherwiseTheFirstThatIsNotTheLabel) {
    expect_texts(read("label,words,n\n1,red,5\n2,blue,6\n", "format=strings"), {"red", "blue"});
    expect_texts(read("words,label\nred,1\nblue,2\n", "format=strings"), {"red", "blue"});
    const Data first = read("red,1\nblue,2\n", "format=strings header=no label=1");
    expect_texts(first, {"red", "blue"});
    EXPECT_EQ(labels_of(first), (Labels{1, 2}));
    expect_texts(read("1,red\n2,blue\n", "format=strings header=no label=0"), {"red", "blue"});
}

TEST_F(StringFile, OnlyTextsWithoutLabels) {
    const Data data = read("red\nblue\ngreen\n", "format=strings header=no");
    expect_texts(data, {"red", "blue", "green"});
    std::vector<int64_t> out(3);
    expect_failure([&] { return dk_data_labels(out.data(), 3, data.get()); }, bad_data);
    expect_texts(read("text\nred\nblue\n", "format=strings header=yes"), {"red", "blue"});
    expect_texts(read("text\n12\n345\n", "format=strings"), {"12", "345"});
}

TEST_F(StringFile, TabsQuotesAndCompression) {
    const std::string tsv = "text\tlabel\nred, \"x\"\tup\nblue\tdown\n";
    const std::string path = directory.write_gzip("data.tsv.gz", tsv);
    const Data data =
        create<Data>(dk_data_from_file, path.c_str(), "format=strings delimiter=tab header=yes", nullptr);
    expect_texts(data, {"red, \"x\"", "blue"});
    EXPECT_EQ(labels_of(data), (Labels{1, 0}));
    expect_texts(read("text,y\n\"a,\"\"b\"\"\",1\nc,2\n", "format=strings"), {"a,\"b\"", "c"});
    expect_texts(read("text\ty\na\t1\nb c\t2\n", "format=strings"), {"a", "b c"});
}

TEST_F(StringFile, AHeaderWithTheUsualNamesIsNoRow) {
    // No column has a number, so only the names tell the first line from the others.
    expect_texts(read("text,label\nred,up\nblue,down\n", "format=strings header=yes"), {"red", "blue"});
}

TEST_F(StringFile, BadTextsAndLabelsNameTheLine) {
    expect_refused("text,y\nfine,1\nbad\xff,2\n", {"line", "3", "UTF-8"}, "format=strings");
    expect_refused("text,y\nfine,1\nfine,\n", {"line", "3"}, "format=strings");
    expect_refused("label\n1\n2\n", {}, "format=strings");
    expect_refused("", {}, "format=strings");
    expect_refused("text,y\nfine,1\nfine\n", {"line", "3"}, "format=strings");
}

TEST_F(StringFile, EndToEnd) {
    const auto file = [](int64_t rows, uint64_t seed) {
        std::string text = "sequence,label\n";
        const std::vector<std::string> texts = make_texts(rows, seed);
        for (std::size_t row = 0; row < texts.size(); ++row) {
            text += texts[row] + "," + std::to_string(alternating_labels(rows)[row]) + "\n";
        }
        return text;
    };
    const Model model = train(read(file(24, 1), "format=strings"), "svm");
    double accuracy = 0.0;
    check(dk_score(&accuracy, model.get(), read(file(11, 2), "format=strings").get(), "accuracy", nullptr));
    EXPECT_EQ(accuracy, 1.0);
}

}  // namespace
}  // namespace dk_test::series_file_test

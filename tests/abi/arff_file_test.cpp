// SPDX-License-Identifier: Apache-2.0
// These tests read ARFF files: declarations, quotes, dense and sparse rows, weights, and mistakes by their
// line.
#include <cmath>

#include "answers.hpp"
#include "read_files.hpp"

namespace dk_test::arff_file_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Labels = std::vector<int64_t>;

class ArffFile : public ReadFiles {
  protected:
    Data read_arff(const std::string& content, const char* options = nullptr) const {
        return read_named("data.arff", content, options);
    }
    void expect_refused(const std::string& content, const Words& words,
                        Place where = Place::current()) const {
        expect_refused_as("data.arff", content, nullptr, words, DK_ERR_INVALID_DATA, where);
    }
    const std::string weather =
        "% Quinlan's weather\n"
        "\n"
        "@RELATION 'the weather'\n"
        "@attribute 'the outlook' {sunny, 'rainy day', \"over\\'cast\"}\n"
        "@ATTRIBUTE temperature NUMERIC % degrees\n"
        "@attribute windy{TRUE,FALSE}\n"
        "@attribute play {yes, no}\n"
        "@DATA\n"
        "% rows\n"
        "sunny, 85, FALSE, no\n"
        "'rainy day',80.5,TRUE,yes\n"
        "\n"
        "\"over'cast\",83,'FALSE',yes % fine\n";
    const Numbers weather_values{0, 0, 1, 85, 1, 0, 0, 1, 0, 80.5, 0, 1, 1, 0, 0, 83, 1, 0};
};

TEST_F(ArffFile, DeclarationsQuotesAndComments) {
    for (const char* file : {"data.arff", "data", "data.txt"}) {
        const Data data = read_named(file, weather);
        EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_DENSE);
        EXPECT_EQ(names(data), (Names{"the outlook=over'cast", "the outlook=rainy day", "the outlook=sunny",
                                      "temperature", "windy=FALSE", "windy=TRUE"}));
        EXPECT_EQ(values(data), weather_values) << file;
        EXPECT_EQ(labels_of(data), (Labels{0, 1, 1})) << "no and yes, the last nominal attribute";
    }
    const std::string path = directory.write_gzip("data.arff.gz", weather);
    EXPECT_EQ(values(create<Data>(dk_data_from_file, path.c_str(), nullptr, nullptr)), weather_values);
    std::string windows;
    for (const char letter : weather) windows += letter == '\n' ? "\r\n" : std::string(1, letter);
    EXPECT_EQ(values(read_arff(windows)), weather_values);
}

TEST_F(ArffFile, TheClassIsTheAttributeWithItsName) {
    const std::string header =
        "@relation r\n@attribute Class {a,b}\n@attribute x real\n@attribute z {u,v}\n@data\n";
    const Data data = read_arff(header + "a,1,u\nb,2,v\n");
    EXPECT_EQ(labels_of(data), (Labels{0, 1}));
    EXPECT_EQ(names(data), (Names{"x", "z=u", "z=v"}));
    EXPECT_EQ(names(read_arff(header + "a,1,u\nb,2,v\n", "label=z")), (Names{"Class=a", "Class=b", "x"}));
    EXPECT_FALSE(is_labelled(read_arff(header + "a,1,u\nb,2,v\n", "label=none")));
    const Data numeric =
        read_arff("@relation r\n@attribute x real\n@attribute target integer\n@data\n1,5\n2,6\n");
    EXPECT_EQ(labels_of(numeric), (Labels{5, 6}));
}

TEST_F(ArffFile, NumbersThatAreNominalAreCategories) {
    const Data data =
        read_arff("@relation r\n@attribute n {1,2,3}\n@attribute class {1,2}\n@data\n1,2\n3,1\n");
    EXPECT_EQ(names(data), (Names{"n=1", "n=3"}));
    EXPECT_EQ(values(data), (Numbers{1, 0, 0, 1}));
    EXPECT_EQ(labels_of(data), (Labels{2, 1}));
}

TEST_F(ArffFile, BlanksBetweenValuesDoToo) {
    const Data data =
        read_arff("@relation r\n@attribute x real\n@attribute c {'a b',d}\n@data\n1 'a b'\n2\td\n");
    EXPECT_EQ(values(data), (Numbers{1, 2}));
    EXPECT_EQ(labels_of(data), (Labels{0, 1}));
}

TEST_F(ArffFile, OnlyAQuestionMarkIsMissing) {
    const std::string content =
        "@relation r\n@attribute x real\n@attribute c {NA,None}\n@attribute class "
        "{a,b}\n@data\n?,NA,a\n2,None,b\n";
    expect_refused(content, {"line 6", "x", "missing=keep"});
    const Data data = read_arff(content, "missing=keep");
    EXPECT_EQ(names(data), (Names{"x", "c=NA", "c=None"}));
    EXPECT_TRUE(std::isnan(values(data)[0]));
    EXPECT_EQ(values(data)[1], 1);
}

TEST_F(ArffFile, WeightsOfRowsStandBehindThem) {
    const std::string header = "@relation r\n@attribute x real\n@attribute class {a,b}\n@data\n";
    // The mean of a class of 0 and 4 with weights 3 and 1 is 1, so that the middle to -1 is 0.
    const Model model = train(read_arff(header + "0,a,{3}\n4,a\n-1,b\n"), "mean_of_class", "kernel=linear");
    const Data rows = read_arff("@relation r\n@attribute x real\n@data\n0.5\n-0.5\n");
    EXPECT_EQ(predictions(model, rows), (Numbers{0, 1}));
    expect_refused(header + "0,a,{-1}\n", {"line 5", "-1"});
    expect_refused(header + "0,a,{x}\n", {"line 5", "x"});
    expect_refused(header + "0,a,{2\n", {"line 5"});
}

TEST_F(ArffFile, FilesToPredictAreReadAlike) {
    const Model model = train(read_arff(weather), "svm", "kernel=linear");
    const Data data = read_named_like(model, "new.arff",
                                      "@relation new\n@attribute temperature real\n@attribute play {no,yes}\n"
                                      "@attribute windy {FALSE,TRUE}\n"
                                      "@attribute 'the outlook' {sunny,'rainy day',foggy}\n@data\n"
                                      "70,?,TRUE,sunny\n60,?,FALSE,foggy\n");
    EXPECT_EQ(values(data), (Numbers{0, 0, 1, 70, 0, 1, 0, 0, 0, 60, 1, 0}));
    EXPECT_FALSE(is_labelled(data));
    const Data table = read_like(model, "windy,temperature,the outlook\nTRUE,70,sunny\n");
    EXPECT_EQ(values(table), (Numbers{0, 0, 1, 70, 0, 1}));
}

class SparseArff : public ArffFile {
  protected:
    const std::string header =
        "@relation words\n@attribute a numeric\n@attribute colour {red, green, blue}\n"
        "@attribute b numeric\n@attribute class {no, yes}\n@data\n";
};

TEST_F(SparseArff, WhatARowLeavesOutIsZeroOrTheFirstValue) {
    const Data data = read_arff(header + "{0 2, 3 yes}\n{1 green, 2 3}\n{}\n{2 -1, 0 0.5 , 1 'blue'}\n");
    EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_SPARSE);
    EXPECT_EQ(names(data), (Names{"a", "colour=blue", "colour=green", "colour=red", "b"}));
    // The rows are (2, red), (green, 3), (red) and (0.5, blue, -1).
    EXPECT_EQ(products(data), (Numbers{5, 0, 1, 1,    //
                                       0, 10, 0, -3,  //
                                       1, 0, 1, 0,    //
                                       1, -3, 0, 2.25}));
    EXPECT_EQ(labels_of(data), (Labels{1, 0, 0, 0}));
}

TEST_F(SparseArff, FilesToPredictAreReadAlike) {
    const Model model =
        train(read_arff(header + "{0 2, 3 yes}\n{1 green, 2 3}\n{}\n{0 1, 3 yes}\n"), "svm", "kernel=linear");
    const Data data = read_named_like(
        model, "new.arff",
        "@relation new\n@attribute b numeric\n@attribute other numeric\n@attribute colour {black,green}\n"
        "@attribute a numeric\n@data\n{0 4, 1 9, 3 1}\n{2 green}\n");
    EXPECT_EQ(dk_data_cols(data.get()), 4) << "a, green, red and b";
    EXPECT_EQ(products(data), (Numbers{17, 0, 0, 1}));
    expect_no_handle<dk_data>(
        [&](dk_data** out) {
            const std::string path = directory.write(
                "less.arff", "@relation new\n@attribute a numeric\n@attribute b numeric\n@data\n{0 1}\n");
            return dk_data_from_file_like(out, path.c_str(), nullptr, model.get(), nullptr);
        },
        DK_ERR_DIMENSION, {"colour=green"});
}

TEST_F(SparseArff, Mistakes) {
    expect_refused(header + "{0 2}\n{4 1}\n", {"line 8", "4", "0", "3"});
    expect_refused(header + "{0 2, 0 3}\n", {"line 7", "twice"});
    expect_refused(header + "{0 x}\n", {"line 7", "a", "x"});
    expect_refused(header + "{1 black}\n", {"line 7", "colour", "black"});
    expect_refused(header + "{0 ?}\n", {"line 7", "missing"});
    expect_refused(header + "{0 1\n", {"line 7", "bracket"});
    expect_refused(header + "{0 1}\n1,red,2,no\n", {"line 8"});
    expect_refused("@relation r\n@attribute s string\n@attribute x real\n@data\n{1 2}\n", {"s", "ignore=s"});
}

TEST_F(ArffFile, MistakesNameTheLine) {
    const std::string header = "@relation r\n@attribute x real\n@attribute class {a,b}\n@data\n";
    expect_refused(header + "1,a\n2\n", {"line 6", "1", "2"});
    expect_refused(header + "1,a\n2,b,c\n", {"line 6", "c"});
    expect_refused(header + "1,a\n2,c\n", {"line 6", "class", "c"});
    expect_refused(header + "1,a\nred,b\n", {"line 6", "x", "red"});
    expect_refused(header + "1,a\n2,'b\n", {"line 6", "quote"});
    expect_refused(header, {"rows"});
    expect_refused("@relation r\n@attribute x real\n", {"@data"});
    expect_refused("@relation r\n@data\n1\n", {"line 2", "@attribute"});
    expect_refused("@relation r\n@attribute x\n@data\n1\n", {"line 2", "x", "numeric"});
    expect_refused("@relation r\n@attribute x colour\n@data\n1\n", {"line 2", "colour", "numeric"});
    expect_refused("@relation r\n@attribute x {a,b\n@data\n1\n", {"line 2", "bracket"});
    expect_refused("@relation r\n@attribute x real\n@attribute x real\n@data\n1,2\n",
                   {"line 3", "x", "twice"});
    expect_refused("@relation r\nx,y\n1,2\n", {"line 2", "@attribute"});
}

}  // namespace
}  // namespace dk_test::arff_file_test

// SPDX-License-Identifier: Apache-2.0
// These tests expect that columns of text in CSV files become indicators, and that a file read for a model
// has that model's features, whatever the order of its columns.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"

namespace dk_test::one_hot_test {
namespace {

constexpr dk_status bad_data = DK_ERR_INVALID_DATA;

using Numbers = std::vector<double>;
using Labels = std::vector<int64_t>;
using Names = std::vector<std::string>;

class OneHot : public testing::Test {
  protected:
    TemporaryDirectory directory;

    Data read(const std::string& content, const char* options = nullptr,
              const std::string& name = "data.csv") const {
        return create<Data>(dk_data_from_file, directory.write(name, content).c_str(), options, nullptr);
    }
    Data read_like(const std::string& content, const Model& model, const char* options = nullptr) const {
        return create<Data>(dk_data_from_file_like, directory.write("like.csv", content).c_str(), options,
                            static_cast<const dk_model*>(model.get()), nullptr);
    }
    void expect_refused_like(const std::string& content, const Model& model,
                             const std::vector<dk_status>& allowed, const Words& words,
                             const char* options = nullptr, Place where = Place::current()) const {
        const std::string path = directory.write("like.csv", content);
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_file_like(out, path.c_str(), options, model.get(), nullptr);
            },
            allowed, words, where);
    }
    static Numbers values(const Data& data) {
        const int64_t length = dk_data_rows(data.get()) * dk_data_cols(data.get());
        return values_of<double>(length, dk_data_values, data.get());
    }
    static Names names(const Data& data) {
        Names found;
        for (int64_t col = 0; col < dk_data_cols(data.get()); ++col) {
            found.push_back(text_of(dk_data_feature_name, data.get(), col));
        }
        return found;
    }
};

const std::string fruit =
    "width,colour,height,label\n"
    "1,red,10,3\n"
    "2,blue,20,4\n"
    "3,red,30,3\n"
    "4,green,40,4\n";

TEST_F(OneHot, TextsBecomeIndicatorsInAscendingOrder) {
    const Data data = read(fruit);
    EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_DENSE);
    EXPECT_EQ(names(data), (Names{"width", "colour=blue", "colour=green", "colour=red", "height"}));
    EXPECT_EQ(values(data), (Numbers{1, 0, 0, 1, 10,  //
                                     2, 1, 0, 0, 20,  //
                                     3, 0, 0, 1, 30,  //
                                     4, 0, 1, 0, 40}));
    EXPECT_EQ(labels_of(data), (Labels{3, 4, 3, 4}));
}

TEST_F(OneHot, LabelsOfTextAreNoIndicators) {
    const Data data = read("colour,n,class\nred,1,pear\nblue,2,apple\nred,3,apple\n");
    EXPECT_EQ(names(data), (Names{"colour=blue", "colour=red", "n"}));
    EXPECT_EQ(values(data), (Numbers{0, 1, 1, 1, 0, 2, 0, 1, 3}));
    EXPECT_EQ(labels_of(data), (Labels{1, 0, 0}));
    const Data named = read("kind,n\na,1\nb,2\na,3\n", "label=kind");
    EXPECT_EQ(names(named), (Names{"n"}));
    EXPECT_EQ(labels_of(named), (Labels{0, 1, 0}));
}

TEST_F(OneHot, AFileWithoutNamesHasPositionsForThem) {
    const Data data = read("1,x\n2,y\n3,x\n", "header=no");
    EXPECT_EQ(values(data), (Numbers{1, 1, 0, 2, 0, 1, 3, 1, 0}));
    EXPECT_EQ(names(data), (Names{"f1", "f2=x", "f2=y"}));
}

TEST_F(OneHot, OneNumberMakesItAColumnOfNumbers) {
    for (const std::string number : {"7", "1e3", "-0"}) {
        const std::string path = directory.write("data.csv", "n,colour\n1,red\n2," + number + "\n3,blue\n");
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, bad_data,
            {"line", "2", "field", "2", "red"});
    }
}

TEST_F(OneHot, QuotedSpacedAndUtf8Texts) {
    const Data data = read("n,place\n1,\"a, b\"\n2,größe\n3,New York\n4,\"a=b\"\n");
    EXPECT_EQ(names(data), (Names{"n", "place=New York", "place=a, b", "place=a=b", "place=größe"}));
    EXPECT_EQ(values(data), (Numbers{1, 0, 1, 0, 0,  //
                                     2, 0, 0, 0, 1,  //
                                     3, 1, 0, 0, 0,  //
                                     4, 0, 0, 1, 0}));
}

TEST_F(OneHot, SignsAreTextsToo) {
    const Data data = read("n,strand\n1,+\n2,-\n3,+\n");
    EXPECT_EQ(names(data), (Names{"n", "strand=+", "strand=-"}));
    EXPECT_EQ(values(data), (Numbers{1, 1, 0, 2, 0, 1, 3, 1, 0}));
    EXPECT_EQ(labels_of(read("n,label\n1,+\n2,-\n3,+\n")), (Labels{0, 1, 0}));
}

TEST_F(OneHot, MissingTexts) {
    for (const std::string word : {"", "NA", "?", "nan"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, word);
        const std::string content = "n,colour\n1,red\n2," + word + "\n3,blue\n";
        const std::string path = directory.write("data.csv", content);
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, bad_data,
            {"line", "3", "field", "2"});
        const Data data = read(content, "missing=keep");
        EXPECT_EQ(names(data), (Names{"n", "colour=blue", "colour=red"}));
        const Numbers found = values(data);
        EXPECT_EQ((Numbers{found[0], found[1], found[2], found[3]}), (Numbers{1, 0, 1, 2}));
        EXPECT_TRUE(std::isnan(found[4]));
        EXPECT_TRUE(std::isnan(found[5]));
        EXPECT_EQ((Numbers{found[6], found[7], found[8]}), (Numbers{3, 1, 0}));
    }
}

TEST_F(OneHot, MoreThanAThousandTextsAreAMistake) {
    const auto file = [](int texts) {
        std::string content = "n,id\n";
        for (int row = 0; row < texts; ++row) content += "1,k" + std::to_string(row) + "\n";
        return content + "1,k0\n";  // All different, they would be names of rows.
    };
    EXPECT_EQ(dk_data_cols(read(file(1000)).get()), 1001);
    const std::string path = directory.write("data.csv", file(1001));
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, bad_data,
        {"line", "1002", "id", "1000"});
}

TEST_F(OneHot, NamesThatWouldStandTwice) {
    const std::string path = directory.write("data.csv", "a=x,a\n1,x\n2,y\n");
    dk_data* out = nullptr;
    const dk_status status = dk_data_from_file(&out, path.c_str(), nullptr, nullptr);
    const Data data(out);
    ASSERT_TRUE(status == DK_OK || status == bad_data) << dk_status_name(status);
    if (status == DK_OK) {
        const Names found = names(data);
        EXPECT_NE(found[0], found[1]) << "names of columns are unique";
    }
}

class FileLike : public OneHot {
  protected:
    const Data training = read(fruit, nullptr, "fruit.csv");
    const Model model = train(training, "svm", "scale=standard");
};

TEST_F(FileLike, TheSameFileGivesTheSameData) {
    const Data again = read_like(fruit, model);
    EXPECT_TRUE(same_bits(values(again), values(training)));
    EXPECT_EQ(names(again), names(training));
    EXPECT_EQ(labels_of(again), labels_of(training));
}

TEST_F(FileLike, ColumnsAreFoundByNameWhateverTheirOrder) {
    const Data data =
        read_like("height,label,extra,colour,width,note\n40,4,7,green,4,x\n10,3,8,red,1,y\n", model);
    EXPECT_EQ(names(data), names(training));
    EXPECT_EQ(values(data), (Numbers{4, 0, 1, 0, 40, 1, 0, 0, 1, 10}));
    EXPECT_EQ(labels_of(data), (Labels{4, 3}));
    const std::vector<double> all = decisions(model, training);
    EXPECT_TRUE(same_bits(decisions(model, data), {all[3], all[0]}));
}

TEST_F(FileLike, UnknownTextsAreNoCategory) {
    const Data data = read_like("width,colour,height\n1,violet,10\n2,Red,20\n3,12,30\n", model);
    EXPECT_EQ(values(data), (Numbers{1, 0, 0, 0, 10, 2, 0, 0, 0, 20, 3, 0, 0, 0, 30}));
}

TEST_F(FileLike, FewerTextsThanInTraining) {
    EXPECT_EQ(values(read_like("width,colour,height\n1,green,10\n", model)), (Numbers{1, 0, 1, 0, 10}));
    EXPECT_EQ(values(read_like("width,colour,height\n1,red,10\n5,red,50\n", model)),
              (Numbers{1, 0, 0, 1, 10, 5, 0, 0, 1, 50}));
}

TEST_F(FileLike, FeaturesThatTheFileLacksAreNamed) {
    const std::vector<dk_status> misfit{DK_ERR_DIMENSION, bad_data};
    expect_refused_like("width,colour,label\n1,red,3\n", model, misfit, {"height"});
    expect_refused_like("width,height,label\n1,10,3\n", model, misfit, {"colour"});
    expect_refused_like("Width,colour,height\n1,red,10\n", model, misfit, {"width"});
}

TEST_F(FileLike, MistakesNameLineAndField) {
    expect_refused_like("colour,width,height\nred,1,10\nred,x,10\n", model, {bad_data},
                        {"line", "3", "field", "2", "x"});
    expect_refused_like("colour,width,height\nred,1,10\n,2,10\n", model, {bad_data},
                        {"line", "3", "field", "1"});
    const Data kept = read_like("colour,width,height\nred,1,10\n,2,\n", model, "missing=keep");
    const Numbers found = values(kept);
    for (const std::size_t at : {6U, 7U, 8U, 9U}) EXPECT_TRUE(std::isnan(found[at])) << at;
    EXPECT_EQ(found[5], 2.0);
}

TEST_F(FileLike, BadArguments) {
    const std::string path = directory.path("fruit.csv");
    const dk_model* m = model.get();
    expect_failure([&] { return dk_data_from_file_like(nullptr, path.c_str(), nullptr, m, nullptr); },
                   DK_ERR_INVALID_ARGUMENT, {"out"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file_like(out, nullptr, nullptr, m, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"path"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file_like(out, path.c_str(), nullptr, nullptr, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"model"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file_like(out, "/no/such/file.csv", nullptr, m, nullptr); },
        DK_ERR_IO, {"file.csv"});
    expect_no_handle_in<dk_data>(
        [&](dk_data** out) { return dk_data_from_file_like(out, path.c_str(), "heder=yes", m, nullptr); },
        {DK_ERR_INVALID_PARAMETER, DK_ERR_INVALID_ARGUMENT}, {"heder"});
}

TEST_F(FileLike, WithoutNamesFilesAreReadAsEver) {
    const Model unnamed = train(dense(make_problem(10, 2, 2, 3.0, 1)), "svm");
    EXPECT_EQ(values(read_like("b,a\n1,2\n3,4\n", unnamed)), (Numbers{1, 2, 3, 4}))
        << "the model has no names";
    EXPECT_EQ(values(read_like("1,2,3,4,5\n", model, "header=no label=none")), (Numbers{1, 2, 3, 4, 5}))
        << "the file has no names";
}

TEST_F(FileLike, TextsWithAnEqualsSign) {
    const std::string content = "n,formula,label\n1,x=1,0\n2,x=2,1\n3,=,0\n4,y,1\n";
    const Data data = read(content);
    const Model equals = train(data, "svm");
    EXPECT_TRUE(same_bits(values(read_like(content, equals)), values(data)));
    EXPECT_EQ(values(read_like("formula,n\nx=2,7\n", equals)), (Numbers{7, 0, 0, 1, 0}));
}

TEST_F(FileLike, ColumnsWithAnEqualsSignInTheirName) {
    const std::string content = "a=b,c=d,label\n1,x,0\n2,y,1\n3,x,0\n4,y,1\n";
    const Data data = read(content);
    EXPECT_EQ(names(data), (Names{"a=b", "c=d=x", "c=d=y"}));
    EXPECT_TRUE(same_bits(values(read_like(content, train(data, "svm"))), values(data)));
}

TEST_F(FileLike, ColumnsWithoutANameAreFoundByTheirPosition) {
    const std::string content = "a,,label\n1,5,0\n2,6,1\n3,7,0\n4,8,1\n";
    const Data data = read(content);
    EXPECT_EQ(names(data), (Names{"a", "f2"}));
    EXPECT_TRUE(same_bits(values(read_like(content, train(data, "svm"))), values(data)));
}

TEST_F(FileLike, ModelsReadBackKnowTheirColumns) {
    const std::vector<unsigned char> bytes = bytes_of(model.get());
    const Model again = create<Model>(dk_model_read, static_cast<const void*>(bytes.data()),
                                      static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_EQ(values(read_like("height,colour,width\n40,blue,4\n", again)), (Numbers{4, 1, 0, 0, 40}));
}

TEST_F(OneHot, EndToEnd) {
    std::string content = "size,colour,label\n";
    std::string reordered = "label,colour,size,comment\n";
    Random random(3);
    for (int row = 0; row < 60; ++row) {
        const bool ripe = row % 2 == 0;
        const std::string size = std::to_string(random.uniform());
        const std::string colour =
            ripe ? (row % 4 == 0 ? "red" : "orange") : (row % 3 == 0 ? "green" : "white");
        const std::string name = ripe ? "ripe" : "raw";
        content += size + "," + colour + "," + name + "\n";
        reordered += name + "," + colour + "," + size + ",none\n";
    }
    const Data data = read(content);
    const Model model = train(data, "svm", "kernel=linear scale=standard C=10");
    double accuracy = 0.0;
    check(dk_score(&accuracy, model.get(), read_like(reordered, model).get(), "accuracy", nullptr));
    EXPECT_EQ(accuracy, 1.0) << "the colour alone decides";
    EXPECT_NE(text_of(dk_model_info, model.get()).find("colour=orange"), std::string::npos);
}

TEST_F(OneHot, MissingTextsAreFilled) {
    const std::string content = "n,colour,label\n1,red,0\n2,,1\n3,blue,1\n4,red,0\n5,blue,1\n";
    const Data data = read(content, "missing=keep");
    const Model model = train(data, "svm", "impute=mean");
    EXPECT_TRUE(all_finite(decisions(model, data)));
    EXPECT_TRUE(all_finite(decisions(model, read_like(content, model, "missing=keep"))));
}

}  // namespace
}  // namespace dk_test::one_hot_test

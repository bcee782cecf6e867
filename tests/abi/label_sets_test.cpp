// SPDX-License-Identifier: Apache-2.0
// Rows with several labels, through the C interface and from files. Two rows whose kernel value is 1/2 give
// with C = 1 the matrix K + I = [2 1/2; 1/2 2], whose inverse is [8 -2; -2 8] / 15.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "read_files.hpp"

namespace dk_test::label_sets_test {
namespace {

const char* const ridge = "kernel=rbf(gamma=0.6931471805599453) scale=none";
const std::vector<const char*> colours{"red", "blue"};

Data points(const std::vector<double>& x) {
    return create<Data>(dk_data_from_dense, x.data(), static_cast<int64_t>(x.size()), 1, 1, DK_ROW_MAJOR);
}

dk_status set_labels(const Data& data, const std::vector<int64_t>& offsets,
                     const std::vector<int64_t>& labels, const std::vector<const char*>& names = colours) {
    return dk_data_set_label_sets(data.get(), offsets.data(), static_cast<int64_t>(offsets.size()),
                                  labels.data(), static_cast<int64_t>(labels.size()), names.data(),
                                  static_cast<int64_t>(names.size()));
}

Model trained(const Data& data, const char* machine, const char* settings) {
    return create<Model>(dk_train, data.get(), parameters(machine, settings).get(), nullptr);
}

nlohmann::json counts_of(const Data& data) {
    return nlohmann::json::parse(text_of(dk_data_describe, data.get(), nullptr))
        .at("answers")
        .value("labels", nlohmann::json());
}

nlohmann::json counted(const std::vector<std::pair<std::string, int>>& labels) {
    auto list = nlohmann::json::array();
    for (const auto& [name, rows] : labels) list.push_back({{"name", name}, {"rows", rows}});
    return list;
}

TEST(LabelSetsOfC, HaveAFunctionForEachLabel) {
    const Data data = points({0, 1});
    check(set_labels(data, {0, 2, 3}, {1, 0, 1}));
    const Model model = trained(data, "kelm", ridge);
    EXPECT_EQ(dk_model_task(model.get()), DK_TASK_MULTILABEL);
    EXPECT_EQ(dk_model_target_count(model.get()), 2);
    EXPECT_EQ(dk_model_decision_count(model.get()), 2);
    EXPECT_EQ(dk_model_class_count(model.get()), 2);
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{1}), "blue");
    EXPECT_EQ(values_of<int64_t>(2, dk_model_classes, model.get()), (std::vector<int64_t>{0, 1}));
    // Signs 1 and -1 of red, coefficients [8 -2; -2 8] / 15 times these, and decisions K times those. Both
    // rows are blue, so that every row is, with the odds 3 : 1.
    const std::vector<double> expected{10.0 / 15 - 5.0 / 15, std::log(3), 5.0 / 15 - 10.0 / 15, std::log(3)};
    const auto found = values_of<double>(4, dk_decision, model.get(), data.get(), nullptr);
    for (std::size_t e = 0; e < 4; ++e) EXPECT_NEAR(found[e], expected[e], 1e-12);
    expect_exact_length<double>(
        [&](double* out, int64_t n) { return dk_predict(out, n, model.get(), data.get(), nullptr); }, 4);
    EXPECT_EQ(values_of<double>(4, dk_predict, model.get(), data.get(), nullptr),
              (std::vector<double>{1, 1, 0, 1}));
    double accuracy = 0;
    check(dk_score(&accuracy, model.get(), data.get(), "accuracy", nullptr));
    EXPECT_EQ(accuracy, 1);
    EXPECT_EQ(dk_model_prototype_count(model.get()), 4);
    EXPECT_EQ(values_of<int64_t>(4, dk_model_prototype_classes, model.get()),
              (std::vector<int64_t>{0, -1, 1, -1}));
}

TEST(LabelSetsOfC, TakeThePlaceOfLabelsAndBack) {
    const Data data = points({0, 1, 2});
    const std::vector<int64_t> classes{1, 2, 1};
    check(dk_data_set_labels(data.get(), classes.data(), 3));
    check(set_labels(data, {0, 0, 1, 1}, {0}));
    EXPECT_EQ(counts_of(data), counted({{"red", 1}, {"blue", 0}}));
    std::vector<int64_t> out(3);
    expect_failure([&] { return dk_data_labels(out.data(), 3, data.get()); }, DK_ERR_UNSUPPORTED,
                   {"several labels"});
    const std::vector<int64_t> some{1};
    EXPECT_EQ(counts_of(create<Data>(dk_data_select, data.get(), some.data(), 1)),
              counted({{"red", 1}, {"blue", 0}}));
    check(dk_data_set_labels(data.get(), classes.data(), 3));
    EXPECT_TRUE(counts_of(data).is_null());
    check(dk_data_labels(out.data(), 3, data.get()));
    EXPECT_EQ(out, classes);
}

TEST(LabelSetsOfC, RefuseWhatIsNone) {
    const Data data = points({0, 1});
    check(set_labels(data, {0, 1, 1}, {0}));
    const auto refused = [&](const std::vector<int64_t>& offsets, const std::vector<int64_t>& labels,
                             const std::vector<const char*>& names, dk_status status, const Words& words) {
        expect_failure([&] { return set_labels(data, offsets, labels, names); }, status, words);
    };
    refused({0, 1}, {0}, colours, DK_ERR_INVALID_ARGUMENT, {"length of row_offsets is 2", "3"});
    refused({0, 1, 2}, {0}, colours, DK_ERR_INVALID_DATA, {"row_offsets go from 0 to 2", "length, 1"});
    refused({1, 1, 1}, {0}, colours, DK_ERR_INVALID_DATA, {"row_offsets go from 1 to 1"});
    refused({0, 2, 1}, {0}, colours, DK_ERR_INVALID_DATA, {"row_offsets of row 0 are 0 and 2"});
    refused({0, -1, 1}, {0}, colours, DK_ERR_INVALID_DATA, {"row_offsets of row 0 are 0 and -1"});
    refused({0, 1, 2}, {0, 2}, colours, DK_ERR_INVALID_DATA, {"a label of row 1 is 2", "0 to 1"});
    refused({0, 1, 2}, {-1, 0}, colours, DK_ERR_INVALID_DATA, {"a label of row 0 is -1"});
    refused({0, 1, 1}, {0}, {}, DK_ERR_INVALID_ARGUMENT, {"count is 0"});
    refused({0, 1, 1}, {0}, {"red", "red"}, DK_ERR_INVALID_DATA, {"label name 'red' stands twice"});
    refused({0, 1, 1}, {0}, {"red", ""}, DK_ERR_INVALID_DATA, {"label name 1 is empty"});
    refused({0, 1, 1}, {0}, {"red", nullptr}, DK_ERR_INVALID_ARGUMENT, {"label name 1 is NULL"});
    refused({0, 1, 1}, {0}, {"\xff", "blue"}, DK_ERR_INVALID_DATA, {"no UTF-8"});
    const std::vector<int64_t> offsets{0, 0, 0};
    expect_failure(
        [&] { return dk_data_set_label_sets(nullptr, offsets.data(), 3, nullptr, 0, colours.data(), 2); },
        DK_ERR_INVALID_ARGUMENT, {"data"});
    expect_failure(
        [&] { return dk_data_set_label_sets(data.get(), nullptr, 3, nullptr, 0, colours.data(), 2); },
        DK_ERR_INVALID_ARGUMENT, {"row_offsets"});
    expect_failure(
        [&] { return dk_data_set_label_sets(data.get(), offsets.data(), 3, nullptr, 1, colours.data(), 2); },
        DK_ERR_INVALID_ARGUMENT, {"labels"});
    expect_failure(
        [&] { return dk_data_set_label_sets(data.get(), offsets.data(), 3, nullptr, 0, nullptr, 2); },
        DK_ERR_INVALID_ARGUMENT, {"names"});
    EXPECT_EQ(counts_of(data), counted({{"red", 1}, {"blue", 0}}));  // A failure changes nothing.
    check(dk_data_set_label_sets(data.get(), offsets.data(), 3, nullptr, 0, colours.data(), 2));
    EXPECT_EQ(counts_of(data), counted({{"red", 0}, {"blue", 0}}));
}

TEST(LabelSetsOfC, HaveNoPageAndNoSets) {
    const Data data = points({0, 1, 2, 3, 4, 5});
    check(set_labels(data, {0, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 1, 1}));
    const Model model = trained(data, "svm", "");
    int64_t needed = 0;
    expect_failure(
        [&] { return dk_explain_row(nullptr, 0, &needed, model.get(), data.get(), 0, nullptr, nullptr); },
        DK_ERR_UNSUPPORTED, {"a row is explained for one number, and the model predicts 2"});
    std::vector<double> out(24);
    expect_failure([&] { return dk_predict_set(out.data(), 12, model.get(), data.get(), 0.9, nullptr); },
                   DK_ERR_UNSUPPORTED, {"several labels"});
    std::vector<int64_t> counts(4);
    expect_failure([&] { return dk_confusion(counts.data(), 4, model.get(), data.get(), nullptr); },
                   DK_ERR_UNSUPPORTED, {"several labels"});
    expect_failure([&] { return dk_score(out.data(), model.get(), data.get(), "mcc", nullptr); },
                   DK_ERR_UNSUPPORTED, {"mcc is not one of multilabel"});
    expect_no_handle<dk_model>(
        [&](dk_model** moved) {
            return dk_move_threshold(moved, model.get(), data.get(), "miss_cost=2", nullptr);
        },
        DK_ERR_UNSUPPORTED, {"multilabel"});
    expect_no_handle<dk_model>(
        [&](dk_model** updated) {
            return dk_model_update(updated, model.get(), data.get(), nullptr, 0, nullptr);
        },
        DK_ERR_UNSUPPORTED, {"updatable"});
}

class LabelSetsOfFiles : public ReadFiles {};

TEST_F(LabelSetsOfFiles, AreColumnsOfZerosAndOnes) {
    const Data data = read("x,sea,beach\n1,1,0\n2,0,0\n3,1,1\n", "label=sea,beach");
    EXPECT_EQ(counts_of(data), counted({{"sea", 2}, {"beach", 1}}));
    EXPECT_EQ(names(data), std::vector<std::string>{"x"});
    // The same columns are targets of a regression.
    EXPECT_EQ(dk_model_target_count(trained(data, "kernel_ridge", "").get()), 2);
    EXPECT_EQ(dk_model_task(trained(data, "auto", "").get()), DK_TASK_MULTILABEL);
    const Data words = read("x,sea,beach\n1,True,false\n2,no,FALSE\n3,yes,TRUE\n", "label=sea,beach");
    EXPECT_EQ(counts_of(words), counts_of(data));
    EXPECT_TRUE(counts_of(read("x,a,b\n1,1,0\n2,0,0.5\n", "label=a,b")).is_null());
    expect_refused_as("data.csv", "x,a,b\n1,1,0\n2,0,perhaps\n", "label=a,b",
                      {"line 3", "perhaps", "true and false"});
    const Data unnamed = read("1,0,1\n2,1,1\n", "label=1,2 header=no");
    EXPECT_EQ(counts_of(unnamed), counted({{"1", 1}, {"2", 2}}));
}

TEST_F(LabelSetsOfFiles, StandInOneColumnWithMarks) {
    const char* const options = "label=tags label_delimiter=;";
    const Data data = read("x,tags\n1,sea;beach\n2,\n3,beach; sea ;\n4,NA\n5,city\n", options);
    EXPECT_EQ(counts_of(data), counted({{"beach", 2}, {"city", 1}, {"sea", 2}}));
    const Model model = trained(data, "kelm", "");
    EXPECT_EQ(dk_model_target_count(model.get()), 3);
    // A model reads alike, and scores by names.
    const Data more = read_like(model, "tags,x\ncity,5\n");
    EXPECT_EQ(counts_of(more), counted({{"city", 1}}));
    double hamming = -1;
    check(dk_score(&hamming, model.get(), more.get(), "hamming_loss", nullptr));
    EXPECT_GE(hamming, 0);
    EXPECT_TRUE(counts_of(read_like(model, "x\n5\n")).is_null());
    EXPECT_EQ(counts_of(read("x,tags\n1,3|1\n2,1\n", "label=tags label_delimiter=|")),
              counted({{"1", 2}, {"3", 1}}));
    // The mark between labels is none between fields.
    EXPECT_EQ(counts_of(read("1.5,a;b\n2.5,c;d\n3.5,a;d\n", "label=-1 header=no label_delimiter=;")),
              counted({{"a", 2}, {"b", 1}, {"c", 1}, {"d", 2}}));
    EXPECT_EQ(
        counts_of(read("text,tags\nabc,u;v\nacd,v\nxyz,\n", "format=strings label=tags label_delimiter=;")),
        counted({{"u", 1}, {"v", 2}}));
    EXPECT_EQ(dk_data_rows(read("x,tags\n1,a\n2,\n", "label=tags label_delimiter=; unlabelled=skip").get()),
              2);
    EXPECT_EQ(counts_of(read("x,tags\n1,3 1\n2,1\n", "label=tags label_delimiter=space")),
              counted({{"1", 2}, {"3", 1}}));
    expect_refused_as("data.csv", "x,tags\n1,a\n", "label_delimiter=/", {"label_delimiter", "/"},
                      DK_ERR_INVALID_PARAMETER);
}

TEST_F(LabelSetsOfFiles, StandBeforeLibsvmsEntries) {
    const Data data = read_named("data.svm", "3,1 1:0.5 2:1\n 2:0.25\n1 1:1\n10,3 2:2\n");
    EXPECT_EQ(dk_data_rows(data.get()), 4);
    EXPECT_EQ(counts_of(data), counted({{"1", 2}, {"3", 2}, {"10", 1}}));
    // Without the name of the file its look tells.
    EXPECT_EQ(counts_of(read_named("data", "3,1 1:0.5 2:1\n2:0.25\n")), counted({{"1", 1}, {"3", 1}}));
    const Model model = trained(data, "svm", "");
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{2}), "10");
    const Data single = read_named_like(model, "new.svm", "3 1:0.5\n1 2:1\n");
    double jaccard = -1;
    check(dk_score(&jaccard, model.get(), single.get(), "jaccard", nullptr));
    EXPECT_GE(jaccard, 0);
    // Of a model that knows sets a file may have rows of one label, and rows of none.
    EXPECT_EQ(counts_of(read_named_like(model, "new.svm", "3 1:0.5\n2:1\n")), counted({{"3", 1}}));
    EXPECT_EQ(counts_of(read_named("new.svm", "3 1:0.5\n2:1\n", "label_delimiter=,")), counted({{"3", 1}}));
    expect_refused_as("data.svm", "3,1 1:0.5\n3,a 2:0.25\n", nullptr, {"line 2", "'a'"});
    // A time has a colon, too, and a table of commas stays one.
    EXPECT_EQ(
        dk_data_kind(read_named("times", "1,2,2020-01-01 10:30\n2,3,2020-01-02 11:30\n", "dates=text").get()),
        DK_KIND_DENSE);
    // Where no row has several, one without a label lacks it.
    expect_refused_as("data.svm", "3 1:0.5\n2:0.25\n", nullptr, {"line 2", "expected a label"});
    const Data queries = read_named("data.svm", "3,1 qid:1 1:0.5\n qid:2 2:0.25\n");
    EXPECT_EQ(counts_of(queries), counted({{"1", 1}, {"3", 1}}));
}

TEST_F(LabelSetsOfFiles, AreAttributesOfArff) {
    const std::string header =
        "@attribute sea {0,1}\n@attribute beach {0,1}\n@attribute x numeric\n@attribute y numeric\n@data\n";
    const std::string rows = "1,0,2,3\n0,0,1,4\n1,1,5,5\n";
    const auto expected = counted({{"sea", 2}, {"beach", 1}});
    EXPECT_EQ(counts_of(read_named("a.arff", "@relation r\n" + header + rows, "label=sea,beach")), expected);
    // MEKA's files say by -C how many attributes are labels, of the first ones or, below 0, of the last.
    EXPECT_EQ(counts_of(read_named("a.arff", "@relation 'pictures: -C 2'\n" + header + rows)), expected);
    EXPECT_EQ(counts_of(read_named("a.arff", "@relation 'pictures: -V -C 2 -w'\n" + header + rows)),
              expected);
    const std::string last =
        "@attribute x numeric\n@attribute sea {0,1}\n@attribute beach {0,1}\n@data\n2,1,0\n1,0,0\n5,1,1\n";
    EXPECT_EQ(counts_of(read_named("a.arff", "@relation 'p: -C -2'\n" + last)), expected);
    const std::string sparse = "{0 1,2 2,3 3}\n{2 1,3 4}\n{0 1,1 1,2 5,3 5}\n";
    EXPECT_EQ(counts_of(read_named("a.arff", "@relation 'p: -C 2'\n" + header + sparse)), expected);
    const Data data = read_named("a.arff", "@relation r\n" + header + sparse, "label=beach,sea");
    EXPECT_EQ(counts_of(data), counted({{"beach", 1}, {"sea", 2}}));
    EXPECT_EQ(names(data), (std::vector<std::string>{"x", "y"}));
    for (const char* count : {"4", "-4", "99", "9223372036854775807", "-9223372036854775808"})
        expect_refused_as("a.arff", std::string("@relation 'p: -C ") + count + "'\n" + header + rows, nullptr,
                          {"-C ", "4 attributes"});
    // A model reads alike, also where the labels lack.
    for (const std::string& content : {header + rows, header + sparse}) {
        const Model model = trained(read_named("a.arff", "@relation 'p: -C 2'\n" + content), "kelm", "");
        EXPECT_EQ(counts_of(read_named_like(model, "b.arff", "@relation q\n" + content)), expected);
    }
}

TEST_F(LabelSetsOfFiles, AskForTheirMemory) {
    // Few bytes of labels, and a prediction of each for each row.
    std::string content = "0";
    for (int label = 1; label < 3000; ++label) content += "," + std::to_string(label);
    content += " 1:1\n";
    for (int row = 0; row < 3000; ++row) content += "1,2 1:" + std::to_string(row + 1) + "\n";
    const Data data = read_named("data.svm", content);
    expect_no_handle<dk_model>(
        [&](dk_model** out) {
            return dk_train(out, data.get(), parameters("kelm", "memory_mb=100").get(), nullptr);
        },
        DK_ERR_MEMORY_BUDGET, {"MB"});
    expect_no_handle<dk_model>(
        [&](dk_model** out) {
            return dk_train(out, data.get(), parameters("kernel_ridge", "").get(), nullptr);
        },
        DK_ERR_INVALID_DATA, {"several labels"});
}

}  // namespace
}  // namespace dk_test::label_sets_test
